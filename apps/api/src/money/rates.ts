import { createHash } from "node:crypto";
import { type AuditAction, ErrorCode, type Mode } from "@tillgate/contract";
import { RateError, rateAfterSpread } from "@tillgate/money";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Change } from "../audit/administrator.js";
import { changeWithAudit, recordChange } from "../audit/change.js";
import type { Context } from "../context.js";
import { errorWith, invalidValue } from "../errors.js";
import { CsvError, type CsvRecord, parseCsv } from "../platform/csv.js";
import { clockSchema } from "../platform/database-clock.js";

const MAX_LISTED = 1_000;

const rateSchema = z.object({
  base: z.string(),
  quote: z.string(),
  /** Units of `quote` per unit of `base`, before the spread. */
  rate: z.string(),
  spreadPercent: z.string(),
  effectiveFrom: z.date(),
  standing: z.enum(["in effect", "future", "past"]),
});

/** `rateAfterSpread` is the rate that conversions use. */
export type ListedRate = z.output<typeof rateSchema> & { rateAfterSpread: string };

/** Lists up to {@link MAX_LISTED} rates: current and future rates by the database's clock and, if `past` is set, older rates. */
export async function listRates(
  { database: { prisma } }: Context,
  { mode, past = false }: { mode: Mode; past?: boolean | undefined },
): Promise<ListedRate[]> {
  const rows = await prisma.$queryRaw<unknown[]>`
    SELECT base, quote, trim_scale(rate)::text AS rate, trim_scale(spread_percent)::text AS "spreadPercent",
      effective_from AS "effectiveFrom", standing
    FROM (SELECT r.*, CASE WHEN future THEN 'future'
          WHEN row_number() OVER (PARTITION BY base, quote, future ORDER BY effective_from DESC, created_at DESC) = 1 THEN 'in effect'
          ELSE 'past' END AS standing
        FROM (SELECT *, effective_from > clock_timestamp() AS future FROM exchange_rates WHERE mode = ${mode}::mode) AS r) AS placed
    WHERE ${past} OR standing <> 'past'
    ORDER BY base, quote, effective_from DESC, created_at DESC LIMIT ${MAX_LISTED}`;
  return parseRows(rateSchema, rows).map((row) => ({
    ...row,
    rateAfterSpread: rateAfterSpread(row.rate, row.spreadPercent),
  }));
}

export type RateInput = {
  base: string;
  quote: string;
  /** Units of `quote` per unit of `base`, before the spread. */
  rate: string;
  /** No spread if omitted or empty. */
  spreadPercent?: string | undefined;
  /** ISO 8601 with an offset; now if omitted or empty. */
  effectiveFrom?: string | undefined;
};

export type CheckedRate = {
  base: string;
  quote: string;
  rate: string;
  spreadPercent: string;
  /** Null for now, by the database's clock. */
  effectiveFrom: Date | null;
};

/** Stored digits before and after the decimal point. */
const MAX_WHOLE_DIGITS = 12;
const MAX_DECIMALS = 20;
const DECIMAL = /^(\d+)(?:\.(\d+))?$/;
/** Minimum rate before the spread. Ten significant digits of the rate after a spread of up to 99 % then fit the stored decimals. */
const MIN_RATE = 1e-9;
const SPREAD = /^\d{1,2}(\.\d{1,6})?$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/;

function isStorable(text: string): boolean {
  const [, integerDigits = "", decimals = ""] = DECIMAL.exec(text) ?? [];
  return integerDigits !== "" && integerDigits.length <= MAX_WHOLE_DIGITS && decimals.length <= MAX_DECIMALS;
}

