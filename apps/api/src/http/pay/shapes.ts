import type { Order, Payment, Refund } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import { type Currency, formatAmount, toWireNumber } from "@tillgate/money";
import type { RefundOfPayment } from "../../money/refunds/read.js";
import { parseMetadata } from "../../pagination/metadata.js";
import { paymentAddress, wireTime } from "../shared/shapes.js";

export function toOrder(order: OrderModel, currency: Currency, payUrl: string): Order {
  const address = paymentAddress(payUrl, order);
  return {
    order_id: order.id,
    amount: formatAmount(order.amount, currency),
    raw_amount: toWireNumber(order.amount, currency.digits),
    currency: order.currency,
    payment_method: order.paymentMethod,
    reference: order.reference,
    description: order.description,
    terminal_id: order.terminalId,
    status: order.state,
    qr_data: order.paymentMethod === "payment_page" ? null : address,
    payment_url: order.paymentMethod === "qr_only" ? null : address,
    trx_id: order.trxId,
    paid_at: order.paidAt && wireTime(order.paidAt),
    expires_at: wireTime(order.expiresAt),
    created_at: wireTime(order.createdAt),
    refunded_amount: toWireNumber(order.refunded, currency.digits),
    metadata: parseMetadata(order),
    locale: order.locale,
  };
}

export const toRefund = (refund: RefundOfPayment, currency: Currency): Refund => ({
  refund_id: refund.id,
  transaction_id: refund.trxId,
  amount: formatAmount(refund.amount, currency),
  raw_amount: toWireNumber(refund.amount, currency.digits),
  currency: refund.currency,
  status: refund.status,
  reason: refund.reason ?? "",
  reference: refund.reference ?? "",
  metadata: parseMetadata(refund),
  created_at: wireTime(refund.createdAt),
});

export const toPayment = (order: OrderModel, currency: Currency): Payment => ({
  token: order.token,
  order_id: order.id,
  status: order.state,
  amount: formatAmount(order.amount, currency),
  raw_amount: toWireNumber(order.amount, currency.digits),
  currency: order.currency,
  order_number: order.orderNumber,
  custom: order.custom,
  metadata: parseMetadata(order),
  locale: order.locale,
  trx_id: order.trxId,
  paid_at: order.paidAt && wireTime(order.paidAt),
  expires_at: wireTime(order.expiresAt),
  created_at: wireTime(order.createdAt),
});
