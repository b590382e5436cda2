import { addDays, consoleAttentionSchema, HOME_DAYS, startOfDay, toLocalDay } from "@tillgate/contract";
import { queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import type { MerchantScope } from "../identity/credentials/authenticate.js";
import type { InTimeZone } from "../pagination/filters.js";
import { KEY_WORKS, OVERDUE, SHOP_ID, SHOP_TITLE } from "./comparisons/list.js";

/** Maximum items found by each part of the query, except payout limits, which are few. */
const MAX_OF_KIND = 10;
/** Number of newest timeline entries, and of days, that are scanned for payments whose webhook was abandoned. */
const MAX_ENTRIES = 200;
const ABANDONED_DAYS = 7;
/** Number of newest paid orders that are scanned for webhooks still being retried after {@link LATE_MINUTES}. */
const MAX_PAID = 100;
const LATE_MINUTES = 5;
/** Usage from which a limit counts as nearly reached, in percent. */
const NEAR_LIMIT_PERCENT = 80;

const attentionSchema = z.object({
  kind: consoleAttentionSchema.shape.kind,
  id: z.string(),
  title: z.string().nullable(),
  amount: z.bigint().nullable(),
  currency: z.string().nullable(),
  at: z.date().nullable(),
});
/** Amounts in minor units. */
export type Attention = z.output<typeof attentionSchema>;

/** Every part reads a few rows of an index by merchant and mode; a merchant has few shops. */
const ATTENTION = `
  (SELECT CASE WHEN disabled_at IS NULL THEN 'endpoint_failing' ELSE 'endpoint_disabled' END AS kind, id::text, address AS title,
     NULL::bigint AS amount, NULL::text AS currency, coalesce(disabled_at, failing_since) AS at
   FROM receivers WHERE merchant_id = $1 AND mode = $2 AND removed_at IS NULL AND (disabled_at IS NOT NULL OR failures_in_row > 0)
   ORDER BY 6 LIMIT $3)
  UNION ALL
  (SELECT 'payment_not_delivered', o.id, o.reference, o.amount, o.currency::text, o.paid_at
   FROM (SELECT * FROM orders WHERE merchant_id = $1 AND mode = $2 AND state = 'PAID' ORDER BY created_at DESC, id DESC LIMIT $7) AS o
   CROSS JOIN LATERAL (SELECT id FROM events WHERE order_id = o.id AND name = 'pos.order.paid' LIMIT 1) AS e
   CROSS JOIN LATERAL (SELECT count(*) AS sent, count(*) FILTER (WHERE status = 'delivered') AS arrived,
     count(*) FILTER (WHERE status = 'failed') AS given_up FROM deliveries WHERE event_id = e.id) AS d
   WHERE d.sent > 0 AND d.arrived = 0 AND d.given_up = 0 AND o.paid_at < now() - make_interval(mins => $8)
   ORDER BY o.paid_at DESC LIMIT $3)
  UNION ALL
  (SELECT DISTINCT ON (o.id) 'payment_not_delivered', o.id, o.reference, o.amount, o.currency::text, t.created_at
   FROM (SELECT * FROM timeline_entries WHERE merchant_id = $1 AND mode = $2 ORDER BY id DESC LIMIT $4) AS t
   JOIN deliveries d ON d.id = (t.details ->> 'delivery_id')::uuid AND d.status = 'failed'
   JOIN orders o ON o.id = t.details ->> 'order_id'
   WHERE t.kind = 'delivery.given_up' AND t.details ->> 'event' = 'pos.order.paid' AND t.created_at > now() - make_interval(days => $5)
   ORDER BY o.id, t.id DESC LIMIT $3)
  UNION ALL
  (SELECT 'refund_waiting', id, reference, amount, currency::text, created_at FROM refunds
   WHERE merchant_id = $1 AND mode = $2 AND status = 'pending' ORDER BY created_at DESC, id DESC LIMIT $3)
  UNION ALL
  (SELECT 'payout_waiting', id, reference, amount, sender_currency::text, created_at FROM payouts
   WHERE merchant_id = $1 AND mode = $2 AND status = 'pending' ORDER BY created_at DESC, id DESC LIMIT $3)
  UNION ALL
  SELECT 'limit_nearly_reached', u.period::text, NULL, u.amount, u.currency::text, NULL
  FROM payout_terms t JOIN payout_usage u USING (merchant_id, mode, currency)
  WHERE t.merchant_id = $1 AND t.mode = $2 AND u.starts_on = date_trunc(u.period::text, now() AT TIME ZONE 'UTC')::date
    AND u.amount * 100 >= CASE u.period WHEN 'day' THEN t.daily ELSE t.monthly END * $6::bigint
  UNION ALL
  (SELECT 'credential_ending', id::text, client_id, NULL, NULL, expires_at FROM credentials
   WHERE merchant_id = $1 AND mode = $2 AND revoked_at IS NULL AND expires_at > now() ORDER BY expires_at LIMIT $3)
  UNION ALL
  (SELECT 'endpoint_secret_ending', id::text, address, NULL, NULL, previous_secret_expires_at FROM receivers
   WHERE merchant_id = $1 AND mode = $2 AND removed_at IS NULL AND previous_secret_expires_at > now() ORDER BY previous_secret_expires_at LIMIT $3)
  UNION ALL
  (SELECT 'shop_differs', ${SHOP_ID}, ${SHOP_TITLE}, NULL, NULL, NULL FROM shop_comparisons s
   WHERE s.merchant_id = $1 AND s.mode = $2 AND ${KEY_WORKS}
     AND EXISTS (SELECT FROM shop_differences d WHERE d.merchant_id = s.merchant_id AND d.mode = s.mode AND d.site = s.site)
   ORDER BY s.site LIMIT $3)
  UNION ALL
  (SELECT 'shop_not_compared', ${SHOP_ID}, ${SHOP_TITLE}, NULL, NULL, s.completed_at FROM shop_comparisons s
   WHERE s.merchant_id = $1 AND s.mode = $2 AND ${OVERDUE} ORDER BY s.completed_at NULLS FIRST LIMIT $3)`;

export const listAttention = (
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<Attention[]> =>
  queryRows(pool, attentionSchema, ATTENTION, [
    merchantId,
    mode,
    MAX_OF_KIND,
    MAX_ENTRIES,
    ABANDONED_DAYS,
    NEAR_LIMIT_PERCENT,
    MAX_PAID,
    LATE_MINUTES,
  ]);

const sumSchema = z.object({
  /** Index of the day, starting at 1. */
  day: z.int(),
  kind: z.enum(["order", "refund", "payout"]),
  status: z.string(),
  currency: z.string(),
  count: z.int(),
  amount: z.bigint(),
});

/** Refunds and payouts that waited for approval and were completed since the first day: the newest entries of each hold. */
const SETTLED = `
  SELECT held.* FROM accounts a
  CROSS JOIN LATERAL first_entry_since(a.id, ($3::timestamptz[])[1]) AS bound (entry)
  CROSS JOIN LATERAL (
    SELECT transfer_id FROM entries WHERE (account_id, id) >= (a.id, bound.entry) AND (account_id, id) < (a.id, 9223372036854775807)
    ORDER BY account_id, id OFFSET 0) AS n
  CROSS JOIN LATERAL (
    SELECT 'refund' AS kind, created_at, settled_at, currency, amount FROM refunds WHERE transfer_id = n.transfer_id AND status = 'completed'
    UNION ALL SELECT 'payout', created_at, processed_at, sender_currency, amount FROM payouts
      WHERE transfer_id = n.transfer_id AND status = 'completed') AS held
  WHERE a.merchant_id = $1 AND a.mode = $2 AND a.kind = 'hold'`;

/** `$3`: ascending start times of the days. Counters are dated by creation; {@link SETTLED} moves late approvals to the time their money moved. */
const SUMS = `
  SELECT width_bucket(starts_at, $3::timestamptz[]) AS day, kind::text, status, currency, sum(count)::int AS count, sum(amount)::bigint AS amount FROM (
    SELECT starts_at, kind::text, status, currency, count, amount FROM quarter_hour_sums
    WHERE merchant_id = $1 AND mode = $2 AND kind IN ('order', 'refund', 'payout') AND starts_at >= ($3::timestamptz[])[1]
    UNION ALL SELECT starts_at, kind::text, status, currency, change, amount FROM count_deltas
    WHERE merchant_id = $1 AND mode = $2 AND kind IN ('order', 'refund', 'payout') AND starts_at >= ($3::timestamptz[])[1]
    UNION ALL SELECT moved.at, kind, 'completed', currency, moved.count, moved.count * amount FROM (${SETTLED}) AS settled
    CROSS JOIN LATERAL (VALUES (settled_at, 1), (created_at, -1)) AS moved (at, count) WHERE moved.at >= ($3::timestamptz[])[1]) AS changes
  GROUP BY 1, 2, 3, 4 HAVING sum(count) <> 0 OR sum(amount) <> 0`;

/** Minor units: paid orders created on the day, and refunds and payouts whose money moved on that day. */
export type DaySum = { day: string; payments: bigint; refunds: bigint; payouts: bigint };
export type Sums = { currency: string; days: DaySum[] };
export type OrderCounts = { paid: number; expired: number; cancelled: number; pending: number };

const NAMES = { order: "payments", refund: "refunds", payout: "payouts" } as const;
/** Statuses of a paid order, whether or not it was refunded later. */
const PAID = ["PAID", "REFUND_PENDING", "REFUNDED"];

/** Sums the last {@link HOME_DAYS} days. Reads only counters, a few rows per quarter of an hour, and refunds and payouts approved on these days. */
export async function readSums(
  { database: { pool } }: Context,
  { merchantId, mode, timeZone }: InTimeZone<MerchantScope>,
): Promise<{ sums: Sums[]; orders: OrderCounts }> {
  const today = toLocalDay(new Date(), timeZone);
  const days = Array.from({ length: HOME_DAYS }, (_, index) => addDays(today, index + 1 - HOME_DAYS));
  const starts = days.map((day) => startOfDay(day, timeZone));
  const counts = await queryRows(pool, sumSchema, SUMS, [merchantId, mode, starts]);
  // Refunds and payouts count only once they are final.
  const relevantCounts = counts.filter(({ kind, status }) =>
    kind === "order" ? PAID.includes(status) : status === "completed",
  );
  const sums = [...new Set(relevantCounts.map(({ currency }) => currency))].sort().map((currency) => {
    const ofDays = days.map((day): DaySum => ({ day, payments: 0n, refunds: 0n, payouts: 0n }));
    for (const row of relevantCounts) {
      const sum = ofDays[row.day - 1];
      if (sum && row.currency === currency) sum[NAMES[row.kind]] += row.amount;
    }
    return { currency, days: ofDays };
  });
  const countWithStatus = (...states: string[]): number =>
    counts
      .filter(({ kind, status }) => kind === "order" && states.includes(status))
      .reduce((sum, { count }) => sum + count, 0);
  return {
    sums,
    orders: {
      paid: countWithStatus(...PAID),
      expired: countWithStatus("EXPIRED"),
      cancelled: countWithStatus("CANCELLED"),
      pending: countWithStatus("PENDING"),
    },
  };
}

const stepsSchema = z.object({
  key: z.boolean(),
  client_id: z.string().nullable(),
  endpoint: z.boolean(),
  order: z.boolean(),
  order_id: z.string().nullable(),
  order_payable: z.boolean(),
  paid: z.boolean(),
  delivered: z.boolean(),
});
export type SetupSteps = z.output<typeof stepsSchema>;

/** Number of newest paid orders that are scanned for a delivered webhook. */
const MAX_SCANNED = 20;

/** Newest first with a limit, which needs only an index lookup, regardless of the number of orders. */
const NEWEST = "ORDER BY created_at DESC, id DESC LIMIT";

const STEPS = `
  SELECT
    own.client_id IS NOT NULL AS key, own.client_id,
    EXISTS (SELECT FROM receivers WHERE merchant_id = $1 AND mode = $2 AND removed_at IS NULL AND coalesce(verified_at, last_success_at) IS NOT NULL) AS endpoint,
    latest.id IS NOT NULL AS order, latest.id AS order_id,
    coalesce(latest.state = 'PENDING' AND latest.expires_at > now(), false) AS order_payable,
    EXISTS (SELECT FROM unnest('{PAID,REFUND_PENDING,REFUNDED}'::order_state[]) AS is_paid (state) CROSS JOIN LATERAL
      (SELECT FROM orders WHERE merchant_id = $1 AND mode = $2 AND state = is_paid.state ${NEWEST} 1) AS paid) AS paid,
    EXISTS (
      SELECT FROM (SELECT id FROM orders WHERE merchant_id = $1 AND mode = $2 AND state = 'PAID' ${NEWEST} $3) AS o
      CROSS JOIN LATERAL (SELECT id FROM events WHERE order_id = o.id AND name = 'pos.order.paid' LIMIT 1) AS e
      CROSS JOIN LATERAL (SELECT FROM deliveries WHERE event_id = e.id AND status = 'delivered' LIMIT 1) AS d) AS delivered
  FROM (SELECT 1) AS one LEFT JOIN LATERAL (
    SELECT client_id FROM credentials WHERE merchant_id = $1 AND mode = $2 AND kind = 'client' AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > now()) ORDER BY created_at DESC LIMIT 1) AS own ON true
  LEFT JOIN LATERAL (SELECT id, state, expires_at FROM orders WHERE merchant_id = $1 AND mode = $2 ${NEWEST} 1) AS latest ON true`;

export const readSetupSteps = (
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<SetupSteps> => queryOneRow(pool, stepsSchema, STEPS, [merchantId, mode, MAX_SCANNED]);
