import type { Events } from "../records.js";
import type { SqlDatabase } from "./sql-database.js";

export function sqlEvents({ query, now, span }: SqlDatabase): Events {
  return {
    async receive(storeId, { eventId, event, tillgateOrderId, body }) {
      await query(
        `INSERT INTO events (store_id, event_id, event, tillgate_order_id, body) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (store_id, event_id) DO UPDATE SET tries = events.tries + 1`,
        [storeId, eventId, event, tillgateOrderId, body],
      );
    },
    async isDone(storeId, eventId) {
      const rows = await query(
        "SELECT 1 FROM events WHERE store_id = $1 AND event_id = $2 AND done_at IS NOT NULL",
        [storeId, eventId],
      );
      return rows.length === 1;
    },
    async done(storeId, eventId, outcome) {
      await query(
        `UPDATE events SET done_at = ${now}, outcome = $3
         WHERE store_id = $1 AND event_id = $2 AND done_at IS NULL`,
        [storeId, eventId, outcome],
      );
    },
    async prune(storeId, olderThanMs) {
      const removed = await query(
        `DELETE FROM events WHERE store_id = $1 AND done_at IS NOT NULL AND received_at < ${now} - ${span("$2")}
         RETURNING 1`,
        [storeId, olderThanMs],
      );
      return removed.length;
    },
  };
}
