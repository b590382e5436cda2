import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from "kysely";
import type { DueKind, DueSubject, ScheduledItem } from "../model.js";
import { type Database, inMs, type Tables } from "./database.js";

/** Deletes a scheduled check, even while it is leased. */
export async function cancelDue(
  db: Kysely<Tables>,
  which: { store_id: string; kind: DueKind; subject: string },
): Promise<void> {
  await db
    .deleteFrom("due")
    .where(({ and }) => and(which))
    .execute();
}

const earlier = (left: RawBuilder<number>, right: RawBuilder<number>): RawBuilder<number> =>
  sql<number>`CASE WHEN ${left} < ${right} THEN ${left} ELSE ${right} END`;

export function sqlDue(database: Database, storeId: string) {
  /** Matches the item's row unless it was leased again. */
  const isOurs =
    (kind: DueKind, { subject, lease }: ScheduledItem) =>
    ({ and }: ExpressionBuilder<Tables, "due">) =>
      and({ store_id: storeId, kind, subject, lease });
  const { db, now, skipsLocked } = database;
  return {
    /** Schedules checks, durably once this resolves. A check that is already scheduled for an earlier time keeps that time. */
    async schedule(kind: DueKind, checks: readonly DueSubject[], inMilliseconds: number): Promise<void> {
      const at = inMs(database, inMilliseconds);
      // Sorted, to avoid deadlocks between processes.
      const subjects = [...new Map(checks.map((left) => [left.subject, left])).values()].sort(
        (left, right) => (left.subject < right.subject ? -1 : 1),
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
    /** Leases due items. An item that is neither completed nor rescheduled is due again after `leaseMs`. */
    async lease(kind: DueKind, limit: number, leaseMs: number): Promise<ScheduledItem[]> {
      const rows = await db
        // A CTE, because PostgreSQL may evaluate a subquery in the condition more than once.
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
    /** Completes an item. If it was scheduled again in the meantime, it stays scheduled. */
    async complete(kind: DueKind, item: ScheduledItem): Promise<void> {
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
    /** @param failures number of consecutive failures; 0 after a success */
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
