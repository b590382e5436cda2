import type { Pool } from "pg";
import type { Events } from "../records.js";

export function postgresEvents(pool: Pool): Events {
  return {
    async receive(storeId, { eventId, event, tillgateOrderId, body }) {
      await pool.query(
        `INSERT INTO events (store_id, event_id, event, tillgate_order_id, body) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (store_id, event_id) DO UPDATE SET tries = events.tries + 1`,
        [storeId, eventId, event, tillgateOrderId, body],
      );
    },
    async isDone(storeId, eventId) {
      const { rowCount } = await pool.query(
        "SELECT 1 FROM events WHERE store_id = $1 AND event_id = $2 AND done_at IS NOT NULL",
        [storeId, eventId],
      );
      return rowCount === 1;
    },
    async done(storeId, eventId, outcome) {
      await pool.query(
        `UPDATE events SET done_at = clock_timestamp(), outcome = $3
         WHERE store_id = $1 AND event_id = $2 AND done_at IS NULL`,
        [storeId, eventId, outcome],
      );
    },
    async prune(storeId, olderThanMs) {
      const { rowCount } = await pool.query(
        `DELETE FROM events WHERE store_id = $1 AND done_at IS NOT NULL
           AND received_at < clock_timestamp() - $2::double precision * interval '1 millisecond'`,
        [storeId, olderThanMs],
      );
      return rowCount ?? 0;
    },
  };
}
