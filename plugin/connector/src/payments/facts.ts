import type { Order, OrderEvent, Refund, RefundEvent } from "@tillgate/contract";
import { tryWireAmount } from "../store/store-amount.js";

/** A state change of a payment, from any source: webhook, sweep or status check. */
export type PaymentFact = OrderFact | RefundFact;

export type OrderFact = {
  event: OrderEvent["event"];
  tillgateOrderId: string;
  /** Minor units; null if the received amount is invalid in the currency. */
  amountMinor: bigint | null;
  currency: string;
  reference: string | null;
  trxId: string | null;
};

export type RefundFact = {
  event: RefundEvent["event"];
  tillgateOrderId: string;
  /** Transaction ID of the refunded payment. */
  trxId: string;
  refund: Refund;
};

export const isRefundFact = (fact: PaymentFact): fact is RefundFact => "refund" in fact;

const isRefundEvent = (event: OrderEvent | RefundEvent): event is RefundEvent => "refund_id" in event.data;

export function toFact(event: OrderEvent | RefundEvent): PaymentFact {
  if (isRefundEvent(event)) {
    const { order_id, ...refund } = event.data;
    return { event: event.event, tillgateOrderId: order_id, trxId: refund.transaction_id, refund };
  }
  const { order_id, amount, currency, reference, trx_id } = event.data;
  return {
    event: event.event,
    tillgateOrderId: order_id,
    amountMinor: tryWireAmount(amount, currency),
    currency,
    reference,
    trxId: trx_id,
  };
}

/** Returns the state changes that led to the order's state, in chronological order; none while the order is PENDING. */
export function toOrderFacts(order: Order): OrderFact[] {
  const fact = (event: OrderFact["event"]): OrderFact => ({
    event,
    tillgateOrderId: order.order_id,
    amountMinor: tryWireAmount(order.raw_amount, order.currency),
    currency: order.currency,
    reference: order.reference,
    trxId: order.trx_id,
  });
  switch (order.status) {
    case "PENDING":
      return [];
    case "EXPIRED":
      return [fact("pos.order.expired")];
    case "CANCELLED":
      return [fact("pos.order.cancelled")];
    case "PAID":
    case "REFUND_PENDING":
      return [fact("pos.order.paid")];
    case "REFUNDED":
      return [fact("pos.order.paid"), fact("pos.order.refunded")];
  }
}
