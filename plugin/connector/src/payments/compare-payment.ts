import { TillgateApiError } from "@tillgate/client";
import type { Order, Refund } from "@tillgate/contract";
import type { OutgoingRefund, PlacedPayment } from "../records/records.js";
import type { RefundRecord, StoreOrder } from "../store/store-access.js";
import { withOrderClaim } from "./claim.js";
import { compareOrder } from "./compare-order.js";
import type {
  ComparedRecord,
  ComparedStoreOrder,
  ComparedTillgateOrder,
  Difference,
} from "./compared-sides.js";
import type { ConnectorContext } from "./context.js";
import { tillgateClient } from "./credentials.js";
import { listRefunds } from "./follow-refunds.js";

/**
 * Reads a payment, its order and their refunds from store and Tillgate, and compares them. The order is claimed, so that
 * it is not compared during a change. Read-only.
 * @throws StoreError, the client's errors, ConnectorError `busy`, `credential_gone`, `site_moved`
 */
export async function comparePayment(
  context: ConnectorContext,
  payment: PlacedPayment,
): Promise<Difference[]> {
  return withOrderClaim(context, payment.storeOrderId, async () => {
    const { comparison: rules, payments, store } = context;
    const order = await store.order(payment.storeOrderId);
    const remote = await readTillgateOrder(context, payment);
    const ofOrder = await payments.ofOrder(payment.storeOrderId);
    // Refunds are compared only for the payment whose transaction ID the store order has.
    const isCarried = order !== null && remote !== null && order.transactionId === remote.trx_id;
    const refunds = isCarried ? await readRefunds(context, payment, order, remote) : [];
    const records = isCarried && order.hasRefunds !== false ? await store.refunds(order.id) : [];
    return compareOrder({
      rules,
      order: order === null ? null : await toStoreSide(context, order, records, refunds),
      payment: {
        tillgateOrderId: payment.order.tillgateOrderId,
        amountMinor: payment.amountMinor,
        currency: payment.currency,
        isCurrent: payment.isCurrent,
        isApplied: remote !== null && isStateApplied(payment, remote),
        siblings: ofOrder.flatMap(({ id, trxId }) => (id === payment.id || trxId === null ? [] : [trxId])),
      },
      remote: remote === null ? null : await toTillgateSide(context, remote, refunds),
    });
  });
}

/** Reads the Tillgate order. @returns null if it does not exist. */
async function readTillgateOrder(
  context: ConnectorContext,
  { credential, order }: PlacedPayment,
): Promise<Order | null> {
  try {
    return await tillgateClient(context, credential).orders.get(order.tillgateOrderId);
  } catch (error) {
    if (error instanceof TillgateApiError && error.status === 404) return null;
    throw error;
  }
}

/** Reads the completed refunds of a payment. Sends no request if neither side has any. */
async function readRefunds(
  context: ConnectorContext,
  { credential }: PlacedPayment,
  order: StoreOrder,
  remote: Order,
): Promise<Refund[]> {
  const isRefunded = remote.refunded_amount > 0 || remote.status !== "PAID" || order.hasRefunds !== false;
  if (remote.trx_id === null || !isRefunded) return [];
  return listRefunds(context, credential, remote.trx_id, "completed");
}

/** Returns whether Tillgate's state of the payment was applied to the store. */
function isStateApplied({ state }: PlacedPayment, { status }: Order): boolean {
  switch (status) {
    case "PENDING":
      return true;
    case "EXPIRED":
    case "CANCELLED":
      return state !== "pending";
    case "PAID":
    case "REFUND_PENDING":
    case "REFUNDED":
      return state === "paid" || state === "refunded";
  }
}

async function toStoreSide(
  context: ConnectorContext,
  order: StoreOrder,
  records: readonly RefundRecord[],
  refunds: readonly Refund[],
): Promise<ComparedStoreOrder> {
  const { clocks, comparison, followedRefunds, outgoingRefunds, settings } = context;
  const rows = await outgoingRefunds.ofOrder(order.id);
  const refundIds = await followedRefunds.byRecord(order.id);
  return {
    status: order.status,
    isPayable: order.isPayable,
    isPaid: order.isPaid,
    total: order.total,
    currency: order.currency,
    isTillgate: order.paymentMethod === settings.paymentMethod,
    transactionId: order.transactionId,
    isFresh:
      order.modifiedAt !== null && clocks.nowMs("store") - order.modifiedAt.getTime() < comparison.freshMs,
    records: records.map((record): ComparedRecord => {
      const row = rows.find(({ recordId }) => recordId === record.id);
      return {
        id: record.id,
        amount: record.amount,
        refundId:
          record.tillgateRefundId ??
          row?.refundId ??
          refundIds.get(record.id) ??
          // If a process crashed after the request, Tillgate has the refund under its reference.
          refunds.find(({ reference }) => row !== undefined && reference === row.reference)?.refund_id ??
          refunds.find(({ refund_id }) => refund_id === record.refundIdInReason)?.refund_id ??
          null,
        sent: toSentState(row),
      };
    }),
  };
}

function toSentState(row: OutgoingRefund | undefined): ComparedRecord["sent"] {
  if (row === undefined) return "no";
  switch (row.state) {
    case "given_up":
      return "unknown";
    // The money was moved by the refund that it repeats.
    case "repeated":
      return "completed";
    default:
      return row.state;
  }
}

async function toTillgateSide(
  { clocks, comparison, followedRefunds }: ConnectorContext,
  remote: Order,
  refunds: readonly Refund[],
): Promise<ComparedTillgateOrder> {
  const isFresh = (time: string | null) =>
    time !== null && clocks.nowMs("tillgate") - Date.parse(time) < comparison.freshMs;
  const ends = await followedRefunds.outcomes(refunds.map(({ refund_id }) => refund_id));
  const hasEnded = remote.status === "EXPIRED" || remote.status === "CANCELLED";
  return {
    ...remote,
    isFresh: isFresh(hasEnded ? remote.expires_at : remote.paid_at),
    refunds: refunds.map((refund) => ({
      ...refund,
      isApplied: ends.get(refund.refund_id) === "recorded",
      isFresh: isFresh(refund.created_at),
    })),
  };
}
