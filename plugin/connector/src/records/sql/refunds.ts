import { z } from "zod";
import type { NewRefund, RecordedRefunds } from "../records.js";
import { truth, wholeNumber } from "./columns.js";
import type { SqlDatabase, SqlValue } from "./sql-database.js";

const beginSchema = z.object({ store_refund_id: wholeNumber.nullable(), recorded: truth });
const recordSchema = z.object({ store_refund_id: wholeNumber });
const dueSchema = z.object({ refund_id: z.string(), store_order_id: wholeNumber });
const endSchema = z.object({ refund_id: z.string(), recorded: truth, failed: truth });

const newRow = (storeId: string, refund: NewRefund): SqlValue[] => [
  storeId,
  refund.refundId,
  refund.storeOrderId,
  refund.amountMinor,
  refund.currency,
];

export function sqlRefunds(database: SqlDatabase): RecordedRefunds {
  const { query, now, span, greater, lesser, skipLocked, among } = database;
  return {
    async begin(storeId, refund) {
      const [row] = await query(
        `INSERT INTO refunds (store_id, refund_id, store_order_id, amount_minor, currency)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (store_id, refund_id) DO UPDATE SET refund_id = excluded.refund_id
         RETURNING store_refund_id, recorded_at IS NOT NULL AS recorded`,
        newRow(storeId, refund),
      );
      const { store_refund_id, recorded } = beginSchema.parse(row);
      return { storeRefundId: store_refund_id, recorded };
    },
    async recorded(storeId, refundId, storeRefundId) {
      await query(
        `UPDATE refunds SET store_refund_id = $3, recorded_at = ${now}, next_check_at = NULL
         WHERE store_id = $1 AND refund_id = $2 AND recorded_at IS NULL`,
        [storeId, refundId, storeRefundId],
      );
    },
    async areAnyOf(storeId, storeOrderId) {
      const rows = await query("SELECT 1 FROM refunds WHERE store_id = $1 AND store_order_id = $2 LIMIT 1", [
        storeId,
        storeOrderId,
      ]);
      return rows.length > 0;
    },
    async recordsOf(storeId, storeOrderId) {
      const rows = await query(
        `SELECT store_refund_id FROM refunds
         WHERE store_id = $1 AND store_order_id = $2 AND store_refund_id IS NOT NULL`,
        [storeId, storeOrderId],
      );
      return rows.map((row) => recordSchema.parse(row).store_refund_id);
    },
    async watch(storeId, refund, checkInMs) {
      await query(
        `INSERT INTO refunds (store_id, refund_id, store_order_id, amount_minor, currency, next_check_at)
         VALUES ($1, $2, $3, $4, $5, ${now} + ${span("$6")})
         ON CONFLICT (store_id, refund_id) DO NOTHING`,
        [...newRow(storeId, refund), checkInMs],
      );
    },
    async failed(storeId, refundId) {
      await query(
        `UPDATE refunds SET failed_at = ${now}, next_check_at = NULL
         WHERE store_id = $1 AND refund_id = $2 AND recorded_at IS NULL AND failed_at IS NULL`,
        [storeId, refundId],
      );
    },
    async takeDue(storeId, limit, leaseMs, mostMs) {
      const rows = await query(
        `UPDATE refunds
         SET next_check_at = ${now} + ${lesser(greater(`(${now} - created_at) / 16`, span("$3")), span("$4"))}
         WHERE store_id = $1 AND refund_id IN (
           SELECT refund_id FROM refunds WHERE store_id = $1 AND recorded_at IS NULL AND failed_at IS NULL
             AND next_check_at <= ${now}
           ORDER BY next_check_at LIMIT $2 ${skipLocked}
         ) RETURNING refund_id, store_order_id`,
        [storeId, limit, leaseMs, mostMs],
      );
      return rows.map((row) => {
        const { refund_id, store_order_id } = dueSchema.parse(row);
        return { refundId: refund_id, storeOrderId: store_order_id };
      });
    },
    async ends(storeId, refundIds) {
      const rows = await query(
        `SELECT refund_id, recorded_at IS NOT NULL AS recorded, failed_at IS NOT NULL AS failed
         FROM refunds WHERE store_id = $1 AND refund_id ${among("$2", "text")}`,
        [storeId, JSON.stringify(refundIds)],
      );
      return new Map(
        rows.map((row) => {
          const { refund_id, recorded, failed } = endSchema.parse(row);
          return [refund_id, recorded ? "recorded" : failed ? "failed" : "open"];
        }),
      );
    },
  };
}
