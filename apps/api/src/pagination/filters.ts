import { addDays, startOfDay, UTC } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import type { Context } from "../context.js";

/** Inclusive range of whole days, as `YYYY-MM-DD`, in a time zone or UTC. */
export type DayRange = {
  from_date?: string | undefined;
  to_date?: string | undefined;
  timeZone?: string | undefined;
};

export type InTimeZone<Query> = Query & { timeZone: string };

export function toCreatedRange({ from_date, to_date, timeZone = UTC }: DayRange): { gte?: Date; lt?: Date } {
  return {
    ...(from_date ? { gte: startOfDay(from_date, timeZone) } : {}),
    ...(to_date ? { lt: startOfDay(addDays(to_date), timeZone) } : {}),
  };
}

/** A currency, and bounds of an amount in major units of each row's currency, as decimal text. */
export type MoneyFilter = {
  currency?: string | undefined;
  min_amount?: string | undefined;
  max_amount?: string | undefined;
};

/** Returns SQL conditions for a currency and bounds of an amount. @param currency the row's currency column. */
export async function parseMoneyFilters(
  { database: { prisma } }: Context,
  { currency: code, min_amount: min, max_amount: max }: MoneyFilter,
  currency: Prisma.Sql,
): Promise<Prisma.Sql[]> {
  const ofCurrency = code === undefined ? [] : [Prisma.sql`${currency} = ${code}`];
  if (min === undefined && max === undefined) return ofCurrency;
  const currencies = await prisma.currency.findMany({ select: { code: true, digits: true } });
  const bound = (units: string, digits: number) => Prisma.sql`${units}::numeric * ${10 ** digits}::int`;
  const ranges = [...new Set(currencies.map(({ digits }) => digits))].map((digits) => {
    const codes = currencies
      .filter((candidate) => candidate.digits === digits)
      .map((candidate) => candidate.code);
    return Prisma.sql`(${currency} = ANY(${codes})
      ${min === undefined ? Prisma.empty : Prisma.sql`AND amount >= ${bound(min, digits)}`}
      ${max === undefined ? Prisma.empty : Prisma.sql`AND amount <= ${bound(max, digits)}`})`;
  });
  return [...ofCurrency, Prisma.sql`(${Prisma.join(ranges, " OR ")})`];
}
