import type { AuditAction, Mode } from "@tillgate/contract";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { invalidValue } from "../../operation-error.js";
import { clockSchema } from "../../readers/database-clock.js";
import type { Change } from "./administrator.js";
import { change, recordChange } from "./change.js";
import { type CheckedRate, checkRate, type SaidRate } from "./check-rate.js";

/** The codes of the currency table. */
export async function knownCodes({ database: { prisma } }: Context): Promise<Set<string>> {
  const currencies = await prisma.currency.findMany({ select: { code: true } });
  return new Set(currencies.map(({ code }) => code));
}

/**
 * Sets one exchange rate from a time on. Older rates stay: existing quotes and payments keep them.
 * @throws OperationError InvalidValue.
 */
export async function setRate(
  context: Context,
  input: Change & { mode: Mode } & SaidRate,
): Promise<CheckedRate & { effectiveFrom: Date }> {
  const checked = checkRate(input, await knownCodes(context));
  if (Array.isArray(checked)) throw invalidValue(checked.join(" "));
  const { base, quote, rate, spreadPercent } = checked;
  const [written] = await writeRates(context, input, {
    mode: input.mode,
    rates: [checked],
    action: "rate.set",
    subject: `${base}/${quote}`,
    details: (from) => ({ rate, spread_percent: spreadPercent, effective_from: from(checked).toISOString() }),
  });
  if (!written) throw new Error("one rate was to be written");
  return written;
}

const digestSchema = z.object({ sha256: z.string() });

type Rates = {
  mode: Mode;
  rates: readonly CheckedRate[];
  action: AuditAction;
  subject: string;
  /** Of the audit record; `from` is the time when a rate takes effect. */
  details: (from: (rate: CheckedRate) => Date) => Record<string, string | number>;
};

/** Writes rates and one audit record, all or none. */
export async function writeRates(
  context: Context,
  input: Change,
  { mode, rates, action, subject, details }: Rates,
): Promise<(CheckedRate & { effectiveFrom: Date })[]> {
  return change(context, input, async (tx) => {
    const [clock] = parseRows(clockSchema, await tx.$queryRaw`SELECT clock_timestamp() AS now`);
    if (!clock) throw new Error("the database told no time");
    const from = (rate: CheckedRate) => rate.effectiveFrom ?? clock.now;
    const written = rates.map((rate) => ({ ...rate, effectiveFrom: from(rate) }));
    await tx.exchangeRate.createMany({ data: written.map((rate) => ({ ...rate, mode })) });
    const [digest] = parseRows(
      digestSchema,
      await tx.$queryRaw`SELECT digest_of_rates(${mode}::mode) AS sha256`,
    );
    if (!digest) throw new Error("the database told no digest");
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId: null,
      action,
      subject,
      details: { mode, ...details(from), rates_sha256: digest.sha256 },
    });
    return written;
  });
}
