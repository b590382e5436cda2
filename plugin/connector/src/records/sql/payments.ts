import type { ExpressionBuilder, InsertObject, Selectable, Transaction } from "kysely";
import type {
  NewPayment,
  Payment,
  PaymentRequest,
  PaymentState,
  PlacedPayment,
  RecoveredPayment,
  TillgateOrder,
} from "../model.js";
import { type Database, inMs, type Tables } from "./database.js";
import { cancelDue } from "./due.js";

function toPayment(row: Selectable<Tables["payments"]>): Payment {
  // Not validated, because the connector itself wrote it.
  const request: PaymentRequest = JSON.parse(row.request);
  const { state, tillgate_order_id, payment_url, expires_at, mode, client_id } = row;
  const core = {
    id: row.id,
    storeOrderId: row.store_order_id,
    request,
    amountMinor: BigInt(row.amount_minor),
    currency: row.currency,
    credential: mode === null || client_id === null ? null : { mode, clientId: client_id },
    isCurrent: row.replaced_at === null,
    cancelReason: row.cancel_reason,
    trxId: row.trx_id,
  };
  if (state === "creating" || state === "refused") return { ...core, state, order: null };
  if (tillgate_order_id === null || payment_url === null || expires_at === null) {
    throw new Error(
      `Payment ${row.id} is ${state} without a Tillgate order, which violates a database constraint.`,
    );
  }
  const order = {
    tillgateOrderId: tillgate_order_id,
    paymentUrl: payment_url,
    qrData: row.qr_data,
    expiresAt: new Date(expires_at),
  };
  return { ...core, state, order };
}

const placed = (payment: Payment | null): PlacedPayment | null =>
  payment === null || payment.order === null ? null : payment;

const orderColumns = ({ tillgateOrderId, paymentUrl, qrData, expiresAt }: TillgateOrder) => ({
  tillgate_order_id: tillgateOrderId,
  payment_url: paymentUrl,
  qr_data: qrData,
  expires_at: expiresAt.getTime(),
});

type Row = InsertObject<Tables, "payments">;

const OPEN_STATES = ["creating", "pending"] as const;

