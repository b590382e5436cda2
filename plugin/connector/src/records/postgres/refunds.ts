import type { Pool } from "pg";
import type { RecordedRefunds } from "../records.js";

export function postgresRefunds(pool: Pool): RecordedRefunds {
  return {
    async begin(storeId, { refundId, storeOrderId, amountMinor, currency }) {
      const { rows } = await pool.query<{ store_refund_id: string | null; recorded: boolean }>(
        `INSERT INTO refunds (store_id, refund_id, store_order_id, amount_minor, currency)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (store_id, refund_id) DO UPDATE SET refund_id = excluded.refund_id
         RETURNING store_refund_id, recorded_at IS NOT NULL AS recorded`,
        [storeId, refundId, storeOrderId, amountMinor, currency],
      );
      const number = rows[0]?.store_refund_id ?? null;
      return { storeRefundId: number === null ? null : Number(number), recorded: rows[0]?.recorded ?? false };
    },
    async recorded(storeId, refundId, storeRefundId) {
      await pool.query(
        `UPDATE refunds SET store_refund_id = $3, recorded_at = clock_timestamp()
         WHERE store_id = $1 AND refund_id = $2 AND recorded_at IS NULL`,
        [storeId, refundId, storeRefundId],
      );
    },
  };
}
