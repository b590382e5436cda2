import { randomUUID } from "node:crypto";
import { TillgateApiError } from "@tillgate/client";
import type { Order } from "@tillgate/contract";
import { fill } from "../health/texts.js";
import type { PlacedPayment, RecoveredPayment } from "../records/records.js";
import type { StoreCredential } from "../settings.js";
import type { StoreOrder } from "../store/store-access.js";
import { amountText, isZeroAmount, tryStoreTotal, tryWireAmount } from "../store/store-amount.js";
import { withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { buildOutgoingRefund } from "./create-outgoing-refund.js";
import { tillgateClient } from "./credentials.js";
import { listRefunds } from "./follow-refunds.js";
import { isMarked, paymentRequest, readMarkedOrderId } from "./payment-request.js";

/**
 * Restores a payment that is missing from the database. Moves no money and does not change the store.
 * @param credential the credential whose secret signed the event
 * @returns null if Tillgate has no order with this ID from this store, or the store order was deleted or its ID reused
 */
export async function recoverPayment(
  context: ConnectorContext,
  tillgateOrderId: string,
  credential: StoreCredential,
): Promise<PlacedPayment | null> {
  const { log, payments, settings, store } = context;
  const remote = await readOrder(context, tillgateOrderId, credential);
  const storeOrderId = remote === null ? null : readMarkedOrderId(settings.siteUrl, remote);
  if (remote === null || storeOrderId === null) return null;
  return withOrderClaim(context, storeOrderId, async () => {
    const existing = await payments.byTillgateOrder(tillgateOrderId);
    if (existing !== null) return existing;
    const order = await store.order(storeOrderId);
    // Without the store's order, or if its ID was reused, it is unknown which order was paid.
    if (order === null || !isMarked(settings.siteUrl, order, remote)) return null;
    // Refunds first, because without the payment no refund is sent, even if this process crashes in between.
    await recoverRefunds(context, remote, order, credential);
    const payment = await payments.recover(toRecoveredPayment(context, remote, order, credential));
    log.warn(
      { order: storeOrderId, tillgateOrder: tillgateOrderId },
      "Recovered a payment missing from the database",
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
    return await tillgateClient(context, credential).orders.get(tillgateOrderId);
  } catch (error) {
    if (error instanceof TillgateApiError && error.status === 404) return null;
    throw error;
  }
}

function toRecoveredPayment(
  context: ConnectorContext,
  remote: Order,
  order: StoreOrder,
  credential: StoreCredential,
): RecoveredPayment {
  const amountMinor = tryWireAmount(remote.raw_amount, remote.currency);
  if (amountMinor === null || remote.payment_url === null)
    throw new Error(`${remote.order_id} has no payment page, or an invalid amount.`);
  const { currency } = remote;
  return {
    storeOrderId: order.id,
    amountMinor,
    currency,
    credential,
    request: {
      ...paymentRequest(context.settings, order, { amountMinor, currency }),
      // The original key is unknown, and no longer needed, because the Tillgate order exists.
      idempotency_key: randomUUID(),
    },
    order: {
      tillgateOrderId: remote.order_id,
      paymentUrl: remote.payment_url,
      qrData: remote.qr_data,
      expiresAt: new Date(remote.expires_at),
    },
    trxId: remote.trx_id,
    startedAt: new Date(remote.created_at),
    // If the store already has this transaction, the payment was applied before the loss.
    state:
      remote.trx_id === null || order.transactionId !== remote.trx_id
        ? "pending"
        : remote.status === "REFUNDED"
          ? "refunded"
          : "paid",
  };
}

/**
 * Stores the shop's refunds again. A refund that Tillgate does not have under its reference is not sent, because its money may have been
 * refunded another way; the shop owner must check it.
 */
async function recoverRefunds(
  context: ConnectorContext,
  { order_id: tillgateOrderId, trx_id: trxId }: Order,
  order: StoreOrder,
  credential: StoreCredential,
): Promise<void> {
  const { outgoingRefunds, reporter, settings, store } = context;
  if (trxId === null) return;
  const records = await store.refunds(order.id);
  if (records.length === 0) return;
  const sent = await listRefunds(context, credential, trxId);
  const rows = await outgoingRefunds.ofOrder(order.id);
  const isSentRefundId = (id: string | null) => sent.some(({ refund_id }) => refund_id === id);
  let beforeMinor = 0n;
  for (const record of records) {
    // Zero-amount refunds only restock. Unreadable amounts are never sent; the order check reports them.
    if (isZeroAmount(record.amount)) continue;
    const minor = tryStoreTotal(record.amount, order.currency);
    if (minor === null) continue;
    const isOurs = record.tillgateRefundId !== null || isSentRefundId(record.refundIdInReason);
    if (!isOurs && !rows.some(({ recordId }) => recordId === record.id)) {
      const payment = { trxId, tillgateOrderId };
      const { refund } = buildOutgoingRefund(settings, payment, order, rows, record, { minor, beforeMinor });
      const found = sent.find(
        (candidate) =>
          candidate.reference === refund.reference &&
          tryWireAmount(candidate.raw_amount, candidate.currency) === minor,
      );
      if (found === undefined) {
        await outgoingRefunds.createUnsent(refund, { state: "ignored", refundId: null });
        await reporter.reportProblem({
          kind: "mismatch",
          subject: `refund ${record.id}`,
          storeOrderId: order.id,
          text: fill(
            "The shop has refund #{store_refund} of {amount}, which doesn’t exist in Tillgate, and the connector’s own record of it was lost. The refund won’t be sent. Please check whether the customer received the money.",
            { store_refund: record.id, amount: amountText(minor, order.currency) },
          ),
        });
      } else {
        const row = await outgoingRefunds.create(refund);
        await outgoingRefunds.setState(record.id, found.status, found.refund_id);
        rows.push({ ...row, state: found.status, refundId: found.refund_id });
      }
    }
    beforeMinor += minor;
  }
}
