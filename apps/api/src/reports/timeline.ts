import { consoleEntryKindSchema } from "@tillgate/contract";
import { queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import type { MerchantScope } from "../identity/credentials/authenticate.js";

const MAX_ENTRIES = 500;

/** An order's timeline includes its refunds. */
export type TimelineSubject = { orderId: string } | { refundId: string } | { payoutId: string };

const line = z.object({ account: z.string(), amount: z.string(), currency: z.string() });
const entrySchema = z.object({
  at: z.date(),
  kind: consoleEntryKindSchema,
  id: z.string(),
  requestId: z.string().nullable(),
  clientId: z.string().nullable(),
  user: z.string().nullable(),
  action: z.string().nullable(),
  reason: z.string().nullable(),
  amount: z.bigint().nullable(),
  currency: z.string().nullable(),
  lines: z.array(line).nullable(),
  event: z.string().nullable(),
  address: z.string().nullable(),
  status: z.string().nullable(),
  attempt: z.int().nullable(),
  httpStatus: z.int().nullable(),
  errorKind: z.string().nullable(),
  answerStart: z.string().nullable(),
  latencyMs: z.int().nullable(),
});
/** Amounts in minor units of `currency`. */
export type TimelineEntry = z.output<typeof entrySchema>;

/**
 * Reads the whole timeline in one statement. Every part is an index lookup by IDs that earlier parts found, row by row (LATERAL), so that
 * no plan scans a table. A transfer comes after the change that it was booked for, although the transaction books it first. An API call,
 * which is logged at its end, comes before its effects. Administrators appear without names, because the merchant's users read this.
 */
const TIMELINE = `
  WITH o AS MATERIALIZED (SELECT * FROM orders WHERE id = $1 AND merchant_id = $4 AND mode = $5),
  r AS MATERIALIZED (
    SELECT * FROM (SELECT * FROM refunds WHERE order_id IN (SELECT id FROM o) ORDER BY created_at DESC, id DESC LIMIT $6) AS of_order
    UNION ALL SELECT * FROM refunds WHERE id = $2 AND merchant_id = $4 AND mode = $5),
  p AS MATERIALIZED (SELECT * FROM payouts WHERE id = $3 AND merchant_id = $4 AND mode = $5),
  e AS MATERIALIZED (
    SELECT id, name, created_at FROM (
      SELECT id, name, created_at FROM events WHERE order_id IN (SELECT id FROM o) ORDER BY turn DESC LIMIT $6) AS of_order
    UNION SELECT v.id, v.name, v.created_at FROM r CROSS JOIN LATERAL (SELECT * FROM events WHERE refund_id = r.id LIMIT $6) AS v
    UNION SELECT v.id, v.name, v.created_at FROM p CROSS JOIN LATERAL (SELECT * FROM events WHERE payout_id = p.id LIMIT $6) AS v),
  d AS MATERIALIZED (SELECT d.*, e.name FROM e CROSS JOIN LATERAL (SELECT * FROM deliveries WHERE event_id = e.id LIMIT $6) AS d),
  t AS MATERIALIZED (SELECT t.id, t.kind, greatest(t.created_at, moved.decided_at) AS created_at FROM (
      SELECT transfer_id, paid_at FROM o UNION ALL SELECT transfer_id, settled_at FROM r UNION ALL SELECT hold_transfer_id, created_at FROM r
      UNION ALL SELECT transfer_id, processed_at FROM p UNION ALL SELECT hold_transfer_id, created_at FROM p) AS moved (transfer_id, decided_at)
    CROSS JOIN LATERAL (SELECT * FROM transfers WHERE id = moved.transfer_id LIMIT 1) AS t),
  it AS MATERIALIZED (SELECT id FROM o UNION ALL SELECT id FROM r UNION ALL SELECT id FROM p),
  entries_of AS (
    SELECT created_at AS at, 10 AS place, 'order.created' AS kind, o.id, create_request_id AS request_id,
      (SELECT client_id FROM credentials c WHERE c.id = o.credential_id) AS client_id, NULL::text AS by_user, NULL::text AS action,
      description AS reason, amount, currency::text, NULL::json AS lines, NULL::text AS event, NULL::text AS address, NULL::text AS status,
      NULL::int AS attempt, NULL::int AS http_status, NULL::text AS error_kind, NULL::text AS answer_start, NULL::int AS latency_ms FROM o
    UNION ALL SELECT paid_at, 20, 'order.paid', id, pay_request_id, NULL, NULL,
      CASE WHEN EXISTS (SELECT FROM payment_confirmations WHERE order_id = o.id) THEN 'passkey' END, NULL, amount, currency::text,
      NULL, NULL, NULL, trx_id, NULL, NULL, NULL, NULL, NULL FROM o WHERE paid_at IS NOT NULL
    UNION ALL SELECT created_at, 20, replace(name, 'pos.', ''), (SELECT id FROM o),
      CASE name WHEN 'pos.order.cancelled' THEN (SELECT cancel_request_id FROM o) END, NULL, NULL, NULL, NULL, NULL, NULL,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM e WHERE name IN ('pos.order.cancelled', 'pos.order.expired', 'pos.order.refunded') AND EXISTS (SELECT FROM o)
    UNION ALL SELECT created_at, 10, 'refund.created', id, request_id, (SELECT client_id FROM credentials c WHERE c.id = r.credential_id), NULL, NULL, reason, amount, currency::text,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM r
    UNION ALL SELECT settled_at, 20, 'refund.' || status, id, NULL, NULL, NULL, NULL, NULL, amount, currency::text,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM r WHERE settled_at IS NOT NULL
    UNION ALL SELECT created_at, 10, 'payout.created', id, NULL, NULL, NULL, NULL, description, amount, sender_currency::text,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM p
    UNION ALL SELECT processed_at, 20, 'payout.' || status, id, NULL, NULL, NULL, NULL, NULL, amount, sender_currency::text,
      NULL, NULL, NULL, trx_id, NULL, NULL, NULL, NULL, NULL FROM p WHERE processed_at IS NOT NULL
    UNION ALL SELECT t.created_at, 30, 'transfer', t.id::text, NULL, NULL, NULL, t.kind::text, NULL, NULL, NULL,
      (SELECT json_agg(json_build_object('account', a.kind, 'amount', n.amount::text, 'currency', n.currency) ORDER BY n.id)
        FROM entries n JOIN accounts a ON a.id = n.account_id WHERE n.transfer_id = t.id),
      NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM t
    UNION ALL SELECT created_at, 40, 'event', id, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      NULL, name, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM e
    UNION ALL SELECT created_at, 50, 'delivery', id::text, NULL, NULL, NULL, NULL, given_up_because, NULL, NULL,
      NULL, name, address, status::text, attempt_count, NULL, NULL, NULL, NULL FROM d
    UNION ALL SELECT n.started_at, 60, 'attempt', d.id::text, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      NULL, d.name, d.address, NULL, n.number, n.http_status, n.error_kind, n.answer_start, n.latency_ms
      FROM d CROSS JOIN LATERAL (SELECT * FROM attempts WHERE delivery_id = d.id ORDER BY number DESC LIMIT $7) AS n
    UNION ALL SELECT a.created_at, 5, 'action', a.subject, a.details::json ->> 'request_id', NULL,
      CASE WHEN u.role = 'merchant' THEN a.administrator END, a.action, a.details::json ->> 'reason', NULL, NULL,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM it CROSS JOIN LATERAL (SELECT * FROM audit_records WHERE subject = it.id AND merchant_id = $4 LIMIT $6) AS a
      JOIN console_users u ON u.id = a.administrator_id
    UNION ALL SELECT q.at - q.duration_ms * interval '1 millisecond', 1, 'request', q.id::text, q.request_id, (SELECT client_id FROM credentials c WHERE c.id = q.credential_id AND c.merchant_id = $4),
      NULL, q.method || ' ' || q.path, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, q.status, q.error_code, NULL, q.duration_ms
      FROM it CROSS JOIN LATERAL (SELECT * FROM api_requests WHERE about = it.id AND method <> 'GET' AND merchant_id = $4 AND mode = $5
        ORDER BY id DESC LIMIT $7) AS q)
  SELECT at, kind, id, request_id AS "requestId", client_id AS "clientId", by_user AS user, action, reason, amount, currency, lines, event,
    address, status, attempt, http_status AS "httpStatus", error_kind AS "errorKind", answer_start AS "answerStart", latency_ms AS "latencyMs"
  FROM entries_of ORDER BY at DESC, place DESC, id DESC, attempt DESC LIMIT $6`;

/** Maximum attempts of one delivery, and calls about one ID. */
const MAX_OF_ONE = 50;

/** Reads the newest {@link MAX_ENTRIES} entries, oldest first; none for another merchant's object. Events and deliveries are pruned after a while. */
export async function readTimeline(
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
  subject: TimelineSubject,
): Promise<{ entries: TimelineEntry[]; more: boolean }> {
  const rows = await queryRows(pool, entrySchema, TIMELINE, [
    "orderId" in subject ? subject.orderId : null,
    "refundId" in subject ? subject.refundId : null,
    "payoutId" in subject ? subject.payoutId : null,
    merchantId,
    mode,
    MAX_ENTRIES + 1,
    MAX_OF_ONE,
  ]);
  return { entries: rows.slice(0, MAX_ENTRIES).reverse(), more: rows.length > MAX_ENTRIES };
}
