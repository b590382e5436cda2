import { TillgateApiError } from "@tillgate/client";
import type { OrderEvent, RefundEvent } from "@tillgate/contract";
import type { PlacedPayment } from "../records/records.js";
import type { ConnectorContext } from "./context.js";
import { tillgateOf } from "./credentials.js";
import { factOfEvent, factsOfOrder, isRefundFact, type PaymentFact } from "./facts.js";

/**
 * Asks the API to confirm an event whose signature alone proves too little.
 * @returns the API's own state, which may act; null where the API does not confirm it
 * @throws the client's error where it cannot be asked: the delivery is to be repeated
 */
export async function confirmedFact(
  context: ConnectorContext,
  payment: PlacedPayment,
  event: OrderEvent | RefundEvent,
): Promise<PaymentFact | null> {
  const told = factOfEvent(event);
  const tillgate = tillgateOf(context, payment.credential);
  try {
    const order = await tillgate.orders.get(told.tillgateOrderId);
    if (!isRefundFact(told)) return factsOfOrder(order).find((fact) => fact.event === told.event) ?? null;
    const refund = await tillgate.refunds.get(told.refund.refund_id);
    const isSo = refund.transaction_id === order.trx_id && `refund.${refund.status}` === told.event;
    return isSo ? { ...told, trxId: refund.transaction_id, refund } : null;
  } catch (error) {
    if (error instanceof TillgateApiError && error.status === 404) return null;
    throw error;
  }
}
