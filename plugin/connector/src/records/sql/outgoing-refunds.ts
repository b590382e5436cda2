import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import type { NewOutgoingRefund, OutgoingRefund, OutgoingRefunds } from "../records.js";
import type { Database, Tables } from "./database.js";

const refundOf = (row: Selectable<Tables["outgoing_refunds"]> & { age_ms: number }): OutgoingRefund => ({
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
  deleted: row.deleted_at !== null,
  ageMs: row.age_ms,
});

const recordIs =
  (storeId: string, recordId: number) =>
  ({ and }: ExpressionBuilder<Tables, "outgoing_refunds">) =>
    and({ store_id: storeId, record_id: recordId });

export function sqlOutgoingRefunds({ db, now }: Database): OutgoingRefunds {
  const age = sql<number>`${now} - created_at`.as("age_ms");
  const ofOrder = (storeId: string, storeOrderId: number) =>
    db
      .selectFrom("outgoing_refunds")
      .selectAll()
      .select(age)
      .where(({ and }) => and({ store_id: storeId, store_order_id: storeOrderId }));
  const insert = (storeId: string, refund: NewOutgoingRefund) => ({
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
    async ofOrder(storeId, storeOrderId) {
      return (await ofOrder(storeId, storeOrderId).orderBy("record_id").execute()).map(refundOf);
    },
    async begin(storeId, refund) {
      const row = await db
        .insertInto("outgoing_refunds")
        .values(insert(storeId, refund))
        .returningAll()
        .returning(age)
        .executeTakeFirstOrThrow();
      return refundOf(row);
    },
    async notSent(storeId, refund, { state, refundId }) {
      await db
        .insertInto("outgoing_refunds")
        .values({ ...insert(storeId, refund), state, refund_id: refundId })
        .execute();
    },
    async continueAs(storeId, deletedId, recordId) {
      const row = await db
        .updateTable("outgoing_refunds")
        .set({ record_id: recordId, state: "calling", deleted_at: null })
        .where(recordIs(storeId, deletedId))
        .where("refund_id", "is", null)
        .where("deleted_at", "is not", null)
        .returningAll()
        .returning(age)
        .executeTakeFirstOrThrow();
      return refundOf(row);
    },
    async answered(storeId, recordId, state, refundId) {
      await db
        .updateTable("outgoing_refunds")
        .set({ state, ...(refundId === null ? {} : { refund_id: refundId }) })
        .where(recordIs(storeId, recordId))
        .where("state", "in", ["calling", "pending", "given_up"])
        .execute();
    },
    async find(storeId, storeOrderId, { refundId, reference }) {
      const row = await ofOrder(storeId, storeOrderId)
        .where("state", "not in", ["refused", "repeated", "ignored"])
        .where(({ or, and, eb }) =>
          or([
            eb("refund_id", "=", refundId),
            and([eb("refund_id", "is", null), eb("reference", "=", reference ?? "")]),
          ]),
        )
        .executeTakeFirst();
      return row === undefined ? null : refundOf(row);
    },
    async deleted(storeId, recordId) {
      await db
        .updateTable("outgoing_refunds")
        .set({ deleted_at: now })
        .where(recordIs(storeId, recordId))
        .where("deleted_at", "is", null)
        .execute();
    },
  };
}
