import type { PlacedPayment } from "../records/records.js";
import { type Difference, type NoteFields, type Rules, ruleStatus, type Situation } from "../rules.js";
import type { StoreOrder } from "../store/store-access.js";
import { amountText, tryStoreTotal } from "../store/store-amount.js";
import { isRefundFact, type OrderFact, type PaymentFact } from "./facts.js";

/** The subject of a decision: something that happened to a payment, or a change of the store order. */
export type Occurrence = PaymentFact | { event: "store.changed" | "store.refunded" };

/**
 * Compares the fact with its payment and with the store's own order, as the rules ask.
 * @param order null where the store no longer has it
 */
export function situationOf(
  occurrence: Occurrence,
  payment: PlacedPayment,
  order: StoreOrder | null,
  paymentMethod: string,
  { origin = "tillgate", told = "first" }: Partial<Pick<Situation, "origin" | "told">> = {},
): Situation {
  if (order === null) return { ...deleted, event: occurrence.event, origin, told };
  return {
    event: occurrence.event,
    status: ruleStatus(order),
    attempt: payment.isCurrent ? "current" : "older",
    method: order.paymentMethod === paymentMethod ? "tillgate" : "other",
    payment: paymentOf(order, "trxId" in occurrence ? occurrence.trxId : payment.trxId),
    amount: isPaymentOf(payment, order) && reportsPayment(occurrence, payment) ? "same" : "different",
    asked_by: payment.cancelReason === null ? "other" : "connector",
    origin,
    told,
  };
}

/** A missing order has none of the values that the other conditions compare. */
const deleted = {
  status: "deleted",
  attempt: "current",
  method: "other",
  payment: "none",
  amount: "different",
  asked_by: "other",
} as const satisfies Partial<Situation>;

/** The fields of a note, as far as they are known. @param order null where the store no longer has it */
export function noteFieldsOf(
  rules: Rules,
  occurrence: Occurrence,
  payment: PlacedPayment,
  order: StoreOrder | null,
): Partial<NoteFields> {
  const trxId = "trxId" in occurrence ? occurrence.trxId : payment.trxId;
  const refund =
    "refund" in occurrence
      ? rules.phrase("refund", { refund: occurrence.refund.refund_id, amount: occurrence.refund.amount })
      : rules.phrase("refund_in_full");
  const fields: Partial<NoteFields> = {
    amount: paidText(rules, occurrence, payment),
    asked: amountText(payment.amountMinor, payment.currency),
    ...("reference" in occurrence ? { paid_reference: occurrence.reference ?? "none" } : {}),
    ...(trxId === null ? {} : { trx_id: trxId }),
    tillgate_order: payment.order.tillgateOrderId,
    order_number: order?.number ?? payment.request.reference,
    status: order?.status ?? "deleted",
    ...(order === null ? {} : { store_total: `${order.total} ${order.currency}` }),
    refund,
    ...(payment.cancelReason === null ? {} : { reason: payment.cancelReason }),
  };
  if (order === null || !("amountMinor" in occurrence)) return fields;
  return {
    ...fields,
    difference: rules.difference(differenceOf(occurrence, payment, order), fields),
  };
}

/** The amount that Tillgate reports as paid; if the fact carries none, the requested amount. */
function paidText(rules: Rules, occurrence: Occurrence, payment: PlacedPayment): string {
  if (!("amountMinor" in occurrence)) return amountText(payment.amountMinor, payment.currency);
  const { amountMinor, currency } = occurrence;
  return amountMinor === null ? rules.phrase("amount_unreadable") : amountText(amountMinor, currency);
}

/** The first difference between the payment and its order. */
function differenceOf(
  { amountMinor, currency }: Pick<OrderFact, "amountMinor" | "currency">,
  payment: PlacedPayment,
  order: StoreOrder,
): Difference {
  if (amountMinor === null || !isPaymentOf({ amountMinor, currency }, order)) return "order_total";
  return amountMinor === payment.amountMinor && currency === payment.currency ? "reference" : "asked";
}

/** Whether the store order still asks for exactly what the payment asks for. */
export const isPaymentOf = (payment: { amountMinor: bigint; currency: string }, order: StoreOrder): boolean =>
  order.currency === payment.currency && tryStoreTotal(order.total, order.currency) === payment.amountMinor;

function paymentOf(order: StoreOrder, trxId: string | null): Situation["payment"] {
  if (order.transactionId === "") return "none";
  return order.transactionId === trxId ? "this" : "other";
}

const isStoreOccurrence = (occurrence: Occurrence): occurrence is Exclude<Occurrence, PaymentFact> =>
  occurrence.event === "store.changed" || occurrence.event === "store.refunded";

/** Whether the received facts of the payment match what the connector asked for. */
function reportsPayment(occurrence: Occurrence, payment: PlacedPayment): boolean {
  if (isStoreOccurrence(occurrence)) return true;
  if (isRefundFact(occurrence)) return occurrence.refund.currency === payment.currency;
  return (
    occurrence.amountMinor === payment.amountMinor &&
    occurrence.currency === payment.currency &&
    occurrence.reference === payment.request.reference
  );
}
