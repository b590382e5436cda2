import { sql } from "kysely";
import { type Database, inMs } from "./database.js";

export type NewEvent = {
  eventId: string;
  event: string;
  tillgateOrderId: string;
  body: string;
};

export function sqlEvents(database: Database, storeId: string) {
  const { db, now } = database;
  return {
    /** Stores an event before it is applied, or counts another attempt. */
    async save({ eventId, event, tillgateOrderId, body }: NewEvent): Promise<void> {
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
    async isProcessed(eventId: string): Promise<boolean> {
      const row = await db
        .selectFrom("events")
        .select("done_at")
        .where(({ and }) => and({ store_id: storeId, event_id: eventId }))
        .executeTakeFirst();
      return typeof row?.done_at === "number";
    },
    async complete(eventId: string, outcome: string): Promise<void> {
      await db
        .updateTable("events")
        .set({ done_at: now, outcome })
        .where(({ and }) => and({ store_id: storeId, event_id: eventId }))
        .where("done_at", "is", null)
        .execute();
    },
    /** Deletes old processed events. @returns the number of deleted events */
    async prune(olderThanMs: number): Promise<number> {
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