export function sqlPayments(database: Database, storeId: string) {
  const { db, now } = database;
  const found = (row: Selectable<Tables["payments"]> | undefined) =>
    row === undefined ? null : toPayment(row);
  const ofStore = () => db.selectFrom("payments").selectAll().where("store_id", "=", storeId);
  /** Stores a final state, and deletes the scheduled check. */
  const end = (
    id: number,
    change: { state: PaymentState; given_up_at?: null; trx_id?: string },
    onlyFrom: readonly PaymentState[] = [],
  ): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable("payments")
        .set(change)
        .where("id", "=", id)
        .$if(onlyFrom.length > 0, (some) => some.where("state", "in", onlyFrom))
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      await cancelDue(transaction, { store_id: storeId, kind: "payment", subject: String(id) });
    });

  /** Inserts a payment, and schedules its check unless `checkAt` is null. */
  const insertPayment = async (
    transaction: Transaction<Tables>,
    { storeOrderId, request, amountMinor, currency, credential }: Omit<NewPayment, "checkInMs">,
    placement: Partial<Row> & Pick<Row, "created_at">,
    checkAt: InsertObject<Tables, "due">["due_at"] | null,
  ): Promise<Payment> => {
    const row = await transaction
      .insertInto("payments")
      .values({
        store_id: storeId,
        store_order_id: storeOrderId,
        idempotency_key: request.idempotency_key,
        request: JSON.stringify(request),
        amount_minor: amountMinor,
        currency,
        mode: credential.mode,
        client_id: credential.clientId,
        ...placement,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (checkAt !== null)
      await transaction
        .insertInto("due")
        .values({
          store_id: storeId,
          kind: "payment",
          subject: String(row.id),
          store_order_id: storeOrderId,
          due_at: checkAt,
        })
        .execute();
    return toPayment(row);
  };
  const isCurrentOf =
    (storeOrderId: number) =>
    ({ and, eb }: ExpressionBuilder<Tables, "payments">) =>
      and([and({ store_id: storeId, store_order_id: storeOrderId }), eb("replaced_at", "is", null)]);

  return {
    current: async (storeOrderId: number) =>
      found(await ofStore().where(isCurrentOf(storeOrderId)).executeTakeFirst()),
    byTillgateOrder: async (tillgateOrderId: string) =>
      placed(found(await ofStore().where("tillgate_order_id", "=", tillgateOrderId).executeTakeFirst())),
    byId: async (id: number) => found(await ofStore().where("id", "=", id).executeTakeFirst()),
    async byTransactions(trxIds: string[]): Promise<PlacedPayment[]> {
      const rows = await ofStore().where("trx_id", "in", trxIds).execute();
      return rows.flatMap((row) => placed(toPayment(row)) ?? []);
    },
    /** Returns the oldest payment first. */
    ofOrder: async (storeOrderId: number): Promise<Payment[]> =>
      (await ofStore().where("store_order_id", "=", storeOrderId).orderBy("id").execute()).map(toPayment),
    /** Returns placed payments with an ID above `id`, sorted by ID: those of the last `withinMs`, and older ones with stored differences. */
    async placedAfter(id: number, withinMs: number, limit: number): Promise<PlacedPayment[]> {
      const rows = await ofStore()
        .where("id", ">", id)
        .where("tillgate_order_id", "is not", null)
        .where(({ eb, or, selectFrom }) =>
          or([
            eb("created_at", ">=", inMs(database, -withinMs)),
            eb("id", "in", selectFrom("differences").select("payment_id").where("store_id", "=", storeId)),
          ]),
        )
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.flatMap((row) => placed(toPayment(row)) ?? []);
    },
    /** Returns the store orders that have a payment. */
    async knownOrders(storeOrderIds: number[]): Promise<number[]> {
      const rows = await db
        .selectFrom("payments")
        .select("store_order_id")
        .distinct()
        .where("store_id", "=", storeId)
        .where("store_order_id", "in", storeOrderIds)
        .execute();
      return rows.map(({ store_order_id }) => store_order_id);
    },

    /** Returns order numbers by store order ID, for orders with a payment. Plugins may assign numbers other than the ID. */
    async orderNumbers(storeOrderIds: number[]): Promise<Map<number, string>> {
      if (storeOrderIds.length === 0) return new Map();
      const rows = await db
        .selectFrom("payments")
        .select(["store_order_id", "request"])
        .where("store_id", "=", storeId)
        .where("store_order_id", "in", storeOrderIds)
        .where("replaced_at", "is", null)
        .execute();
      return new Map(
        rows.map(({ store_order_id, request }) => {
          const { reference }: PaymentRequest = JSON.parse(request);
          return [store_order_id, reference];
        }),
      );
    },

    start: ({ checkInMs, ...payment }: NewPayment): Promise<Payment> =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .updateTable("payments")
          .set({ replaced_at: now })
          .where(isCurrentOf(payment.storeOrderId))
          .execute();
        return insertPayment(transaction, payment, { created_at: now }, inMs(database, checkInMs));
      }),
    /** Stores a recovered payment. It becomes the current payment of its order unless there is a later payment. */
    recover: ({
      order,
      trxId,
      startedAt: beganAt,
      state,
      ...payment
    }: RecoveredPayment): Promise<PlacedPayment> =>
      db.transaction().execute(async (transaction) => {
        const startedMs = beganAt.getTime();
        const isCurrent = isCurrentOf(payment.storeOrderId);
        await transaction
          .updateTable("payments")
          .set({ replaced_at: now })
          .where(isCurrent)
          .where("created_at", "<=", startedMs)
          .execute();
        const later = await transaction
          .selectFrom("payments")
          .select("id")
          .where(isCurrent)
          .executeTakeFirst();
        const placement = {
          ...orderColumns(order),
          state,
          trx_id: trxId,
          created_at: startedMs,
          replaced_at: later === undefined ? null : now,
        };
        const stored = placed(
          await insertPayment(transaction, payment, placement, state === "pending" ? now : null),
        );
        if (stored === null) throw new Error(`Tillgate order ${order.tillgateOrderId} was not stored.`);
        return stored;
      }),
    async markPlaced(id: number, order: TillgateOrder): Promise<PlacedPayment> {
      const row = await db
        .updateTable("payments")
        .set({ ...orderColumns(order), state: "pending" })
        .where("id", "=", id)
        .where("state", "=", "creating")
        .returningAll()
        .executeTakeFirst();
      const payment = placed(found(row));
      if (payment === null) throw new Error(`Payment ${id} is not in the state \`creating\`.`);
      return payment;
    },
    markRejected: (id: number) => end(id, { state: "refused" }, ["creating"]),
    async markCancelling(id: number, reason: string): Promise<void> {
      await db.updateTable("payments").set({ cancel_reason: reason }).where("id", "=", id).execute();
    },
    /** An outcome reported by Tillgate must have been applied to the store first. */
    complete: (id: number, state: "paid" | "expired" | "cancelled" | "refunded", trxId: string | null) =>
      end(id, { state, given_up_at: null, ...(trxId === null ? {} : { trx_id: trxId }) }),
    /** Marks a payment as no longer checked. */
    async markAbandoned(id: number): Promise<void> {
      await db.updateTable("payments").set({ given_up_at: now }).where("id", "=", id).execute();
    },
    /** Counts the open payments, and how many of them are no longer checked. */
    async count(): Promise<{ underWay: number; givenUp: number }> {
      const { underWay, givenUp } = await db
        .selectFrom("payments")
        .select(({ fn }) => [
          fn.countAll<number>().as("underWay"),
          fn.count<number>("given_up_at").as("givenUp"),
        ])
        .where("store_id", "=", storeId)
        .where("state", "in", OPEN_STATES)
        .executeTakeFirstOrThrow();
      return { underWay, givenUp };
    },
  };
}
