import type { Currency } from "@tillgate/money";
import type { Context } from "../context.js";

/**
 * A currency by its code, from the currency table. A currency's digits never change, so each is read once per process.
 * @returns undefined when there is no such currency.
 */
export async function findCurrency(context: Context, code: string): Promise<Currency | undefined> {
  const known = context.memory.currencies;
  const found = known.get(code);
  if (found) return found;
  const row = await context.database.prisma.currency.findUnique({
    where: { code },
    select: { code: true, digits: true },
  });
  if (row) known.set(code, row);
  return row ?? undefined;
}

/** Like {@link findCurrency} for a code that a row refers to. @throws Error when the table no longer has it. */
export async function currencyOf(context: Context, code: string): Promise<Currency> {
  const currency = await findCurrency(context, code);
  if (!currency) throw new Error(`currency ${code} is missing`);
  return currency;
}
