import { z } from "zod";
import type { Hints } from "../records.js";
import { bigWholeNumber, wholeNumber } from "./columns.js";
import type { SqlDatabase } from "./sql-database.js";

const rowSchema = z.object({ store_order_id: wholeNumber, version: bigWholeNumber, failures: wholeNumber });
const countSchema = z.object({ waiting: wholeNumber });

export function sqlHints(database: SqlDatabase): Hints {
  const { query, transaction, now, span, lesser, skipLocked } = database;
  return {
    async put(storeId, storeOrderIds, inMs) {
      await transaction(
        // Always in one order, so that two processes do not wait for each other.
        [...new Set(storeOrderIds)]
          .sort((one, other) => one - other)
          .map((storeOrderId) => ({
            sql: `INSERT INTO hints (store_id, store_order_id, due_at, wanted_at)
              VALUES ($1, $2, ${now} + ${span("$3")}, ${now} + ${span("$3")})
              ON CONFLICT (store_id, store_order_id) DO UPDATE SET
                due_at = ${lesser("hints.due_at", "excluded.due_at")},
                wanted_at = ${lesser("coalesce(hints.wanted_at, excluded.wanted_at)", "excluded.wanted_at")}`,
            values: [storeId, storeOrderId, inMs],
          })),
      );
    },
    async takeDue(storeId, limit, leaseMs) {
      const rows = await query(
        `UPDATE hints SET due_at = ${now} + ${span("$3")}, wanted_at = NULL, version = version + 1
         WHERE store_id = $1 AND store_order_id IN (
           SELECT store_order_id FROM hints WHERE store_id = $1 AND due_at <= ${now}
           ORDER BY due_at LIMIT $2 ${skipLocked}
         ) RETURNING store_order_id, version, failures`,
        [storeId, limit, leaseMs],
      );
      return rows.map((row) => {
        const { store_order_id, version, failures } = rowSchema.parse(row);
        return { storeOrderId: store_order_id, version, failures };
      });
    },
    async done(storeId, { storeOrderId, version }) {
      const which = "store_id = $1 AND store_order_id = $2 AND version = $3";
      const values = [storeId, storeOrderId, version];
      await transaction([
        { sql: `DELETE FROM hints WHERE ${which} AND wanted_at IS NULL`, values },
        { sql: `UPDATE hints SET due_at = wanted_at, failures = 0 WHERE ${which}`, values },
      ]);
    },
    async failed(storeId, { storeOrderId, version }, nextInMs) {
      await query(
        `UPDATE hints SET failures = failures + 1, due_at = ${now} + ${span("$4")}
         WHERE store_id = $1 AND store_order_id = $2 AND version = $3`,
        [storeId, storeOrderId, version, nextInMs],
      );
    },
    async count(storeId) {
      const [row] = await query(
        `SELECT count(*) AS waiting FROM hints WHERE store_id = $1 AND due_at <= ${now}`,
        [storeId],
      );
      return countSchema.parse(row).waiting;
    },
  };
}
