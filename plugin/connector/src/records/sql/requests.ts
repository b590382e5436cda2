import { sql } from "kysely";
import type { Requests } from "../records.js";
import { type Database, inMs } from "./database.js";

export function sqlRequests(database: Database): Requests {
  const { db, now } = database;
  const isOver = sql<boolean>`requests.ends_at <= ${now}`;
  return {
    async count(name, windowMs) {
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
    async prune() {
      await db.deleteFrom("requests").where("ends_at", "<=", now).execute();
    },
  };
}
