import type { Order, Refund } from "@tillgate/contract";
import type {
  ComparisonFields,
  ComparisonRules,
  DifferenceKind,
  Field,
  Repair,
  SituationOf,
  Subject,
} from "../comparison-rules.js";
import { type OrderStatus, statusName } from "../rules.js";
import { amountText, tryStoreTotal, trySumOfRecords, tryWireAmount } from "../store/store-amount.js";

/** The data of a comparison, and the texts of its differences. Everything here is pure. */

/** A refund record of the store, with the connector's data about it. */
export type ComparedRecord = {
  id: number;
  amount: string;
  /** ID of the corresponding Tillgate refund; null if unknown. */
  refundId: string | null;
  sent: SituationOf<"record">["sent"];
};

/** The store's side. */
export type ComparedStoreOrder = OrderStatus & {
  total: string;
  currency: string;
  /** Whether its payment method is Tillgate. */
  isTillgate: boolean;
  transactionId: string;
  isFresh: boolean;
  records: readonly ComparedRecord[];
};

/** The payment in the connector's database. */
export type ComparedPayment = {
  tillgateOrderId: string;
  amountMinor: bigint;
  currency: string;
  isCurrent: boolean;
  /** Whether Tillgate's state was applied to the store. */
  isApplied: boolean;
  /** Transaction IDs of the store order's other payments. */
  siblings: readonly string[];
};

/** Tillgate's side. */
export type ComparedTillgateOrder = Pick<
  Order,
  "status" | "raw_amount" | "currency" | "trx_id" | "refunded_amount"
> & {
  /** Whether it was paid or expired recently. */
  isFresh: boolean;
  /** Completed refunds only. */
  refunds: readonly (Pick<Refund, "refund_id" | "raw_amount"> & { isApplied: boolean; isFresh: boolean })[];
};

export type Sides = {
  rules: ComparisonRules;
  /** Null if it was deleted in the store. */
  order: ComparedStoreOrder | null;
  payment: ComparedPayment;
  /** Null if the order does not exist in Tillgate. */
  remote: ComparedTillgateOrder | null;
};

/** A difference between shop and Tillgate, with its texts. */
export type Difference = {
  subject: Subject;
  /** ID of the Tillgate order, the Tillgate refund, or the store's refund record. */
  subjectId: string;
  field: Field;
  kind: DifferenceKind;
  text: string;
  /** What the shop owner can do. */
  advice: string;
  /** Null if the shop owner must decide. */
  repair: Repair | null;
};

/** Returns whether money was moved for the record, or may have been. */
export const showsMoney = ({ sent }: ComparedRecord): boolean =>
  sent !== "pending" && sent !== "refused" && sent !== "failed" && sent !== "ignored";

/** Returns the sum of the store's refund records for which money was or may have been moved, in minor units; null if one is unreadable. */
export const recordedMinor = ({ records, currency }: ComparedStoreOrder): bigint | null =>
  trySumOfRecords(records.filter(showsMoney), currency);

/** Returns the refunded sum in Tillgate, in minor units; null if unreadable. Zero is a valid sum, though not a valid amount. */
export const refundedMinor = ({ refunded_amount, currency }: ComparedTillgateOrder): bigint | null =>
  refunded_amount === 0 ? 0n : tryWireAmount(refunded_amount, currency);

export const comparedCurrency = ({ payment, remote }: Pick<Sides, "payment" | "remote">): string =>
  remote?.currency ?? payment.currency;

/** Returns the payment's amount in minor units: in Tillgate (null if unreadable), or in the connector's database if Tillgate has no order. */
export const comparedAmount = ({ payment, remote }: Pick<Sides, "payment" | "remote">): bigint | null =>
  remote === null ? payment.amountMinor : tryWireAmount(remote.raw_amount, remote.currency);

/**
 * Finds the differences between the store and Tillgate for a subject, each with its text, advice and repair.
 * @param fields placeholder values in addition to those of the order
 */
export function findDifferences<S extends Subject>(
  sides: Sides,
  subject: S,
  subjectId: string,
  situation: SituationOf<S>,
  fields: Partial<ComparisonFields>,
): Difference[] {
  const { rules } = sides;
  return rules.compare(subject, situation).map(({ field, kind, repair }) => ({
    subject,
    subjectId,
    field,
    kind,
    text: rules.text(kind, { ...orderFields(sides), ...fields }),
    advice: rules.advice(kind),
    repair,
  }));
}

function orderFields(sides: Sides): Partial<ComparisonFields> {
  const { rules, order, payment, remote } = sides;
  const currency = comparedCurrency(sides);
  return {
    tillgate_order: payment.tillgateOrderId,
    amount: formatAmountText(rules, comparedAmount(sides), currency),
    status: statusName(order?.status ?? "deleted"),
    ...(order === null ? {} : { store_total: `${order.total} ${order.currency}` }),
    ...(order === null || order.transactionId === "" ? {} : { transaction: order.transactionId }),
    ...(order?.currency === currency
      ? { store_refunded: formatAmountText(rules, recordedMinor(order), currency) }
      : {}),
    ...(remote === null
      ? {}
      : {
          remote_status: remote.status.toLowerCase().replaceAll("_", " "),
          refunded: formatAmountText(rules, refundedMinor(remote), currency),
          ...(remote.trx_id === null ? {} : { trx_id: remote.trx_id }),
        }),
  };
}

export const formatAmountText = (rules: ComparisonRules, minor: bigint | null, currency: string): string =>
  minor === null ? rules.phrase("amount_unreadable") : amountText(minor, currency);

/** Returns the placeholder values for refund records: their IDs, and the amount of the first. */
export function recordFields(
  rules: ComparisonRules,
  records: readonly ComparedRecord[],
  currency: string,
): Partial<ComparisonFields> {
  const [first] = records;
  if (first === undefined) return {};
  const numbers = records.map(({ id }) => rules.phrase("record", { store_refund: String(id) }));
  return {
    store_refund: numbers.join(", "),
    store_refund_amount: formatAmountText(rules, tryStoreTotal(first.amount, currency), currency),
  };
}
