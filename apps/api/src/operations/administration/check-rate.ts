import { RateError, rateAfterSpread } from "@tillgate/money";

/** A rate as a person or a file says it. */
export type SaidRate = {
  base: string;
  quote: string;
  /** Units of `quote` for one of `base`, before the spread. */
  rate: string;
  /** Left out or empty: none. */
  spreadPercent?: string | undefined;
  /** ISO 8601 with an offset; left out or empty: now. */
  effectiveFrom?: string | undefined;
};

/** The same, checked. */
export type CheckedRate = {
  base: string;
  quote: string;
  rate: string;
  spreadPercent: string;
  /** Null: now, by the database's clock. */
  effectiveFrom: Date | null;
};

/** Digits before and after the point that are stored. */
const MAX_WHOLE_DIGITS = 12;
const MAX_DECIMALS = 20;
const DECIMAL = /^(\d+)(?:\.(\d+))?$/;
/** So that ten significant digits of the rate after its spread fit the stored decimals. */
const SMALLEST = 1e-9;
const SPREAD = /^\d{1,2}(\.\d{1,6})?$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/;

function isStorable(text: string): boolean {
  const [, whole = "", decimals = ""] = DECIMAL.exec(text) ?? [];
  return whole !== "" && whole.length <= MAX_WHOLE_DIGITS && decimals.length <= MAX_DECIMALS;
}

/**
 * Checks one rate.
 * @param known codes of the currency table.
 * @returns the rate, or what is wrong with it, a sentence each.
 */
export function checkRate(said: SaidRate, known: ReadonlySet<string>): CheckedRate | string[] {
  const wrong: string[] = [];
  for (const code of new Set([said.base, said.quote]))
    if (!known.has(code)) wrong.push(`There is no currency ${code || "without a code"}.`);
  if (said.base === said.quote) wrong.push("A rate leads from one currency to another.");
  const spreadPercent = said.spreadPercent || "0";
  const rateIsRead = isStorable(said.rate) && Number(said.rate) >= SMALLEST;
  if (!rateIsRead)
    wrong.push(
      `The rate (${said.rate}) is a decimal number from ${SMALLEST.toFixed(9)} with up to ${MAX_WHOLE_DIGITS} digits before and ${MAX_DECIMALS} after the point.`,
    );
  if (!SPREAD.test(spreadPercent))
    wrong.push(`The spread (${spreadPercent}) is a percentage from 0 to below 100 with up to 6 decimals.`);
  else if (rateIsRead && !leavesARate(said.rate, spreadPercent))
    wrong.push(`The rate (${said.rate}) is not written as plain decimal text.`);
  const time = said.effectiveFrom ? readTime(said.effectiveFrom) : null;
  if (time === undefined)
    wrong.push(`The time (${said.effectiveFrom}) is written as 2026-12-01T00:00:00Z, with its offset.`);
  if (wrong.length > 0 || time === undefined) return wrong;
  return { base: said.base, quote: said.quote, rate: said.rate, spreadPercent, effectiveFrom: time };
}

function leavesARate(rate: string, spreadPercent: string): boolean {
  try {
    rateAfterSpread(rate, spreadPercent);
    return true;
  } catch (error) {
    if (error instanceof RateError) return false;
    throw error;
  }
}

/** Undefined: not a time, or a day that the calendar does not have. */
function readTime(text: string): Date | undefined {
  if (!TIME.test(text)) return undefined;
  const time = new Date(text);
  const day = text.slice(0, "2026-12-01".length);
  const sameDay = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(time.getTime()) || Number.isNaN(sameDay.getTime())) return undefined;
  return sameDay.toISOString().startsWith(day) ? time : undefined;
}
