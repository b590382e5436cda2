import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from "kysely";
import type { DueKind, DueSubject, ScheduledItem } from "../remembered.js";
import { type Database, inMs, type Tables } from "./database.js";

/** Ends what is due of something that has come to an end, also while somebody works on it. */
export async function cancelDue(
  db: Kysely<Tables>,
  which: { store_id: string; kind: DueKind; subject: string },
): Promise<void> {
  await db
    .deleteFrom("due")
    .where(({ and }) => and(which))
    .execute();
}

const earlier = (one: RawBuilder<number>, other: RawBuilder<number>): RawBuilder<number> =>
  sql<number>`CASE WHEN ${one} < ${other} THEN ${one} ELSE ${other} END`;

/** What is to be done at a time, each in its order of becoming due. */
export function sqlDue(database: Database, storeId: string) {
  /** The row of an item, while nobody else has taken it. */
  const isOurs =
    (kind: DueKind, { subject, lease }: ScheduledItem) =>
    ({ and }: ExpressionBuilder<Tables, "due">) =>
      and({ store_id: storeId, kind, subject, lease });
  const { db, now, skipsLocked } = database;
  return {
    /** Schedules these, unless they are scheduled earlier. Durable when this returns. */
    async schedule(kind: DueKind, wanted: readonly DueSubject[], inMilliseconds: number): Promise<void> {
      const at = inMs(database, inMilliseconds);
      // Always in one order, so that two processes do not wait for each other.
      const subjects = [...new Map(wanted.map((one) => [one.subject, one])).values()].sort((one, other) =>
        one.subject < other.subject ? -1 : 1,
      );
      if (subjects.length === 0) return;
      const [due, excluded] = [sql<number>`due.due_at`, sql<number>`excluded.due_at`];
      await db
        .insertInto("due")
        .values(
          subjects.map(({ subject, storeOrderId }) => ({
            store_id: storeId,
            kind,
            subject,
            store_order_id: storeOrderId,
            due_at: at,
            wanted_at: at,
          })),
        )
        .onConflict((conflict) =>
          conflict.columns(["store_id", "kind", "subject"]).doUpdateSet({
            due_at: earlier(due, excluded),
            wanted_at: earlier(sql`coalesce(due.wanted_at, excluded.due_at)`, excluded),
          }),
        )
        .execute();
    },
    /** Leases what is due; an item that is not finished is due again after `leaseMs`. */
    async take(kind: DueKind, limit: number, leaseMs: number): Promise<ScheduledItem[]> {
      const rows = await db
        // Found before the update: as a part of its condition PostgreSQL may look for them more than once.
        .with("found", (query) =>
          query
            .selectFrom("due")
            .select("subject")
            .where(({ and }) => and({ store_id: storeId, kind }))
            .where("due_at", "<=", now)
            .orderBy("due_at")
            .limit(limit)
            .$if(skipsLocked, (some) => some.forUpdate().skipLocked()),
        )
        .updateTable("due")
        .set({ due_at: inMs(database, leaseMs), wanted_at: null, lease: sql`lease + 1` })
        .where(({ and }) => and({ store_id: storeId, kind }))
        .where("subject", "in", (query) => query.selectFrom("found").select("found.subject"))
        .returning(["subject", "store_order_id", "lease", "failures"])
        .execute();
      return rows.map(({ store_order_id, ...row }) => ({ ...row, storeOrderId: store_order_id }));
    },
    /** Finishes an item, unless it was scheduled again meanwhile. */
    async done(kind: DueKind, item: ScheduledItem): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom("due")
          .where(isOurs(kind, item))
          .where("wanted_at", "is", null)
          .execute();
        await transaction
          .updateTable("due")
          .set({ due_at: sql`wanted_at`, failures: 0 })
          .where(isOurs(kind, item))
          .execute();
      });
    },
    /** Schedules an item again. @param failures consecutive failures, this one included */
    async reschedule(
      kind: DueKind,
      item: ScheduledItem,
      inMilliseconds: number,
      failures: number,
    ): Promise<void> {
      await db
        .updateTable("due")
        .set({ due_at: inMs(database, inMilliseconds), failures })
        .where(isOurs(kind, item))
        .execute();
    },
    /** How many are due. */
    async count(kind: DueKind): Promise<number> {
      const { waiting } = await db
        .selectFrom("due")
        .select(({ fn }) => fn.countAll<number>().as("waiting"))
        .where("store_id", "=", storeId)
        .where("kind", "=", kind)
        .where("due_at", "<=", now)
        .executeTakeFirstOrThrow();
      return waiting;
    },
  };
}
