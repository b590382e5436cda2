import { HOME_DAYS } from "@tillgate/contract";
import { rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";

const sumSchema = z.object({
  day: z.string(),
  currency: z.string(),
  kind: z.enum(["order", "refund", "payout"]),
  amount: z.bigint(),
});
const countSchema = z.object({ status: z.string(), count: z.int() });

/** What of the counters a time since a day holds: with the changes that are not folded into them yet. */
const COUNTED = `merchant_id = $1 AND mode = $2`;
const SINCE = `(now() AT TIME ZONE 'UTC')::date - $3::int`;
/** Payments with all that became of them later, and what was given back or paid out for good. */
const MOVED = `((kind = 'order' AND status IN ('PAID', 'REFUND_PENDING', 'REFUNDED')) OR (kind <> 'order' AND status = 'completed'))`;

const SUMS = `
  SELECT day::text, currency, kind::text, sum(amount)::bigint AS amount FROM (
    SELECT day, currency, kind, amount FROM day_sums
    WHERE ${COUNTED} AND kind IN ('order', 'refund', 'payout') AND day >= ${SINCE} AND ${MOVED}
    UNION ALL SELECT (starts_at AT TIME ZONE 'UTC')::date, currency, kind, amount FROM count_deltas
    WHERE ${COUNTED} AND kind IN ('order', 'refund', 'payout') AND starts_at >= (${SINCE})::timestamp AT TIME ZONE 'UTC' AND ${MOVED}) AS changes
  GROUP BY 1, 2, 3 HAVING sum(amount) <> 0`;

const COUNTS = `
  SELECT status, sum(count)::int AS count FROM (
    SELECT status, count FROM day_counts WHERE ${COUNTED} AND kind = 'order' AND day >= ${SINCE}
    UNION ALL SELECT status, change FROM count_deltas
    WHERE ${COUNTED} AND kind = 'order' AND starts_at >= (${SINCE})::timestamp AT TIME ZONE 'UTC') AS changes
  GROUP BY 1`;

/** Minor units of one currency that came in and went out on one UTC day. */
export type DaySum = { day: string; payments: bigint; refunds: bigint; payouts: bigint };
export type Sums = { currency: string; days: DaySum[] };

const NAMES = { order: "payments", refund: "refunds", payout: "payouts" } as const;
const DAY_MS = 86_400_000;
const lastDays = (now: Date): string[] =>
  Array.from({ length: HOME_DAYS }, (_, ago) =>
    new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10),
  ).reverse();

/** What came in and went out on each of the last days, by currency. Reads counters only: some rows for each day. */
export async function readSums(
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<Sums[]> {
  const found = await rowsOf(pool, sumSchema, SUMS, [merchantId, mode, HOME_DAYS - 1]);
  const days = lastDays(new Date());
  return [...new Set(found.map(({ currency }) => currency))].sort().map((currency) => {
    const sums = new Map(
      days.map((day): [string, DaySum] => [day, { day, payments: 0n, refunds: 0n, payouts: 0n }]),
    );
    for (const row of found) {
      const sum = sums.get(row.day);
      if (sum && row.currency === currency) sum[NAMES[row.kind]] = row.amount;
    }
    return { currency, days: [...sums.values()] };
  });
}

/** How many orders of the last days are in each state. */
export async function readOrderCounts(
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<{ paid: number; expired: number; cancelled: number; pending: number }> {
  const found = await rowsOf(pool, countSchema, COUNTS, [merchantId, mode, HOME_DAYS - 1]);
  const of = (...states: string[]): number =>
    found.filter(({ status }) => states.includes(status)).reduce((sum, { count }) => sum + count, 0);
  return {
    paid: of("PAID", "REFUND_PENDING", "REFUNDED"),
    expired: of("EXPIRED"),
    cancelled: of("CANCELLED"),
    pending: of("PENDING"),
  };
}
