import { randomUUID } from "node:crypto";
import { ledger, type OrderModel } from "@tillgate/database";
import { placeOf, spanned } from "@tillgate/service/tracing";
import type { Context } from "../../context.js";
import type { IdSpaces } from "../../ids/id-spaces.js";
import { callLedger, callLedgerSet } from "../../ledger/call.js";
import { inSets } from "../../sets/in-sets.js";
import type { SetWork } from "../../sets/set-work.js";

/** A decided payment: from a wallet in the order's currency, or by a quote of its shopper. */
export type PaymentToWrite = {
  order: Pick<OrderModel, "id" | "mode" | "merchantId" | "traceparent">;
  source: { payerAccountId: string } | { quoteId: string; walletUserId: string };
  /** Fills the wallet first: for the sandbox's test shopper. */
  topUp: boolean;
  /** What a passkey signed, where one confirmed the payment. */
  confirmation: ledger.PasskeyConfirmation | null;
  /** Of the page's call, for the order's timeline. */
  requestId: string;
};

/**
 * Writes a payment: alone, or with others that come at the same moment. Where it is traced, it continues the order's trace.
 * @returns the paid order.
 * @throws what the ledger refuses, as `callLedger`.
 */
export async function writePayment(context: Context, payment: PaymentToWrite): Promise<OrderModel> {
  const { id, traceparent } = payment.order;
  const attributes = { "tillgate.order_id": id, "tillgate.request_id": payment.requestId };
  const paid = await spanned("pay order", { parent: placeOf(traceparent), attributes }, () =>
    inSets(context, paymentSets, payment),
  );
  context.hints.changed(paid.id);
  context.counters.moved("payment", paid);
  return paid;
}

/** Payments of many shoppers are written together. */
const paymentSets: SetWork<PaymentToWrite, OrderModel> = {
  laneOf: ({ order }) => `${order.mode} ${order.merchantId}`,
  claimsOf: ({ order, source, confirmation }) => [
    order.id,
    ...("quoteId" in source ? [source.quoteId] : []),
    ...(confirmation === null ? [] : [confirmation.passkey_id]),
  ],
  together: (context, items) => callLedgerSet(context, paymentCall, items, () => null),
  alone: (context, item) =>
    callLedger(context, paymentCall.called, () => paymentCall.named(context.memory.ids, item)),
};

const paymentCall = {
  called: ledger.payOrders,
  named: (ids: IdSpaces, { order, source, topUp, confirmation, requestId }: PaymentToWrite) => ({
    orderId: order.id,
    mode: order.mode,
    payerAccountId: null,
    quoteId: null,
    walletUserId: null,
    ...source,
    trxId: ids.payment.next(order.merchantId),
    transferId: randomUUID(),
    topUpTransferId: topUp ? randomUUID() : null,
    confirmation: confirmation && JSON.stringify(confirmation),
    requestId,
  }),
  idOf: ({ orderId }: { orderId: string }) => orderId,
  answered: (order: OrderModel) => ({ id: order.id, done: order }),
};
