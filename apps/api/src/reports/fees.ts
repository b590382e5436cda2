import { UTC } from "@tillgate/contract";
import { queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import type { MerchantScope } from "../identity/credentials/authenticate.js";
import { type MonthsPage, nextMonth, pageMonths, startOfMonth } from "./months.js";
import { listReportWallets } from "./wallet-days.js";

/** Fees charged before each of the times $3. A pending payout's fee is part of the money on hold, so it counts when the payout is completed. */
const FEES_AT = `
  SELECT a.currency, c.digits::int, array_agg(fees ORDER BY number) AS fees
  FROM (
    SELECT a.currency, asked.number, sum(totals.fees)::bigint AS fees FROM accounts a
    CROSS JOIN unnest($3::timestamptz[]) WITH ORDINALITY AS asked (at, number)
    CROSS JOIN LATERAL first_entry_since(a.id, asked.at) AS bound (entry) CROSS JOIN LATERAL totals_before(a.id, bound.entry) AS totals
    WHERE a.merchant_id = $1 AND a.mode = $2 AND a.kind IN ('merchant', 'hold') GROUP BY a.currency, asked.number) AS a
  JOIN currencies c ON c.code = a.currency GROUP BY a.currency, c.digits ORDER BY a.currency`;
const feesSchema = z.object({ currency: z.string(), digits: z.int(), fees: z.array(z.coerce.bigint()) });

const CLOSED = `
  SELECT coalesce(bool_and(period_is_closed(id, $3)), false) AS closed FROM accounts
  WHERE merchant_id = $1 AND mode = $2 AND kind IN ('merchant', 'hold')`;
const closedSchema = z.object({ closed: z.boolean() });

/** `fees` is in minor units. */
export type FeeTotal = { currency: string; digits: number; fees: bigint };
/** `totals` has only the currencies with fees. */
export type MonthFees = { month: string; number: string; totals: FeeTotal[] };

/** Returns a statement's number. Statements of different time zones contain different payouts, so they have different numbers. */
const numberOf = ({ merchantId, mode }: MerchantScope, month: string, timeZone: string): string =>
  [
    ...(mode === "sandbox" ? ["TEST"] : []),
    "FEES",
    month,
    merchantId.replaceAll("-", "").slice(0, 12),
    ...(timeZone === UTC ? [] : [timeZone.replaceAll("/", "-")]),
  ]
    .join("-")
    .toUpperCase();

/** Reads the fees of each month from one snapshot. The months must be consecutive. */
async function readMonths(
  { database: { pool } }: Context,
  scope: MerchantScope,
  { months, end }: Pick<MonthsPage, "months" | "end">,
  timeZone: string,
): Promise<MonthFees[]> {
  const times = [...months, end].map((month) => startOfMonth(month, timeZone));
  const currencies = await queryRows(pool, feesSchema, FEES_AT, [scope.merchantId, scope.mode, times]);
  return months.map((month, at) => ({
    month,
    number: numberOf(scope, month, timeZone),
    totals: currencies
      .map(({ fees, ...currency }) => ({ ...currency, fees: (fees[at + 1] ?? 0n) - (fees[at] ?? 0n) }))
      .filter(({ fees }) => fees !== 0n),
  }));
}

/** Lists months with fees, newest first. @param query.before the `next` of the previous page. */
export async function listFeeMonths(
  context: Context,
  scope: MerchantScope,
  query: { before?: string | undefined; timeZone: string },
): Promise<{ months: MonthFees[]; next: string | null }> {
  const starts = (await listReportWallets(context, scope)).flatMap(({ firstEntryAt }) => firstEntryAt ?? []);
  const first = starts.length === 0 ? null : new Date(Math.min(...starts.map(Number)));
  const { next, ...page } = pageMonths(first, query);
  const months = await readMonths(context, scope, page, query.timeZone);
  return { months: months.filter(({ totals }) => totals.length > 0).reverse(), next };
}

/** `closed` means that no more fees can be added to the month. */
export type FeeStatement = MonthFees & { startsAt: Date; endsAt: Date; closed: boolean };

export async function readFeeStatement(
  context: Context,
  scope: MerchantScope,
  { month, timeZone }: { month: string; timeZone: string },
): Promise<FeeStatement> {
  const { pool } = context.database;
  const end = nextMonth(month);
  const [startsAt, endsAt] = [startOfMonth(month, timeZone), startOfMonth(end, timeZone)];
  // Read before the fees, so that a month reported as closed is complete.
  const { closed } = await queryOneRow(pool, closedSchema, CLOSED, [scope.merchantId, scope.mode, endsAt]);
  const [fees] = await readMonths(context, scope, { months: [month], end }, timeZone);
  if (!fees) throw new Error("the query for a month's fees returned no rows");
  return { ...fees, startsAt, endsAt, closed };
}
