import { z } from "zod";
import type { NewShopRefund, ShopRefund, ShopRefunds } from "../records.js";
import { bigWholeNumber, truth, wholeNumber } from "./columns.js";
import type { SqlDatabase, SqlValue } from "./sql-database.js";

const rowSchema = z
  .object({
    store_refund_id: wholeNumber,
    store_order_id: wholeNumber,
    tillgate_order_id: z.string(),
    trx_id: z.string(),
    idempotency_key: z.string(),
    reference: z.string(),
    reason: z.string(),
    amount_minor: bigWholeNumber,
    currency: z.string(),
    state: z.enum([
      "calling",
      "pending",
      "completed",
      "failed",
      "refused",
      "repeated",
      "ignored",
      "given_up",
    ]),
    refund_id: z.string().nullable(),
    deleted: truth,
    age_ms: z.coerce.number(),
  })
  .transform(
    (row): ShopRefund => ({
      storeRefundId: row.store_refund_id,
      storeOrderId: row.store_order_id,
      tillgateOrderId: row.tillgate_order_id,
      trxId: row.trx_id,
      idempotencyKey: row.idempotency_key,
      reference: row.reference,
      reason: row.reason,
      amountMinor: row.amount_minor,
      currency: row.currency,
      state: row.state,
      refundId: row.refund_id,
      deleted: row.deleted,
      ageMs: row.age_ms,
    }),
  );

const columns = `store_refund_id, store_order_id, tillgate_order_id, trx_id, idempotency_key, reference, reason,
  amount_minor, currency`;

const newRow = (storeId: string, refund: NewShopRefund): SqlValue[] => [
  storeId,
  refund.storeRefundId,
  refund.storeOrderId,
  refund.tillgateOrderId,
  refund.trxId,
  refund.idempotencyKey,
  refund.reference,
  refund.reason,
  refund.amountMinor,
  refund.currency,
];

export function sqlShopRefunds({ query, now, milliseconds }: SqlDatabase): ShopRefunds {
  const read = `${columns}, state, refund_id, ${milliseconds(`${now} - created_at`)} AS age_ms,
    deleted_at IS NOT NULL AS deleted`;
  return {
    async ofOrder(storeId, storeOrderId) {
      const rows = await query(
        `SELECT ${read} FROM shop_refunds WHERE store_id = $1 AND store_order_id = $2 ORDER BY store_refund_id`,
        [storeId, storeOrderId],
      );
      return rows.map((row) => rowSchema.parse(row));
    },
    async begin(storeId, refund) {
      const [row] = await query(
        `INSERT INTO shop_refunds (store_id, ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         RETURNING ${read}`,
        newRow(storeId, refund),
      );
      return rowSchema.parse(row);
    },
    async notSent(storeId, refund, { state, refundId }) {
      await query(
        `INSERT INTO shop_refunds (store_id, ${columns}, state, refund_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [...newRow(storeId, refund), state, refundId],
      );
    },
    async continueAs(storeId, deletedId, storeRefundId) {
      const [row] = await query(
        `UPDATE shop_refunds SET store_refund_id = $3, state = 'calling', deleted_at = NULL
         WHERE store_id = $1 AND store_refund_id = $2 AND refund_id IS NULL AND deleted_at IS NOT NULL
         RETURNING ${read}`,
        [storeId, deletedId, storeRefundId],
      );
      return rowSchema.parse(row);
    },
    async answered(storeId, storeRefundId, state, refundId) {
      await query(
        `UPDATE shop_refunds SET state = $3, refund_id = coalesce($4, refund_id)
         WHERE store_id = $1 AND store_refund_id = $2 AND state IN ('calling', 'pending', 'given_up')`,
        [storeId, storeRefundId, state, refundId],
      );
    },
    async find(storeId, storeOrderId, { refundId, reference }) {
      const [row] = await query(
        `SELECT ${read} FROM shop_refunds
         WHERE store_id = $1 AND store_order_id = $2 AND state NOT IN ('refused', 'repeated', 'ignored')
           AND (refund_id = $3 OR (refund_id IS NULL AND reference = $4))`,
        [storeId, storeOrderId, refundId, reference],
      );
      return row === undefined ? null : rowSchema.parse(row);
    },
    async deleted(storeId, storeRefundId) {
      await query(
        `UPDATE shop_refunds SET deleted_at = ${now}
         WHERE store_id = $1 AND store_refund_id = $2 AND deleted_at IS NULL`,
        [storeId, storeRefundId],
      );
    },
  };
}
