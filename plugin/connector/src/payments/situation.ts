import type { PlacedPayment } from "../records/records.js";
import {
  type Difference,
  type NoteFields,
  type Rules,
  ruleStatus,
  type Situation,
  statusName,
} from "../rules.js";
import type { StoreOrder } from "../store/store-access.js";
import { amountText, tryStoreTotal } from "../store/store-amount.js";
import { isRefundFact, type OrderFact, type PaymentFact } from "./facts.js";

export type Occurrence = PaymentFact | { event: "store.changed" | "store.refunded" };

/** @param order null if the order was deleted in the store */
export function toSituation(
  occurrence: Occurrence,
  payment: PlacedPayment,
  order: StoreOrder | null,
  paymentMethod: string,
  { origin = "tillgate", delivery = "first" }: Partial<Pick<Situation, "origin" | "delivery">> = {},
): Situation {
  if (order === null) return { ...deleted, event: occurrence.event, origin, delivery };
  return {
    event: occurrence.event,
    status: ruleStatus(order),
    attempt: payment.isCurrent ? "current" : "older",
    method: order.paymentMethod === paymentMethod ? "tillgate" : "other",
    payment: transactionState(order, "trxId" in occurrence ? occurrence.trxId : payment.trxId),
    amount: isSameAmount(payment, order) && reportsPayment(occurrence, payment) ? "same" : "different",
    cancelled_by: payment.cancelReason === null ? "other" : "connector",
    origin,
    delivery,
  };
}

const deleted = {
  status: "deleted",
  attempt: "current",
  method: "other",
  payment: "none",
  amount: "different",
  cancelled_by: "other",
} as const satisfies Partial<Situation>;

/** @param order null if the order was deleted in the store */
export function noteFields(
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
    requested_amount: amountText(payment.amountMinor, payment.currency),
    ...("reference" in occurrence ? { paid_reference: occurrence.reference ?? "none" } : {}),
    ...(trxId === null ? {} : { trx_id: trxId }),
    tillgate_order: payment.order.tillgateOrderId,
    order_number: order?.number ?? payment.request.reference,
    status: statusName(order?.status ?? "deleted"),
    ...(order === null ? {} : { store_total: `${order.total} ${order.currency}` }),
    refund,
    ...(payment.cancelReason === null ? {} : { reason: payment.cancelReason }),
  };
  if (order === null || !("amountMinor" in occurrence)) return fields;
  return {
    ...fields,
    difference: rules.difference(findDifference(occurrence, payment, order), fields),
  };
}

/** Formats the amount that Tillgate reported, or else the requested amount. */
function paidText(rules: Rules, occurrence: Occurrence, payment: PlacedPayment): string {
  if (!("amountMinor" in occurrence)) return amountText(payment.amountMinor, payment.currency);
  const { amountMinor, currency } = occurrence;
  return amountMinor === null ? rules.phrase("amount_unreadable") : amountText(amountMinor, currency);
}

function findDifference(
  { amountMinor, currency }: Pick<OrderFact, "amountMinor" | "currency">,
  payment: PlacedPayment,
  order: StoreOrder,
): Difference {
  if (amountMinor === null || !isSameAmount({ amountMinor, currency }, order)) return "order_total";
  return amountMinor === payment.amountMinor && currency === payment.currency ? "reference" : "requested";
}

export const isSameAmount = (
  payment: { amountMinor: bigint; currency: string },
  order: StoreOrder,
): boolean =>
  order.currency === payment.currency && tryStoreTotal(order.total, order.currency) === payment.amountMinor;

function transactionState(order: StoreOrder, trxId: string | null): Situation["payment"] {
  if (order.transactionId === "") return "none";
  return order.transactionId === trxId ? "this" : "other";
}

const isStoreOccurrence = (occurrence: Occurrence): occurrence is Exclude<Occurrence, PaymentFact> =>
  occurrence.event === "store.changed" || occurrence.event === "store.refunded";

/** Whether the reported amount, currency and reference match the request. For a refund, only the currency is compared. */
function reportsPayment(occurrence: Occurrence, payment: PlacedPayment): boolean {
  if (isStoreOccurrence(occurrence)) return true;
  if (isRefundFact(occurrence)) return occurrence.refund.currency === payment.currency;
  return (
    occurrence.amountMinor === payment.amountMinor &&
    occurrence.currency === payment.currency &&
    occurrence.reference === payment.request.reference
  );
}
