import { randomUUID } from "node:crypto";
import { TillgateApiError } from "@tillgate/client";
import type { Order } from "@tillgate/contract";
import type { AdoptedPayment, PlacedPayment } from "../records/records.js";
import type { StoreCredential } from "../settings.js";
import type { StoreOrder } from "../store/store-access.js";
import { amountText, isZeroAmount, tryStoreTotal, tryWireAmount } from "../store/store-amount.js";
import { outgoingRefundOf } from "./begin-outgoing-refund.js";
import { withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { tillgateOf } from "./credentials.js";
import { refundsOfPayment } from "./follow-refunds.js";
import { isMarked, markedOrderId, paymentRequest } from "./payment-request.js";

/**
 * Takes a payment into the records again that they lost: Tillgate's order names its store order. No money moves, and the store is
 * not changed: what happened to the payment is applied by its event.
 *
 * @param credential whose secret signed the event
 * @returns null where Tillgate has no such order of this store, or the store has that order no more
 */
export async function adoptPayment(
  context: ConnectorContext,
  tillgateOrderId: string,
  credential: StoreCredential,
): Promise<PlacedPayment | null> {
  const { log, payments, settings, store } = context;
  const remote = await readOrder(context, tillgateOrderId, credential);
  const storeOrderId = remote === null ? null : markedOrderId(settings.siteUrl, remote);
  if (remote === null || storeOrderId === null) return null;
  return withOrderClaim(context, storeOrderId, async () => {
    const known = await payments.byTillgateOrder(tillgateOrderId);
    if (known !== null) return known;
    const order = await store.order(storeOrderId);
    // A payment of an order that is gone would be paid back by the rules; nobody knows here whether it was.
    if (order === null || !isMarked(settings.siteUrl, order, remote)) return null;
    // Before the payment: without it nothing is sent, also if this process ends in between.
    await adoptRefunds(context, remote, order, credential);
    const payment = await payments.adopt(adopted(context, remote, order, credential));
    log.warn(
      { order: storeOrderId, tillgateOrder: tillgateOrderId },
      "Took a payment that the records had lost",
    );
    return payment;
  });
}

async function readOrder(
  context: ConnectorContext,
  tillgateOrderId: string,
  credential: StoreCredential,
): Promise<Order | null> {
  try {
    return await tillgateOf(context, credential).orders.get(tillgateOrderId);
  } catch (error) {
    if (error instanceof TillgateApiError && error.status === 404) return null;
    throw error;
  }
}

function adopted(
  context: ConnectorContext,
  remote: Order,
  order: StoreOrder,
  credential: StoreCredential,
): AdoptedPayment {
  const amountMinor = tryWireAmount(remote.raw_amount, remote.currency);
  if (amountMinor === null || remote.payment_url === null)
    throw new Error(`${remote.order_id} has no payment page, or no amount of its currency.`);
  const { currency } = remote;
  return {
    storeOrderId: order.id,
    amountMinor,
    currency,
    credential,
    request: {
      ...paymentRequest(context.settings, order, { amountMinor, currency }),
      // Its own is not known. It is asked for no more: Tillgate has made the order.
      idempotency_key: randomUUID(),
    },
    order: {
      tillgateOrderId: remote.order_id,
      paymentUrl: remote.payment_url,
      qrData: remote.qr_data,
      expiresAt: new Date(remote.expires_at),
    },
    trxId: remote.trx_id,
    beganAt: new Date(remote.created_at),
    // What the store shows was told before: it is not decided as if it were new.
    state:
      remote.trx_id === null || order.transactionId !== remote.trx_id
        ? "pending"
        : remote.status === "REFUNDED"
          ? "refunded"
          : "paid",
  };
}

/**
 * Takes in the refunds that the store shows and that are not Tillgate's own. One that was sent is found at Tillgate by its reference;
 * any other is never sent, because nobody knows whether its money went another way, and a person is asked.
 */
async function adoptRefunds(
  context: ConnectorContext,
  { order_id: tillgateOrderId, trx_id: trxId }: Order,
  order: StoreOrder,
  credential: StoreCredential,
): Promise<void> {
  const { outgoingRefunds, reporter, settings, store } = context;
  if (trxId === null) return;
  const records = await store.refunds(order.id);
  if (records.length === 0) return;
  const sent = await refundsOfPayment(context, credential, trxId);
  const rows = await outgoingRefunds.ofOrder(order.id);
  const isTillgates = (id: string | null) => sent.some(({ refund_id }) => refund_id === id);
  let beforeMinor = 0n;
  for (const record of records) {
    // One of zero only restocks; one that cannot be read is reported when the order is checked, and never sent.
    if (isZeroAmount(record.amount)) continue;
    const minor = tryStoreTotal(record.amount, order.currency);
    if (minor === null) continue;
    const isOurs = record.tillgateRefundId !== null || isTillgates(record.refundIdInReason);
    if (!isOurs && !rows.some(({ recordId }) => recordId === record.id)) {
      const payment = { trxId, tillgateOrderId };
      const { refund } = outgoingRefundOf(settings, payment, order, rows, record, { minor, beforeMinor });
      const found = sent.find(
        (one) => one.reference === refund.reference && tryWireAmount(one.raw_amount, one.currency) === minor,
      );
      if (found === undefined) {
        await outgoingRefunds.notSent(refund, { state: "ignored", refundId: null });
        await reporter.problem({
          kind: "mismatch",
          subject: `refund ${record.id}`,
          storeOrderId: order.id,
          text: `The shop shows refund #${record.id} over ${amountText(minor, order.currency)}, of which Tillgate knows nothing and the connector has lost its own records. It is not sent: please look whether the shopper has the money.`,
        });
      } else {
        const row = await outgoingRefunds.begin(refund);
        await outgoingRefunds.answered(record.id, found.status, found.refund_id);
        rows.push({ ...row, state: found.status, refundId: found.refund_id });
      }
    }
    beforeMinor += minor;
  }
}
