import type { FollowedRefund, RefundEnd } from "../remembered.js";
import type { Database } from "./database.js";
import { cancelDue } from "./due.js";

/** Tillgate's refunds of this store's payments, from any source, until their end is in the store. */
export function sqlFollowedRefunds({ db, now }: Database, storeId: string) {
  /** Writes the end of a refund that has none, and ends its checks. */
  const end = (
    refundId: string,
    change: { record_id: number | null; recorded_at: typeof now } | { failed_at: typeof now },
  ): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      await transaction
        .updateTable("followed_refunds")
        .set(change)
        .where(({ and }) => and({ store_id: storeId, refund_id: refundId }))
        .where("recorded_at", "is", null)
        .$if("failed_at" in change, (open) => open.where("failed_at", "is", null))
        .execute();
      await cancelDue(transaction, { store_id: storeId, kind: "refund", subject: refundId });
    });
  return {
    /** Stores that this refund is followed. @returns the store's record of it where that is known already */
    async begin({
      refundId,
      storeOrderId,
      amountMinor,
      currency,
    }: FollowedRefund): Promise<{ recordId: number | null; recorded: boolean }> {
      const row = await db
        .insertInto("followed_refunds")
        .values({
          store_id: storeId,
          refund_id: refundId,
          store_order_id: storeOrderId,
          amount_minor: amountMinor,
          currency,
          created_at: now,
        })
        .onConflict((conflict) =>
          conflict
            .columns(["store_id", "refund_id"])
            .doUpdateSet(({ ref }) => ({ refund_id: ref("excluded.refund_id") })),
        )
        .returning(["record_id", "recorded_at"])
        .executeTakeFirstOrThrow();
      return { recordId: row.record_id, recorded: row.recorded_at !== null };
    },
    /** Its money was moved, and the store shows it. @param recordId null where the store cannot have a record of it */
    recorded: (refundId: string, recordId: number | null) =>
      end(refundId, { record_id: recordId, recorded_at: now }),
    failed: (refundId: string) => end(refundId, { failed_at: now }),
    /** Whether any refund of this order is known. */
    async areAnyOf(storeOrderId: number): Promise<boolean> {
      const row = await db
        .selectFrom("followed_refunds")
        .select("refund_id")
        .where(({ and }) => and({ store_id: storeId, store_order_id: storeOrderId }))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    /** The refunds of this order whose record in the store is known, by the record's number. */
    async byRecord(storeOrderId: number): Promise<Map<number, string>> {
      const rows = await db
        .selectFrom("followed_refunds")
        .select(["record_id", "refund_id"])
        .where(({ and }) => and({ store_id: storeId, store_order_id: storeOrderId }))
        .execute();
      return new Map(
        rows.flatMap(({ record_id, refund_id }) => (record_id === null ? [] : [[record_id, refund_id]])),
      );
    },
    /** The store has another record of it than before, which was deleted there. */
    async recordedAgain(refundId: string, recordId: number): Promise<void> {
      await db
        .updateTable("followed_refunds")
        .set({ record_id: recordId })
        .where(({ and }) => and({ store_id: storeId, refund_id: refundId }))
        .execute();
    },
    /** What is known of these; one that is not known is left out. */
    async ends(refundIds: string[]): Promise<Map<string, RefundEnd>> {
      const rows = await db
        .selectFrom("followed_refunds")
        .select(["refund_id", "recorded_at", "failed_at"])
        .where("store_id", "=", storeId)
        .where("refund_id", "in", refundIds)
        .execute();
      return new Map(
        rows.map(({ refund_id, recorded_at, failed_at }) => [
          refund_id,
          recorded_at !== null ? "recorded" : failed_at !== null ? "failed" : "open",
        ]),
      );
    },
  };
}
