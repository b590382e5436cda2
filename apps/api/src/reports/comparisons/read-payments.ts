import { orderStatusSchema } from "@tillgate/contract";
import { inTransaction, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import type { CompletedRefund, Payment } from "./compare-order.js";
import { comparisonRules } from "./rules.js";

const paymentRow = z.object({
  id: z.string(),
  status: orderStatusSchema,
  amount: z.bigint(),
  refunded: z.bigint(),
  currency: z.string(),
  digits: z.int(),
  trxId: z.string().nullable(),
  isFresh: z.boolean(),
});

/** A pending order past its expiry is EXPIRED, even if no worker has expired it yet. LATERAL with LIMIT forces an index lookup per order. */
const PAYMENTS = `
  SELECT o.id, o.status, o.amount, o.refunded, o.currency, c.digits::int, o.trx_id AS "trxId",
    coalesce(clock_timestamp() - CASE o.status
      WHEN 'EXPIRED' THEN o.expires_at
      WHEN 'CANCELLED' THEN (SELECT created_at FROM events WHERE order_id = o.id AND name = 'pos.order.cancelled' LIMIT 1)
      ELSE o.paid_at END < make_interval(secs => $4), false) AS "isFresh"
  FROM unnest($3::text[]) AS sent (id)
  CROSS JOIN LATERAL (
    SELECT id, amount, refunded, currency, trx_id, paid_at, expires_at, CASE WHEN state = 'PENDING' AND expires_at <= clock_timestamp() THEN 'EXPIRED' ELSE state::text END AS status
    FROM orders WHERE id = sent.id AND merchant_id = $1 AND mode = $2 LIMIT 1) AS o
  JOIN currencies c ON c.code = o.currency`;

const refundRow = z.object({
  id: z.string(),
  orderId: z.string(),
  amount: z.bigint(),
  reference: z.string().nullable(),
  isFresh: z.boolean(),
});

/** OFFSET forces an index lookup per order. */
const COMPLETED_REFUNDS = `
  SELECT r.id, r.order_id AS "orderId", r.amount, r.reference,
    clock_timestamp() - r.created_at < make_interval(secs => $4) AS "isFresh"
  FROM unnest($3::text[]) AS refunded (order_id)
  CROSS JOIN LATERAL (
    SELECT id, order_id, amount, reference, created_at FROM refunds
    WHERE order_id = refunded.order_id AND merchant_id = $1 AND mode = $2 AND status = 'completed' OFFSET 0) AS r
  ORDER BY r.created_at DESC, r.id DESC`;

/** Reads orders and their refunds in one snapshot. Omits unknown orders and orders of another merchant or mode. @returns the payments by order ID. */
export function readPayments(
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
  orderIds: readonly string[],
): Promise<Map<string, Payment>> {
  return inTransaction(pool, async (connection) => {
    await connection.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    const values = (ids: readonly string[]) => [merchantId, mode, ids, comparisonRules.freshSeconds];
    const payments = await queryRows(connection, paymentRow, PAYMENTS, values(orderIds));
    const refundedIds = payments.filter(({ refunded }) => refunded > 0n).map(({ id }) => id);
    const refunds = new Map<string, CompletedRefund[]>(refundedIds.map((id) => [id, []]));
    if (refundedIds.length > 0)
      for (const { orderId, ...refund } of await queryRows(
        connection,
        refundRow,
        COMPLETED_REFUNDS,
        values(refundedIds),
      ))
        refunds.get(orderId)?.push(refund);
    return new Map(
      payments.map(({ id, currency: code, digits, ...payment }) => [
        id,
        { ...payment, currency: { code, digits }, refunds: refunds.get(id) ?? [] },
      ]),
    );
  });
}
