import { sql } from "kysely";
import type { HealthRecords } from "../records.js";
import { type Database, inMs } from "./database.js";

export function sqlHealth(database: Database): HealthRecords {
  const { db, now } = database;
  return {
    async report(storeId, name, value) {
      await db
        .insertInto("reports")
        .values({ store_id: storeId, name, value, reported_at: now })
        .onConflict((conflict) =>
          conflict.columns(["store_id", "name"]).doUpdateSet({ value, reported_at: now }),
        )
        .execute();
    },
    async reports(storeId) {
      const rows = await db
        .selectFrom("reports")
        .select(["name", "value", "reported_at", sql<number>`${now} - reported_at`.as("ageMs")])
        .where("store_id", "=", storeId)
        .execute();
      return rows.map(({ reported_at, ...report }) => ({ ...report, reportedAt: new Date(reported_at) }));
    },
    async raise(storeId, { kind, subject, storeOrderId, text }) {
      await db
        .insertInto("problems")
        .values({
          store_id: storeId,
          kind,
          subject,
          store_order_id: storeOrderId,
          text,
          first_at: now,
          last_at: now,
        })
        .onConflict((conflict) =>
          conflict
            .columns(["store_id", "kind", "subject"])
            .doUpdateSet({ text, times: sql`problems.times + 1`, last_at: now }),
        )
        .execute();
    },
    async settle(storeId, kind, subject) {
      await db
        .deleteFrom("problems")
        .where(({ and }) => and({ store_id: storeId, kind, subject }))
        .execute();
    },
    async problems(storeId, limit) {
      const rows = await db
        .selectFrom("problems")
        .select(["kind", "subject", "store_order_id", "text", "times", "first_at", "last_at"])
        .where("store_id", "=", storeId)
        .orderBy("last_at", "desc")
        .orderBy("kind")
        .orderBy("subject")
        .limit(limit)
        .execute();
      return rows.map(({ store_order_id, first_at, last_at, ...problem }) => ({
        ...problem,
        storeOrderId: store_order_id,
        firstAt: new Date(first_at),
        lastAt: new Date(last_at),
      }));
    },
    async countProblems(storeId) {
      const rows = await db
        .selectFrom("problems")
        .select(({ fn }) => ["kind", fn.countAll<number>().as("problems")])
        .where("store_id", "=", storeId)
        .groupBy("kind")
        .execute();
      return new Map(rows.map(({ kind, problems }) => [kind, problems]));
    },
    async prune(storeId, olderThanMs) {
      await db
        .deleteFrom("problems")
        .where("store_id", "=", storeId)
        .where("last_at", "<", inMs(database, -olderThanMs))
        .execute();
    },
  };
}
