import { sql } from "kysely";
import { type Database, inMs } from "./database.js";

export type Report = {
  name: string;
  value: string;
  reportedAt: Date;
  /** By the database's clock, in milliseconds. */
  ageMs: number;
};

export type Problem = {
  kind: string;
  /** Deduplicates problems of the same kind. */
  subject: string;
  storeOrderId?: number | null;
  /** Shown to the shop owner; contains no secrets. */
  text: string;
};

export type KnownProblem = Required<Problem> & {
  times: number;
  firstAt: Date;
  lastAt: Date;
};

export function sqlHealth(database: Database, storeId: string) {
  const { db, now } = database;
  return {
    async report(name: string, value: string): Promise<void> {
      await db
        .insertInto("reports")
        .values({ store_id: storeId, name, value, reported_at: now })
        .onConflict((conflict) =>
          conflict.columns(["store_id", "name"]).doUpdateSet({ value, reported_at: now }),
        )
        .execute();
    },
    async reports(): Promise<Report[]> {
      const rows = await db
        .selectFrom("reports")
        .select(["name", "value", "reported_at", sql<number>`${now} - reported_at`.as("ageMs")])
        .where("store_id", "=", storeId)
        .execute();
      return rows.map(({ reported_at, ...report }) => ({ ...report, reportedAt: new Date(reported_at) }));
    },
    /** Adds a problem, or counts another occurrence. */
    async raise({ kind, subject, storeOrderId = null, text }: Problem): Promise<void> {
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
    async resolve(kind: string, subject: string): Promise<void> {
      await db
        .deleteFrom("problems")
        .where(({ and }) => and({ store_id: storeId, kind, subject }))
        .execute();
    },
    /** Returns the newest problems first. */
    async problems(limit: number): Promise<KnownProblem[]> {
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
    async countProblems(): Promise<Map<string, number>> {
      const rows = await db
        .selectFrom("problems")
        .select(({ fn }) => ["kind", fn.countAll<number>().as("problems")])
        .where("store_id", "=", storeId)
        .groupBy("kind")
        .execute();
      return new Map(rows.map(({ kind, problems }) => [kind, problems]));
    },
    async prune(olderThanMs: number): Promise<void> {
      await db
        .deleteFrom("problems")
        .where("store_id", "=", storeId)
        .where("last_at", "<", inMs(database, -olderThanMs))
        .execute();
    },
  };
}
