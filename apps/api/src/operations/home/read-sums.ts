import { dayAfter, dayOf, HOME_DAYS, startOfDay } from "@tillgate/contract";
import { rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import type { InTimeZone } from "../../readers/day-range.js";

const sumSchema = z.object({
  /** The number of the day, from 1. */
  day: z.int(),
  kind: z.enum(["order", "refund", "payout"]),
  status: z.string(),
  currency: z.string(),
  count: z.int(),
  amount: z.bigint(),
});

/** What was counted of a merchant since the first of some moments, by the moment that it follows: with what is not folded yet. */
const SUMS = `
  SELECT width_bucket(starts_at, $3::timestamptz[]) AS day, kind::text, status, currency, sum(count)::int AS count, sum(amount)::bigint AS amount FROM (
    SELECT starts_at, kind, status, currency, count, amount FROM quarter_hour_sums
    WHERE merchant_id = $1 AND mode = $2 AND kind IN ('order', 'refund', 'payout') AND starts_at >= ($3::timestamptz[])[1]
    UNION ALL SELECT starts_at, kind, status, currency, change, amount FROM count_deltas
    WHERE merchant_id = $1 AND mode = $2 AND kind IN ('order', 'refund', 'payout') AND starts_at >= ($3::timestamptz[])[1]) AS changes
  GROUP BY 1, 2, 3, 4 HAVING sum(count) <> 0 OR sum(amount) <> 0`;

/** Minor units of one currency that came in and went out on one day. */
export type DaySum = { day: string; payments: bigint; refunds: bigint; payouts: bigint };
export type Sums = { currency: string; days: DaySum[] };
export type OrderCounts = { paid: number; expired: number; cancelled: number; pending: number };

const NAMES = { order: "payments", refund: "refunds", payout: "payouts" } as const;
/** A payment, with all that became of it later. */
const PAID = ["PAID", "REFUND_PENDING", "REFUNDED"];

/**
 * What came in and went out on each of the last days of a time zone, by currency, and how many orders of these days are in each state.
 * Reads counters only: some rows for each quarter of an hour.
 */
export async function readSums(
  { database: { pool } }: Context,
  { merchantId, mode, timeZone }: InTimeZone<MerchantScope>,
): Promise<{ sums: Sums[]; orders: OrderCounts }> {
  const today = dayOf(new Date(), timeZone);
  const days = Array.from({ length: HOME_DAYS }, (_, place) => dayAfter(today, place + 1 - HOME_DAYS));
  const starts = days.map((day) => startOfDay(day, timeZone));
  const found = await rowsOf(pool, sumSchema, SUMS, [merchantId, mode, starts]);
  // What was given back or paid out counts for good only.
  const moved = found.filter(({ kind, status }) =>
    kind === "order" ? PAID.includes(status) : status === "completed",
  );
  const sums = [...new Set(moved.map(({ currency }) => currency))].sort().map((currency) => {
    const ofDays = days.map((day): DaySum => ({ day, payments: 0n, refunds: 0n, payouts: 0n }));
    for (const row of moved) {
      const sum = ofDays[row.day - 1];
      if (sum && row.currency === currency) sum[NAMES[row.kind]] += row.amount;
    }
    return { currency, days: ofDays };
  });
  const of = (...states: string[]): number =>
    found
      .filter(({ kind, status }) => kind === "order" && states.includes(status))
      .reduce((sum, { count }) => sum + count, 0);
  return {
    sums,
    orders: { paid: of(...PAID), expired: of("EXPIRED"), cancelled: of("CANCELLED"), pending: of("PENDING") },
  };
}
