import type { KnownAttempt } from "../records/records.js";
import { type NoteFields, ruleStatus, type Situation } from "../rules.js";
import type { StoreOrder } from "../store/store-access.js";
import { amountText, tryStoreTotal } from "../store/store-amount.js";
import { isRefundFact, type PaymentFact } from "./facts.js";

/** What a decision is about: something that happened to a payment, or that the store order itself changed. */
export type Occurrence = PaymentFact | { event: "store.changed" | "store.refunded" };

/** Compares what happened with the attempt it is about and with the store's own order, as the rules ask. */
export function situationOf(
  occurrence: Occurrence,
  attempt: KnownAttempt,
  order: StoreOrder,
  paymentMethod: string,
  origin: Situation["origin"] = "tillgate",
): Situation {
  return {
    event: occurrence.event,
    status: ruleStatus(order.status),
    attempt: attempt.isCurrent ? "current" : "older",
    method: order.paymentMethod === paymentMethod ? "tillgate" : "other",
    payment: paymentOf(order, "trxId" in occurrence ? occurrence.trxId : attempt.trxId),
    amount: isAttemptOf(attempt, order) && tellsOfAttempt(occurrence, attempt) ? "same" : "different",
    asked_by: attempt.cancelReason === null ? "other" : "connector",
    origin,
  };
}

/** What a note may speak of, as far as it is known. */
export function noteFieldsOf(
  occurrence: Occurrence,
  attempt: KnownAttempt,
  order: StoreOrder,
): Partial<NoteFields> {
  const trxId = "trxId" in occurrence ? occurrence.trxId : attempt.trxId;
  const refund =
    "refund" in occurrence
      ? `refund ${occurrence.refund.refund_id} over ${occurrence.refund.amount}`
      : "full refund";
  return {
    amount: amountText(attempt.amountMinor, attempt.currency),
    ...(trxId === null ? {} : { trx_id: trxId }),
    tillgate_order: attempt.order.tillgateOrderId,
    status: order.status,
    store_total: `${order.total} ${order.currency}`,
    refund,
    ...(attempt.cancelReason === null ? {} : { reason: attempt.cancelReason }),
  };
}

/** Whether the store order still asks for exactly what the attempt asks for. */
export const isAttemptOf = (attempt: { amountMinor: bigint; currency: string }, order: StoreOrder): boolean =>
  order.currency === attempt.currency && tryStoreTotal(order.total, order.currency) === attempt.amountMinor;

function paymentOf(order: StoreOrder, trxId: string | null): Situation["payment"] {
  if (order.transactionId === "") return "none";
  return order.transactionId === trxId ? "this" : "other";
}

const isStoreOccurrence = (occurrence: Occurrence): occurrence is Exclude<Occurrence, PaymentFact> =>
  occurrence.event === "store.changed" || occurrence.event === "store.refunded";

/** Whether what was told of the payment is what the connector asked for. */
function tellsOfAttempt(occurrence: Occurrence, attempt: KnownAttempt): boolean {
  if (isStoreOccurrence(occurrence)) return true;
  if (isRefundFact(occurrence)) return occurrence.refund.currency === attempt.currency;
  return (
    occurrence.amountMinor === attempt.amountMinor &&
    occurrence.currency === attempt.currency &&
    occurrence.reference === attempt.request.reference
  );
}
