import { type Selectable, type SqlBool, sql } from "kysely";
import type {
  ComparisonRun,
  DifferenceName,
  FoundDifference,
  KnownDifference,
  PaymentDifferences,
  RunTotals,
} from "../model.js";
import type { Database, Tables } from "./database.js";

const DAY_MS = 24 * 60 * 60_000;
/** Start of the nightly comparison, in milliseconds after midnight UTC. */
const NIGHT_MS = 3 * 60 * 60_000;

const toRun = (row: Selectable<Tables["comparisons"]>): ComparisonRun => ({
  run: row.run,
  askedBy: row.asked_by,
  startedAt: new Date(row.started_at),
  endedAt: row.ended_at === null ? null : new Date(row.ended_at),
  afterId: row.after_id,
  failures: row.failures,
  compared: row.compared,
  skipped: row.skipped,
  live: { compared: row.live_compared, skipped: row.live_skipped },
});

const versionOf = (rows: readonly Selectable<Tables["differences"]>[]): string =>
  JSON.stringify(
    rows
      .map(({ subject, subject_id, field, kind, text, accepted_at }) =>
        JSON.stringify([subject, subject_id, field, kind, text, accepted_at]),
      )
      .sort(),
  );

export function sqlComparisons({ db, now }: Database, storeId: string) {
  const newRun = (askedBy: ComparisonRun["askedBy"]) => ({
    asked_by: askedBy,
    started_at: now,
    ended_at: null,
    after_id: 0,
    failures: 0,
    compared: 0,
    skipped: 0,
    live_compared: 0,
    live_skipped: 0,
  });
  const updateOpenRun = (run: number) =>
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
      return row === undefined ? null : toRun(row);
    },
    /** Starts a run on request. @returns false if a run is already in progress */
    async start(): Promise<boolean> {
      const row = await db
        .insertInto("comparisons")
        .values({ store_id: storeId, run: 1, ...newRun("person") })
        .onConflict((conflict) =>
          conflict
            .column("store_id")
            .doUpdateSet({ run: sql`comparisons.run + 1`, ...newRun("person") })
            .where("comparisons.ended_at", "is not", null),
        )
        .returning("run")
        .executeTakeFirst();
      return row !== undefined;
    },
    /**
     * Starts the nightly run unless a run has started since 03:00 UTC. An unfinished run is restarted only on the second night, and a new
     * store is first compared on the following night.
     */
    async startNightly(): Promise<boolean> {
      const first = await db
        .insertInto("comparisons")
        .values({ store_id: storeId, run: 0, ...newRun("night"), ended_at: now })
        .onConflict((conflict) => conflict.column("store_id").doNothing())
        .returning("run")
        .executeTakeFirst();
      if (first !== undefined) return false;
      const night = sql`(${now} - ${sql.lit(NIGHT_MS)}) / ${sql.lit(DAY_MS)} * ${sql.lit(DAY_MS)} + ${sql.lit(NIGHT_MS)}`;
      const { numUpdatedRows } = await db
        .updateTable("comparisons")
        .set({ run: sql`run + 1`, ...newRun("night") })
        .where("store_id", "=", storeId)
        .where(
          sql<SqlBool>`started_at < ${night} - CASE WHEN ended_at IS NULL THEN ${sql.lit(DAY_MS)} ELSE 0 END`,
        )
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    /** @returns false if the run has ended or advanced in the meantime, or another run has started */
    async advance(run: number, paymentId: number, { compared, skipped, live }: RunTotals): Promise<boolean> {
      const { numUpdatedRows } = await updateOpenRun(run)
        .set({
          after_id: paymentId,
          failures: 0,
          compared,
          skipped,
          live_compared: live.compared,
          live_skipped: live.skipped,
        })
        .where("after_id", "<", paymentId)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async countFailure(run: number): Promise<void> {
      await updateOpenRun(run).set({ failures: sql`failures + 1` }).execute();
    },
    /** Ends the run, and deletes differences that it did not find again. */
    finish: (run: number): Promise<void> =>
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
    async ofPayment(paymentId: number): Promise<PaymentDifferences> {
      const rows = await db
        .selectFrom("differences")
        .selectAll()
        .where(({ and }) => and({ store_id: storeId, payment_id: paymentId }))
        .orderBy("subject")
        .orderBy("subject_id")
        .orderBy("field")
        .execute();
      return {
        version: versionOf(rows),
        accepted: rows
          .filter(({ accepted_at }) => accepted_at !== null)
          .map(({ subject, subject_id, field, kind, text }) => ({ subject, subject_id, field, kind, text })),
      };
    },
    /** @param expected version of the stored differences; default: any @returns false, without a change, if the stored version differs */
    replace: (
      run: number,
      { id: paymentId, storeOrderId }: { id: number; storeOrderId: number },
      differences: readonly FoundDifference[],
      expected?: string,
    ): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        // Differences that remain are deleted and inserted again, because a concurrent transaction could change rows that were only read.
        const before = await transaction
          .deleteFrom("differences")
          .where(({ and }) => and({ store_id: storeId, payment_id: paymentId }))
          .returningAll()
          .execute();
        const isExpected = expected === undefined || expected === versionOf(before);
        const findPrevious = ({ subject, subjectId, field, kind }: FoundDifference) =>
          before.find(
            (difference) =>
              difference.subject === subject &&
              difference.subject_id === subjectId &&
              difference.field === field &&
              difference.kind === kind,
          );
        const timestamps = (difference: FoundDifference) => {
          const previous = findPrevious(difference);
          return {
            found_at: previous?.found_at ?? now,
            // The acceptance applies only to the same difference with the same amounts.
            accepted_at: previous?.text === difference.text ? previous.accepted_at : null,
          };
        };
        const rows = isExpected
          ? differences.map((difference) => ({
              store_id: storeId,
              payment_id: paymentId,
              store_order_id: storeOrderId,
              subject: difference.subject,
              subject_id: difference.subjectId,
              field: difference.field,
              kind: difference.kind,
              repair: difference.repair,
              text: difference.text,
              advice: difference.advice,
              run,
              ...timestamps(difference),
            }))
          : before;
        if (rows.length > 0) await transaction.insertInto("differences").values(rows).execute();
        return isExpected;
      }),
    /** Assigns a skipped payment's differences to the run, so that they are not deleted when it ends. */
    async carryOverDifferences(run: number, paymentId: number): Promise<void> {
      await db
        .updateTable("differences")
        .set({ run })
        .where(({ and }) => and({ store_id: storeId, payment_id: paymentId }))
        .execute();
    },
    /** @returns false if the difference does not exist */
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
    /** Whether all refund differences of an order are marked as correct; false if the order has none. */
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
    /** Returns differences that are not marked as correct, newest payments first. */
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
