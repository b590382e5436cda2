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
import { tillgateOf } from "./credentials.js";
import { refundsOfPayment } from "./follow-refunds.js";

/**
 * Asks store and Tillgate about a payment, its order and their refunds, and compares. Under the order's claim, so that
 * nothing is compared while it is being changed. Changes nothing.
 * @throws StoreError, the client's errors, ConnectorError `busy`, `credential_gone`
 */
export async function comparePayment(
  context: ConnectorContext,
  payment: PlacedPayment,
): Promise<Difference[]> {
  return withOrderClaim(context, payment.storeOrderId, async () => {
    const { comparison: rules, payments, store } = context;
    const order = await store.order(payment.storeOrderId);
    const remote = await orderAt(context, payment);
    const ofOrder = await payments.ofOrder(payment.storeOrderId);
    // Their refunds are compared with the payment that the store order carries.
    const isCarried = order !== null && remote !== null && order.transactionId === remote.trx_id;
    const refunds = isCarried ? await refundsAt(context, payment, order, remote) : [];
    const records = isCarried && order.hasRefunds !== false ? await store.refunds(order.id) : [];
    return compareOrder({
      rules,
      order: order === null ? null : await storeSide(context, order, records, refunds),
      payment: {
        tillgateOrderId: payment.order.tillgateOrderId,
        amountMinor: payment.amountMinor,
        currency: payment.currency,
        isCurrent: payment.isCurrent,
        isLearned: remote !== null && isKnownToTillgate(payment, remote),
        siblings: ofOrder.flatMap(({ id, trxId }) => (id === payment.id || trxId === null ? [] : [trxId])),
      },
      remote: remote === null ? null : await tillgateSide(context, remote, refunds),
    });
  });
}

/** @returns null where Tillgate has no such order */
async function orderAt(
  context: ConnectorContext,
  { credential, order }: PlacedPayment,
): Promise<Order | null> {
  try {
    return await tillgateOf(context, credential).orders.get(order.tillgateOrderId);
  } catch (error) {
    if (error instanceof TillgateApiError && error.status === 404) return null;
    throw error;
  }
}

/** The completed refunds of a payment; none is asked for where neither side has any. */
async function refundsAt(
  context: ConnectorContext,
  { credential }: PlacedPayment,
  order: StoreOrder,
  remote: Order,
): Promise<Refund[]> {
  const isRefunded = remote.refunded_amount > 0 || remote.status !== "PAID" || order.hasRefunds !== false;
  if (remote.trx_id === null || !isRefunded) return [];
  return refundsOfPayment(context, credential, remote.trx_id, "completed");
}

/** Whether the end that Tillgate tells of was brought into the store. */
function isKnownToTillgate({ state }: PlacedPayment, { status }: Order): boolean {
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

async function storeSide(
  context: ConnectorContext,
  order: StoreOrder,
  records: readonly RefundRecord[],
  refunds: readonly Refund[],
): Promise<ComparedStoreOrder> {
  const { clocks, comparison, followedRefunds, outgoingRefunds, settings } = context;
  const rows = await outgoingRefunds.ofOrder(order.id);
  const known = await followedRefunds.byRecord(order.id);
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
          known.get(record.id) ??
          // A process that died after the call: Tillgate has the refund by its reference.
          refunds.find(({ reference }) => row !== undefined && reference === row.reference)?.refund_id ??
          refunds.find(({ refund_id }) => refund_id === record.refundIdInReason)?.refund_id ??
          null,
        sent: sentOf(row),
      };
    }),
  };
}

function sentOf(row: OutgoingRefund | undefined): ComparedRecord["sent"] {
  if (row === undefined) return "no";
  switch (row.state) {
    case "given_up":
      return "unknown";
    // Its money moved with the refund that it repeats.
    case "repeated":
      return "completed";
    default:
      return row.state;
  }
}

async function tillgateSide(
  { clocks, comparison, followedRefunds }: ConnectorContext,
  remote: Order,
  refunds: readonly Refund[],
): Promise<ComparedTillgateOrder> {
  const isFresh = (time: string | null) =>
    time !== null && clocks.nowMs("tillgate") - Date.parse(time) < comparison.freshMs;
  const ends = await followedRefunds.ends(refunds.map(({ refund_id }) => refund_id));
  const hasEnded = remote.status === "EXPIRED" || remote.status === "CANCELLED";
  return {
    ...remote,
    isFresh: isFresh(hasEnded ? remote.expires_at : remote.paid_at),
    refunds: refunds.map((refund) => ({
      ...refund,
      isLearned: ends.get(refund.refund_id) === "recorded",
      isFresh: isFresh(refund.created_at),
    })),
  };
}
