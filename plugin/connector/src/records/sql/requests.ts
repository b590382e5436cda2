import { sql } from "kysely";
import { type Database, inMs } from "./database.js";

/** How often somebody asked, over all processes. */
export function sqlRequests(database: Database) {
  const { db, now } = database;
  const isOver = sql<boolean>`requests.ends_at <= ${now}`;
  return {
    /**
     * Counts one more under a name; the first one begins a window.
     * @returns how many there are in the window, and how much of it is left
     */
    async count(name: string, windowMs: number): Promise<{ count: number; leftMs: number }> {
      const ends = inMs(database, windowMs);
      return db
        .insertInto("requests")
        .values({ name, count: 1, ends_at: ends })
        .onConflict((conflict) =>
          conflict.column("name").doUpdateSet({
            count: sql`CASE WHEN ${isOver} THEN 1 ELSE requests.count + 1 END`,
            ends_at: sql`CASE WHEN ${isOver} THEN excluded.ends_at ELSE requests.ends_at END`,
          }),
        )
        .returning(["count", sql<number>`ends_at - ${now}`.as("leftMs")])
        .executeTakeFirstOrThrow();
    },
    /** Removes windows that are over. */
    async prune(): Promise<void> {
      await db.deleteFrom("requests").where("ends_at", "<=", now).execute();
    },
  };
}
