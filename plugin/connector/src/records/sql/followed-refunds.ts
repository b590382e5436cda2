import type { FollowedRefund, FollowedRefundState, RefundOutcome } from "../model.js";
import type { Database } from "./database.js";
import { cancelDue } from "./due.js";

/** Stores Tillgate refunds of this store's payments, from any source, and whether they are recorded in the store or failed. */
export function sqlFollowedRefunds({ db, now }: Database, storeId: string) {
  /** Stores the outcome of an open refund, and deletes its scheduled check. */
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
    /** Stores a refund if it is new. @returns its stored state */
    async save({
      refundId,
      storeOrderId,
      amountMinor,
      currency,
    }: FollowedRefund): Promise<Omit<FollowedRefundState, "refundId">> {
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
      return { recordId: row.record_id, isRecorded: row.recorded_at !== null };
    },
    /** @param recordId null if the store cannot have a record of the refund */
    markRecorded: (refundId: string, recordId: number | null) =>
      end(refundId, { record_id: recordId, recorded_at: now }),
    markFailed: (refundId: string) => end(refundId, { failed_at: now }),
    async ofOrder(storeOrderId: number): Promise<FollowedRefundState[]> {
      const rows = await db
        .selectFrom("followed_refunds")
        .select(["refund_id", "record_id", "recorded_at"])
        .where(({ and }) => and({ store_id: storeId, store_order_id: storeOrderId }))
        .execute();
      return rows.map(({ refund_id, record_id, recorded_at }) => ({
        refundId: refund_id,
        recordId: record_id,
        isRecorded: recorded_at !== null,
      }));
    },
    /** Replaces the record ID after the previous record was deleted in the store. */
    async replaceRecord(refundId: string, recordId: number): Promise<void> {
      await db
        .updateTable("followed_refunds")
        .set({ record_id: recordId })
        .where(({ and }) => and({ store_id: storeId, refund_id: refundId }))
        .execute();
    },
    /** Returns outcomes by refund ID, without unknown refunds. */
    async outcomes(refundIds: string[]): Promise<Map<string, RefundOutcome>> {
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
