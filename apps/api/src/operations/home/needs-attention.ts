import { consoleAttentionSchema } from "@tillgate/contract";
import { rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";

/** The most entries of one kind. */
const MAX_OF_KIND = 10;
/** So many of the newest entries of the timeline are looked at for payments whose webhook was given up, and so many days. */
const MAX_ENTRIES = 200;
const GIVEN_UP_DAYS = 7;
/** So many of the newest paid orders are looked at for those whose webhook is still tried after so many minutes. */
const MAX_PAID = 100;
const LATE_MINUTES = 5;
/** From which part of a limit on it is nearly reached, in percent. */
const NEARLY_PERCENT = 80;

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

/** Every part enters an index by merchant and mode, and takes a few rows of it. */
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
   WHERE merchant_id = $1 AND mode = $2 AND removed_at IS NULL AND previous_secret_expires_at > now() ORDER BY previous_secret_expires_at LIMIT $3)`;

/** What a merchant's people should look at now, by kind. */
export const needsAttention = (
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<Attention[]> =>
  rowsOf(pool, attentionSchema, ATTENTION, [
    merchantId,
    mode,
    MAX_OF_KIND,
    MAX_ENTRIES,
    GIVEN_UP_DAYS,
    NEARLY_PERCENT,
    MAX_PAID,
    LATE_MINUTES,
  ]);
