import { type Selectable, type SqlBool, sql } from "kysely";
import type { ComparisonRun, DifferenceName, FoundDifference, KnownDifference } from "../remembered.js";
import type { Database, Tables } from "./database.js";

const DAY_MS = 24 * 60 * 60_000;
/** A night's comparison begins with this hour, UTC. */
const NIGHT_MS = 3 * 60 * 60_000;

const runOf = (row: Selectable<Tables["comparisons"]>): ComparisonRun => ({
  run: row.run,
  askedBy: row.asked_by,
  startedAt: new Date(row.started_at),
  endedAt: row.ended_at === null ? null : new Date(row.ended_at),
  afterId: row.after_id,
  failures: row.failures,
  compared: row.compared,
  skipped: row.skipped,
});

/** The comparison of the shop's books with Tillgate's: the run under way or the last one, and the differences that it found. */
export function sqlComparisons({ db, now }: Database, storeId: string) {
  const begun = (askedBy: ComparisonRun["askedBy"]) => ({
    asked_by: askedBy,
    started_at: now,
    ended_at: null,
    after_id: 0,
    failures: 0,
    compared: 0,
    skipped: 0,
  });
  /** The row of a run while it is under way. */
  const underWay = (run: number) =>
    db
      .updateTable("comparisons")
      .where(({ and }) => and({ store_id: storeId, run }))
      .where("ended_at", "is", null);
  return {
    async last(): Promise<ComparisonRun | null> {
      const row = await db
        .selectFrom("comparisons")
        .selectAll()
        .where("store_id", "=", storeId)
        .executeTakeFirst();
      return row === undefined ? null : runOf(row);
    },
    /** Begins a run because somebody asked for it. @returns whether it began: not while another is under way */
    async begin(): Promise<boolean> {
      const row = await db
        .insertInto("comparisons")
        .values({ store_id: storeId, run: 1, ...begun("person") })
        .onConflict((conflict) =>
          conflict
            .column("store_id")
            .doUpdateSet({ run: sql`comparisons.run + 1`, ...begun("person") })
            .where("comparisons.ended_at", "is not", null),
        )
        .returning("run")
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Begins the night's run where none began since its hour. A store that was never compared begins with the next night. */
    async beginNightly(): Promise<boolean> {
      const first = await db
        .insertInto("comparisons")
        .values({ store_id: storeId, run: 0, ...begun("night"), ended_at: now })
        .onConflict((conflict) => conflict.column("store_id").doNothing())
        .returning("run")
        .executeTakeFirst();
      if (first !== undefined) return false;
      const night = sql`(${now} - ${sql.lit(NIGHT_MS)}) / ${sql.lit(DAY_MS)} * ${sql.lit(DAY_MS)} + ${sql.lit(NIGHT_MS)}`;
      const { numUpdatedRows } = await db
        .updateTable("comparisons")
        .set({ run: sql`run + 1`, ...begun("night") })
        .where("store_id", "=", storeId)
        .where("ended_at", "is not", null)
        .where(sql<SqlBool>`started_at < ${night}`)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    /** The run goes on after this payment, which was compared or could not be. @returns false where the run is another now */
    async passed(run: number, paymentId: number, outcome: "compared" | "skipped"): Promise<boolean> {
      const { numUpdatedRows } = await underWay(run)
        .set({
          after_id: paymentId,
          failures: 0,
          ...(outcome === "compared" ? { compared: sql`compared + 1` } : { skipped: sql`skipped + 1` }),
        })
        .where("after_id", "<", paymentId)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    /** The next payment could not be compared. */
    async failed(run: number): Promise<void> {
      await underWay(run).set({ failures: sql`failures + 1` }).execute();
    },
    /** The run is through: what it did not see again is gone. */
    end: (run: number): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("comparisons")
          .set({ ended_at: now })
          .where(({ and }) => and({ store_id: storeId, run }))
          .where("ended_at", "is", null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return;
        await transaction
          .deleteFrom("differences")
          .where("store_id", "=", storeId)
          .where("run", "<", run)
          .execute();
      }),
    /** The differences of a payment, in place of those that were found before. */
    replace: (
      run: number,
      { id: paymentId, storeOrderId }: { id: number; storeOrderId: number },
      differences: readonly FoundDifference[],
    ): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const before = await transaction
          .deleteFrom("differences")
          .where(({ and }) => and({ store_id: storeId, payment_id: paymentId }))
          .returning(["subject", "subject_id", "field", "kind", "text", "found_at", "accepted_at"])
          .execute();
        if (differences.length === 0) return;
        const seenBefore = ({ subject, subjectId, field, kind }: FoundDifference) =>
          before.find(
            (one) =>
              one.subject === subject &&
              one.subject_id === subjectId &&
              one.field === field &&
              one.kind === kind,
          );
        const kept = (one: FoundDifference) => {
          const known = seenBefore(one);
          return {
            found_at: known?.found_at ?? now,
            // What was accepted was that very difference, with its amounts.
            accepted_at: known?.text === one.text ? known.accepted_at : null,
          };
        };
        await transaction
          .insertInto("differences")
          .values(
            differences.map((one) => ({
              store_id: storeId,
              payment_id: paymentId,
              store_order_id: storeOrderId,
              subject: one.subject,
              subject_id: one.subjectId,
              field: one.field,
              kind: one.kind,
              repair: one.repair,
              text: one.text,
              advice: one.advice,
              run,
              ...kept(one),
            })),
          )
          .execute();
      }),
    /** Keeps what is known of a payment that could not be compared. */
    async keep(run: number, paymentId: number): Promise<void> {
      await db
        .updateTable("differences")
        .set({ run })
        .where(({ and }) => and({ store_id: storeId, payment_id: paymentId }))
        .execute();
    },
    /** The owner says that a difference is right as it is. @returns whether it was there */
    async accept({ paymentId, subject, subjectId, field }: DifferenceName): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("differences")
        .set({ accepted_at: sql`coalesce(accepted_at, ${now})` })
        .where(({ and }) =>
          and({ store_id: storeId, payment_id: paymentId, subject, subject_id: subjectId, field }),
        )
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    /** Whether the owner accepted all in which the refunds of an order differ. */
    async areRefundsAccepted(storeOrderId: number): Promise<boolean> {
      const { found, accepted } = await db
        .selectFrom("differences")
        .select(({ fn }) => [
          fn.countAll<number>().as("found"),
          fn.count<number>("accepted_at").as("accepted"),
        ])
        .where(({ and }) => and({ store_id: storeId, store_order_id: storeOrderId }))
        .where(({ eb, or }) => or([eb("subject", "<>", "order"), eb("field", "=", "refunded")]))
        .executeTakeFirstOrThrow();
      return found > 0 && found === accepted;
    },
    /** Those that nobody accepted, the newest orders first. */
    async differences(limit: number): Promise<KnownDifference[]> {
      const rows = await db
        .selectFrom("differences")
        .selectAll()
        .where("store_id", "=", storeId)
        .where("accepted_at", "is", null)
        .orderBy("payment_id", "desc")
        .orderBy("subject")
        .orderBy("subject_id")
        .orderBy("field")
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        paymentId: row.payment_id,
        storeOrderId: row.store_order_id,
        subject: row.subject,
        subjectId: row.subject_id,
        field: row.field,
        kind: row.kind,
        repair: row.repair,
        text: row.text,
        advice: row.advice,
        foundAt: new Date(row.found_at),
      }));
    },
    async countDifferences(): Promise<{ open: number; accepted: number }> {
      const { found, accepted } = await db
        .selectFrom("differences")
        .select(({ fn }) => [
          fn.countAll<number>().as("found"),
          fn.count<number>("accepted_at").as("accepted"),
        ])
        .where("store_id", "=", storeId)
        .executeTakeFirstOrThrow();
      return { open: found - accepted, accepted };
    },
  };
}
