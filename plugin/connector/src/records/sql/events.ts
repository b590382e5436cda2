import { sql } from "kysely";
import type { Events } from "../records.js";
import { type Database, inMs } from "./database.js";

export function sqlEvents(database: Database): Events {
  const { db, now } = database;
  return {
    async receive(storeId, { eventId, event, tillgateOrderId, body }) {
      await db
        .insertInto("events")
        .values({
          store_id: storeId,
          event_id: eventId,
          event,
          tillgate_order_id: tillgateOrderId,
          body,
          received_at: now,
        })
        .onConflict((conflict) =>
          conflict.columns(["store_id", "event_id"]).doUpdateSet({ tries: sql`events.tries + 1` }),
        )
        .execute();
    },
    async isDone(storeId, eventId) {
      const row = await db
        .selectFrom("events")
        .select("done_at")
        .where(({ and }) => and({ store_id: storeId, event_id: eventId }))
        .executeTakeFirst();
      return typeof row?.done_at === "number";
    },
    async done(storeId, eventId, outcome) {
      await db
        .updateTable("events")
        .set({ done_at: now, outcome })
        .where(({ and }) => and({ store_id: storeId, event_id: eventId }))
        .where("done_at", "is", null)
        .execute();
    },
    async prune(storeId, olderThanMs) {
      const { numDeletedRows } = await db
        .deleteFrom("events")
        .where("store_id", "=", storeId)
        .where("done_at", "is not", null)
        .where("received_at", "<", inMs(database, -olderThanMs))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
