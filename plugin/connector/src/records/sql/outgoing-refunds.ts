import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import type { NewOutgoingRefund, OutgoingRefund, OutgoingRefundState } from "../model.js";
import type { Database, Tables } from "./database.js";

const toOutgoingRefund = (
  row: Selectable<Tables["outgoing_refunds"]> & { age_ms: number },
): OutgoingRefund => ({
  recordId: row.record_id,
  storeOrderId: row.store_order_id,
  tillgateOrderId: row.tillgate_order_id,
  trxId: row.trx_id,
  idempotencyKey: row.idempotency_key,
  reference: row.reference,
  reason: row.reason,
  amountMinor: BigInt(row.amount_minor),
  currency: row.currency,
  state: row.state,
  refundId: row.refund_id,
  isDeleted: row.deleted_at !== null,
  ageMs: row.age_ms,
});

/** Stores refunds that were made in the store, with their state in Tillgate or a state that marks them as never sent. */
export function sqlOutgoingRefunds({ db, now }: Database, storeId: string) {
  const recordIs =
    (recordId: number) =>
    ({ and }: ExpressionBuilder<Tables, "outgoing_refunds">) =>
      and({ store_id: storeId, record_id: recordId });
  const age = sql<number>`${now} - created_at`.as("age_ms");
  const ofOrder = (storeOrderId: number) =>
    db
      .selectFrom("outgoing_refunds")
      .selectAll()
      .select(age)
      .where(({ and }) => and({ store_id: storeId, store_order_id: storeOrderId }));
  const insert = (refund: NewOutgoingRefund) => ({
    store_id: storeId,
    record_id: refund.recordId,
    store_order_id: refund.storeOrderId,
    tillgate_order_id: refund.tillgateOrderId,
    trx_id: refund.trxId,
    idempotency_key: refund.idempotencyKey,
    reference: refund.reference,
    reason: refund.reason,
    amount_minor: refund.amountMinor,
    currency: refund.currency,
    created_at: now,
  });
  return {
    /** Returns refunds sorted by the store's record ID. */
    async ofOrder(storeOrderId: number): Promise<OutgoingRefund[]> {
      return (await ofOrder(storeOrderId).orderBy("record_id").execute()).map(toOutgoingRefund);
    },
    /** @throws the database's error if another refund has the same key */
    async create(refund: NewOutgoingRefund): Promise<OutgoingRefund> {
      const row = await db
        .insertInto("outgoing_refunds")
        .values(insert(refund))
        .returningAll()
        .returning(age)
        .executeTakeFirstOrThrow();
      return toOutgoingRefund(row);
    },
    /** Stores a refund that is never sent, because an earlier refund already moved the money, or no money may be moved. */
    async createUnsent(
      refund: NewOutgoingRefund,
      { state, refundId }: { state: "repeated"; refundId: string } | { state: "ignored"; refundId: null },
    ): Promise<void> {
      await db
        .insertInto("outgoing_refunds")
        .values({ ...insert(refund), state, refund_id: refundId })
        .execute();
    },
    /** Assigns a refund with an unknown outcome and a deleted store record to the record that replaced the deleted one. The refund is sent again. */
    async reassign(deletedId: number, recordId: number): Promise<OutgoingRefund> {
      const row = await db
        .updateTable("outgoing_refunds")
        .set({ record_id: recordId, state: "calling", deleted_at: null })
        .where(recordIs(deletedId))
        .where("refund_id", "is", null)
        .where("deleted_at", "is not", null)
        .returningAll()
        .returning(age)
        .executeTakeFirstOrThrow();
      return toOutgoingRefund(row);
    },
    /** Stores the state and Tillgate ID of a refund. Final states do not change. */
    async setState(
      recordId: number,
      state: Exclude<OutgoingRefundState, "calling" | "repeated" | "ignored">,
      refundId: string | null,
    ): Promise<void> {
      await db
        .updateTable("outgoing_refunds")
        .set({ state, ...(refundId === null ? {} : { refund_id: refundId }) })
        .where(recordIs(recordId))
        .where("state", "in", ["calling", "pending", "given_up"])
        .execute();
    },
    /** Finds a refund of the order by its Tillgate ID, or by its reference while the ID is unknown. */
    async find(
      storeOrderId: number,
      { refundId, reference }: { refundId: string; reference: string | null },
    ): Promise<OutgoingRefund | null> {
      const row = await ofOrder(storeOrderId)
        .where("state", "not in", ["refused", "repeated", "ignored"])
        .where(({ or, and, eb }) =>
          or([
            eb("refund_id", "=", refundId),
            and([eb("refund_id", "is", null), eb("reference", "=", reference ?? "")]),
          ]),
        )
        .executeTakeFirst();
      return row === undefined ? null : toOutgoingRefund(row);
    },
    async markDeleted(recordId: number): Promise<void> {
      await db
        .updateTable("outgoing_refunds")
        .set({ deleted_at: now })
        .where(recordIs(recordId))
        .where("deleted_at", "is", null)
        .execute();
    },
  };
}