/** @param currencyCodes the codes of all currencies. @returns the rate, or its errors, one sentence each. */
export function checkRate(input: RateInput, currencyCodes: ReadonlySet<string>): CheckedRate | string[] {
  const errors: string[] = [];
  for (const code of new Set([input.base, input.quote]))
    if (!currencyCodes.has(code))
      errors.push(code === "" ? "A currency code is missing." : `Unknown currency: ${code}.`);
  if (input.base === input.quote) errors.push("A rate needs two different currencies.");
  const spreadPercent = input.spreadPercent || "0";
  const rateIsRead = isStorable(input.rate) && Number(input.rate) >= MIN_RATE;
  if (!rateIsRead)
    errors.push(
      `The rate (${input.rate}) must be a decimal number from ${MIN_RATE.toFixed(9)} with up to ${MAX_WHOLE_DIGITS} digits before and ${MAX_DECIMALS} after the point.`,
    );
  if (!SPREAD.test(spreadPercent))
    errors.push(
      `The spread (${spreadPercent}) must be a percentage from 0 to less than 100 with up to 6 decimals.`,
    );
  else if (rateIsRead && !isPlainAfterSpread(input.rate, spreadPercent))
    errors.push(`The rate (${input.rate}) must be plain decimal text.`);
  const time = input.effectiveFrom ? readTime(input.effectiveFrom) : null;
  if (time === undefined)
    errors.push(`The time (${input.effectiveFrom}) must have the form 2026-12-01T00:00:00Z, with an offset.`);
  if (errors.length > 0 || time === undefined) return errors;
  return { base: input.base, quote: input.quote, rate: input.rate, spreadPercent, effectiveFrom: time };
}

function isPlainAfterSpread(rate: string, spreadPercent: string): boolean {
  try {
    rateAfterSpread(rate, spreadPercent);
    return true;
  } catch (error) {
    if (error instanceof RateError) return false;
    throw error;
  }
}

/** Returns undefined for text that is not a time, or for a day that does not exist. */
function readTime(text: string): Date | undefined {
  if (!TIME.test(text)) return undefined;
  const time = new Date(text);
  const day = text.slice(0, "2026-12-01".length);
  const sameDay = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(time.getTime()) || Number.isNaN(sameDay.getTime())) return undefined;
  return sameDay.toISOString().startsWith(day) ? time : undefined;
}

async function listCurrencyCodes({ database: { prisma } }: Context): Promise<Set<string>> {
  const currencies = await prisma.currency.findMany({ select: { code: true } });
  return new Set(currencies.map(({ code }) => code));
}

/** Adds a rate. Older rates remain for existing quotes and payments. @throws OperationError InvalidValue. */
export async function setRate(
  context: Context,
  input: Change & { mode: Mode } & RateInput,
): Promise<CheckedRate & { effectiveFrom: Date }> {
  const checked = checkRate(input, await listCurrencyCodes(context));
  if (Array.isArray(checked)) throw invalidValue(checked.join(" "));
  const { base, quote, rate, spreadPercent } = checked;
  const [written] = await writeRates(context, input, {
    mode: input.mode,
    rates: [checked],
    action: "rate.set",
    subject: `${base}/${quote}`,
    details: (from) => ({ rate, spread_percent: spreadPercent, effective_from: from(checked).toISOString() }),
  });
  if (!written) throw new Error("no exchange rate was written");
  return written;
}

const digestSchema = z.object({ sha256: z.string() });

type Rates = {
  mode: Mode;
  rates: readonly CheckedRate[];
  action: AuditAction;
  subject: string;
  /** `from` returns the time when a rate takes effect. */
  details: (from: (rate: CheckedRate) => Date) => Record<string, string | number>;
};

/** Writes all rates or none, with one audit record. */
async function writeRates(
  context: Context,
  input: Change,
  { mode, rates, action, subject, details }: Rates,
): Promise<(CheckedRate & { effectiveFrom: Date })[]> {
  return changeWithAudit(context, input, async (tx) => {
    const [clock] = parseRows(clockSchema, await tx.$queryRaw`SELECT clock_timestamp() AS now`);
    if (!clock) throw new Error("the database returned no time");
    const getStart = (rate: CheckedRate) => rate.effectiveFrom ?? clock.now;
    const written = rates.map((rate) => ({ ...rate, effectiveFrom: getStart(rate) }));
    await tx.exchangeRate.createMany({ data: written.map((rate) => ({ ...rate, mode })) });
    const [digest] = parseRows(
      digestSchema,
      await tx.$queryRaw`SELECT digest_of_rates(${mode}::mode) AS sha256`,
    );
    if (!digest) throw new Error("the database returned no digest");
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId: null,
      action,
      subject,
      details: { mode, ...details(getStart), rates_sha256: digest.sha256 },
    });
    return written;
  });
}

