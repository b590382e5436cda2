import { Prisma } from "@tillgate/database";
import type { Context } from "../context.js";

/** Bounds of an amount in units of each row's own currency, as decimal texts. */
export type AmountRange = { min_amount?: string | undefined; max_amount?: string | undefined };

/**
 * Bounds of an amount as conditions on a row: minor units differ by the digits of its currency.
 * @param columns the row's amount in minor units, and its currency.
 */
export async function amountFilters(
  { database: { prisma } }: Context,
  { min_amount: min, max_amount: max }: AmountRange,
  { amount, currency }: { amount: Prisma.Sql; currency: Prisma.Sql },
): Promise<Prisma.Sql[]> {
  if (min === undefined && max === undefined) return [];
  const currencies = await prisma.currency.findMany({ select: { code: true, digits: true } });
  const digitsInUse = [...new Set(currencies.map(({ digits }) => digits))];
  const bound = (units: string, digits: number) => Prisma.sql`${units}::numeric * ${10 ** digits}::int`;
  const ranges = digitsInUse.map((digits) => {
    const codes = currencies.filter((one) => one.digits === digits).map(({ code }) => code);
    return Prisma.sql`(${currency} = ANY(${codes})
      ${min === undefined ? Prisma.empty : Prisma.sql`AND ${amount} >= ${bound(min, digits)}`}
      ${max === undefined ? Prisma.empty : Prisma.sql`AND ${amount} <= ${bound(max, digits)}`})`;
  });
  return [Prisma.sql`(${Prisma.join(ranges, " OR ")})`];
}
