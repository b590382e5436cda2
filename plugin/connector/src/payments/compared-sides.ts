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
import type { OrderStatus } from "../rules.js";
import { amountText, tryStoreTotal, trySumOfRecords, tryWireAmount } from "../store/store-amount.js";

/** What is compared with each other, and the words for a difference. Nothing in here asks anybody. */

/** A refund record of the store, and what the connector knows of it. */
export type ComparedRecord = {
  id: number;
  amount: string;
  /** The Tillgate refund that it is of; null where none is known. */
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
  /** Whether it changed a moment ago. */
  isFresh: boolean;
  records: readonly ComparedRecord[];
};

/** The connector's own record of the payment. */
export type ComparedPayment = {
  tillgateOrderId: string;
  amountMinor: bigint;
  currency: string;
  isCurrent: boolean;
  /** Whether Tillgate's state of it has been brought into the store. */
  isLearned: boolean;
  /** The transactions of the store order's other payments. */
  siblings: readonly string[];
};

/** Tillgate's side. */
export type ComparedTillgateOrder = Pick<
  Order,
  "status" | "raw_amount" | "currency" | "trx_id" | "refunded_amount"
> & {
  /** Whether it was paid, or was to end, a moment ago. */
  isFresh: boolean;
  /** The completed ones. */
  refunds: readonly (Pick<Refund, "refund_id" | "raw_amount"> & { isLearned: boolean; isFresh: boolean })[];
};

export type Sides = {
  rules: ComparisonRules;
  /** Null where the store no longer has it. */
  order: ComparedStoreOrder | null;
  payment: ComparedPayment;
  /** Null where Tillgate has no such order. */
  remote: ComparedTillgateOrder | null;
};

/** In what shop and Tillgate differ, in words. */
export type Difference = {
  subject: Subject;
  /** The Tillgate order, the Tillgate refund, or the store's number of the record. */
  subjectId: string;
  field: Field;
  kind: DifferenceKind;
  text: string;
  /** What a person can do. */
  advice: string;
  /** What one press can do; null where only a person can decide. */
  repair: Repair | null;
};

/** A record in one of these states shows no money that Tillgate moved. */
export const showsMoney = ({ sent }: ComparedRecord): boolean =>
  sent !== "pending" && sent !== "refused" && sent !== "failed" && sent !== "ignored";

/** What the shop says was paid back, in minor units; null where a record cannot be read. */
export const recordedMinor = ({ records, currency }: ComparedStoreOrder): bigint | null =>
  trySumOfRecords(records.filter(showsMoney), currency);

/** What Tillgate says, in minor units; null where it cannot be read. Nothing is no amount, but a sum. */
export const refundedMinor = ({ refunded_amount, currency }: ComparedTillgateOrder): bigint | null =>
  refunded_amount === 0 ? 0n : tryWireAmount(refunded_amount, currency);

export const currencyOf = ({ payment, remote }: Pick<Sides, "payment" | "remote">): string =>
  remote?.currency ?? payment.currency;

/** The payment's amount, by Tillgate's word where there is one. */
export const amountOf = ({ payment, remote }: Pick<Sides, "payment" | "remote">): bigint | null =>
  remote === null ? payment.amountMinor : tryWireAmount(remote.raw_amount, remote.currency);

/** The differences of a subject, in words. @param fields what they speak of beside the order's own */
export function differencesOf<S extends Subject>(
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
  const currency = currencyOf(sides);
  return {
    tillgate_order: payment.tillgateOrderId,
    amount: textOf(rules, amountOf(sides), currency),
    status: order?.status ?? "deleted",
    ...(order === null ? {} : { store_total: `${order.total} ${order.currency}` }),
    ...(order === null || order.transactionId === "" ? {} : { transaction: order.transactionId }),
    ...(order?.currency === currency
      ? { store_refunded: textOf(rules, recordedMinor(order), currency) }
      : {}),
    ...(remote === null
      ? {}
      : {
          remote_status: remote.status.toLowerCase().replaceAll("_", " "),
          refunded: textOf(rules, refundedMinor(remote), currency),
          ...(remote.trx_id === null ? {} : { trx_id: remote.trx_id }),
        }),
  };
}

export const textOf = (rules: ComparisonRules, minor: bigint | null, currency: string): string =>
  minor === null ? rules.phrase("amount_unreadable") : amountText(minor, currency);

/** Names records, and the amount of the first. */
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
    store_refund_amount: textOf(rules, tryStoreTotal(first.amount, currency), currency),
  };
}