/** Limits of one file. */
const MAX_RATES = 10_000;
const MAX_CHARACTERS = 2_000_000;

const REQUIRED = ["base", "quote", "rate"] as const;
const COLUMNS = [...REQUIRED, "spread_percent", "effective_from"] as const;
type Column = (typeof COLUMNS)[number];

export type ImportedRates = { rates: (CheckedRate & { effectiveFrom: Date })[] };

/** Imports all lines or none. @throws OperationError InvalidValue; if lines are invalid, its `lines` describe each of them. */
export async function importRates(
  context: Context,
  input: Change & { mode: Mode; csv: string },
): Promise<ImportedRates> {
  const { mode, csv } = input;
  if (csv.length > MAX_CHARACTERS)
    throw invalidValue(`A file may have at most ${MAX_CHARACTERS} characters.`);
  const [header, ...records] = readRecords(csv);
  if (!header)
    throw invalidValue(`The file is empty. Its first line must name the columns: ${COLUMNS.join(",")}.`);
  const columns = readHeader(header);
  if (records.length === 0) throw invalidValue("The file has no rates.");
  if (records.length > MAX_RATES) throw invalidValue(`A file may have at most ${MAX_RATES} rates.`);
  const currencyCodes = await listCurrencyCodes(context);
  const errors: string[] = [];
  const rates: CheckedRate[] = [];
  const firstLines = new Map<string, number>();
  for (const { line, fields } of records) {
    const problems: string[] = [];
    if (fields.length !== columns.length)
      problems.push(
        `It has ${fields.length} ${fields.length === 1 ? "field" : "fields"}, but the header has ${columns.length}.`,
      );
    else {
      const checked = checkRate(describeRate(columns, fields), currencyCodes);
      if (Array.isArray(checked)) problems.push(...checked);
      else {
        const key = `${checked.base}/${checked.quote} ${checked.effectiveFrom?.toISOString() ?? "now"}`;
        const earlier = firstLines.get(key);
        if (earlier !== undefined) problems.push(`It repeats line ${earlier}: same currencies and time.`);
        firstLines.set(key, earlier ?? line);
        rates.push(checked);
      }
    }
    if (problems.length > 0) errors.push(`Line ${line}: ${problems.join(" ")}`);
  }
  if (errors.length > 0)
    throw errorWith(
      ErrorCode.InvalidValue,
      `${errors.length} of ${records.length} lines cannot be imported; nothing was written.`,
      errors,
    );
  const sha256 = createHash("sha256").update(csv).digest("hex");
  return {
    rates: await writeRates(context, input, {
      mode,
      rates,
      action: "rate.import",
      subject: sha256,
      details: () => ({ rates: rates.length, file_sha256: sha256 }),
    }),
  };
}

function readRecords(csv: string): CsvRecord[] {
  try {
    return parseCsv(csv);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalidValue(`Line ${error.line} ${error.message}.`);
  }
}

function readHeader({ fields }: CsvRecord): Column[] {
  const columns = fields.map((field) => {
    const column = COLUMNS.find((name) => name === field.toLowerCase());
    if (!column) throw invalidValue(`Unknown column ${field}. The columns are ${COLUMNS.join(", ")}.`);
    return column;
  });
  for (const name of REQUIRED)
    if (!columns.includes(name)) throw invalidValue(`The column ${name} is missing.`);
  if (new Set(columns).size < columns.length) throw invalidValue("A column appears twice.");
  return columns;
}

function describeRate(columns: readonly Column[], fields: readonly string[]) {
  const readColumn = (column: Column) => fields[columns.indexOf(column)] ?? "";
  return {
    base: readColumn("base").toUpperCase(),
    quote: readColumn("quote").toUpperCase(),
    rate: readColumn("rate"),
    spreadPercent: columns.includes("spread_percent") ? readColumn("spread_percent") : "",
    effectiveFrom: columns.includes("effective_from") ? readColumn("effective_from") : "",
  };
}
