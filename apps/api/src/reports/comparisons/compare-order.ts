import type { ComparedOrder, OrderDifference, OrderStatus } from "@tillgate/contract";
import { AmountError, type Currency, findCurrency, formatAmount, parseAmount } from "@tillgate/money";
import { comparisonRules as rules } from "./rules.js";
import type { SituationOf, Subject, TextValues } from "./rules-file.js";

export type CompletedRefund = {
  id: string;
  /** Minor units. */
  amount: bigint;
  reference: string | null;
  /** Whether the refund was created recently. */
  isFresh: boolean;
};

/** Amounts in minor units. */
export type Payment = {
  status: OrderStatus;
  amount: bigint;
  refunded: bigint;
  currency: Currency;
  trxId: string | null;
  /** Whether the order was paid, cancelled or expired recently. */
  isFresh: boolean;
  /** Newest first. */
  refunds: readonly CompletedRefund[];
};

export type Difference = Pick<OrderDifference, "subject" | "subject_id" | "field" | "kind" | "repair"> & {
  values: TextValues;
};

type ShopOrder = NonNullable<ComparedOrder["shop_order"]>;
type ShopRefund = ShopOrder["refunds"][number];

type Sides = {
  sent: ComparedOrder;
  /** Null if the merchant has no such order. */
  payment: Payment | null;
  /** Null if the currency is unknown. */
  currency: Currency | null;
};
/** The values for the order's texts are computed once and only if there is a difference. */
type ComparedSides = Sides & { readValues: () => TextValues };

/** Compares an order and its refunds, without side effects. @returns the differences of the order, then those of the refunds. */
export function compareOrder(sent: ComparedOrder, payment: Payment | null): Difference[] {
  const both = { sent, payment, currency: payment?.currency ?? findCurrency(sent.currency) ?? null };
  let values: TextValues | undefined;
  const readValues = (): TextValues => {
    values ??= orderValues(both);
    return values;
  };
  const sides = { ...both, readValues };
  const refunds = compareRefunds(sides);
  return [
    ...findDifferences(sides, "order", sent.order_id, toSituation(sides, refunds.isMatch), {}),
    ...refunds.differences,
  ];
}

function toSituation(sides: Sides, isRefundMatch: boolean): SituationOf<"order"> {
  const { sent, payment, currency } = sides;
  const order = sent.shop_order;
  const isOneCurrency = order !== null && order.currency === (payment?.currency.code ?? sent.currency);
  const total = order && parseShopAmount(order.total, currency);
  const isSameAmount = isOneCurrency && total !== null && total === comparedAmount(sides);
  return {
    tillgate: payment === null ? "missing" : TILLGATE_STATES[payment.status],
    status: order?.counts_as ?? "deleted",
    payment: toTransactionState(sides),
    attempt: sent.current ? "current" : "older",
    method: order?.pays_with_tillgate === true ? "tillgate" : "other",
    amount: isSameAmount ? "same" : "different",
    currency: isOneCurrency ? "same" : "different",
    applied: payment === null || isApplied(sent, payment) ? "yes" : "no",
    age: isFresh(order) || payment?.isFresh === true ? "fresh" : "settled",
    sum: isRefundMatch ? compareSums(sides) : "reported",
  };
}

const TILLGATE_STATES = {
  PENDING: "open",
  EXPIRED: "ended",
  CANCELLED: "ended",
  PAID: "paid",
  REFUND_PENDING: "paid",
  REFUNDED: "refunded",
} as const satisfies Record<OrderStatus, SituationOf<"order">["tillgate"]>;

function toTransactionState({ sent, payment }: Sides): SituationOf<"order">["payment"] {
  const trxId = sent.shop_order?.trx_id;
  if (trxId === undefined) return "none";
  if (trxId === payment?.trxId) return "this";
  return sent.other_trx_ids.includes(trxId) ? "sibling" : "other";
}

/** Returns whether the shop has applied the payment's outcome; true for an open payment, which has no outcome yet. */
function isApplied({ recorded }: ComparedOrder, { status }: Payment): boolean {
  switch (TILLGATE_STATES[status]) {
    case "open":
      return true;
    case "ended":
      return recorded !== "PENDING";
    case "paid":
    case "refunded":
      return recorded === "PAID" || recorded === "REFUNDED";
  }
}

const isFresh = (order: ShopOrder | null): boolean =>
  order?.changed_seconds_ago !== undefined && order.changed_seconds_ago < rules.freshSeconds;

function compareSums({ sent: { shop_order: order }, payment, currency }: Sides): SituationOf<"order">["sum"] {
  if (order === null || payment === null) return "same";
  return sumOf(order.refunds.filter(showsMoney), currency) === payment.refunded ? "same" : "different";
}

/** Returns whether money was moved for a shop's refund, or may have been. */
const showsMoney = ({ sent }: ShopRefund): boolean =>
  sent !== "pending" && sent !== "refused" && sent !== "failed" && sent !== "ignored";

type RefundComparison = { differences: Difference[]; isMatch: boolean };

/**
 * Compares an order's refunds. They match if each Tillgate refund has one shop refund of its amount, and each shop refund that shows money is in
 * Tillgate. `isMatch` is also true if refunds are not compared.
 */
function compareRefunds(sides: ComparedSides): RefundComparison {
  const { sent, payment, currency } = sides;
  const order = sent.shop_order;
  const isCompared =
    order !== null &&
    payment !== null &&
    order.counts_as !== "trash" &&
    order.trx_id !== undefined &&
    order.trx_id === payment.trxId &&
    order.currency === payment.currency.code;
  if (!isCompared) return { differences: [], isMatch: true };
  const byRefund = new Map<string, ShopRefund[]>(payment.refunds.map(({ id }) => [id, []]));
  const unmatched: ShopRefund[] = [];
  for (const record of order.refunds)
    (byRefund.get(findRefundId(record, payment.refunds) ?? "") ?? unmatched).push(record);
  const recorded = sumOf(order.refunds, currency);
  // An unreadable refund may leave nothing refundable.
  const room = recorded === null ? 0n : (parseShopAmount(order.total, currency) ?? 0n) - recorded;
  const compared = [
    ...payment.refunds.map((refund) =>
      compareRefund(sides, order, { refund, records: byRefund.get(refund.id) ?? [], room }),
    ),
    ...unmatched
      .filter(({ amount }) => !isZero(amount))
      .map((record) => ({
        differences: findDifferences(
          sides,
          "record",
          record.id,
          { sent: record.sent, age: isFresh(order) ? "fresh" : "settled" },
          recordValues([record], currency),
        ),
        isMatch: !showsMoney(record),
      })),
  ];
  return {
    differences: compared.flatMap(({ differences }) => differences),
    isMatch: compared.every(({ isMatch }) => isMatch),
  };
}

const findRefundId = (
  { refund_id, reference, mentioned_refund_id }: ShopRefund,
  refunds: readonly CompletedRefund[],
): string | undefined =>
  refund_id ??
  // If the shop crashed before it stored the refund's ID, Tillgate still has the refund under the reference that the shop sent.
  refunds.find((refund) => reference !== undefined && refund.reference === reference)?.id ??
  mentioned_refund_id;

function compareRefund(
  sides: ComparedSides,
  order: ShopOrder,
  { refund, records, room }: { refund: CompletedRefund; records: readonly ShopRefund[]; room: bigint },
): RefundComparison {
  const { currency } = sides;
  const [first, ...others] = records;
  const isOne = first !== undefined && others.length === 0;
  const isOtherAmount = isOne && parseShopAmount(first.amount, currency) !== refund.amount;
  const differences = findDifferences(
    sides,
    "refund",
    refund.id,
    {
      record: first === undefined ? "none" : isOne ? "one" : "several",
      amount: isOtherAmount ? "different" : "same",
      status: order.counts_as,
      room: refund.amount <= room ? "yes" : "no",
      applied: sides.sent.recorded_refund_ids.includes(refund.id) ? "yes" : "no",
      age: refund.isFresh ? "fresh" : "settled",
    },
    {
      refund: refund.id,
      refund_amount: formatOrUnreadable(refund.amount, currency),
      ...recordValues(records, currency),
    },
  );
  return { differences, isMatch: isOne && !isOtherAmount };
}

/** @param values of placeholders, in addition to those of the order. */
function findDifferences<S extends Subject>(
  sides: ComparedSides,
  subject: S,
  subjectId: string,
  situation: SituationOf<S>,
  values: TextValues,
): Difference[] {
  return rules.compare(subject, situation).map(({ field, kind, repair }) => ({
    subject,
    subject_id: subjectId,
    field,
    kind,
    repair,
    values: rules.valuesOf(kind, { ...sides.readValues(), ...values }),
  }));
}

function orderValues(sides: Sides): TextValues {
  const { sent, payment, currency } = sides;
  const order = sent.shop_order;
  return {
    tillgate_order: sent.order_id,
    amount: formatOrUnreadable(comparedAmount(sides), currency),
    status: order?.status ?? "deleted",
    ...(order === null ? {} : { store_total: `${order.total} ${order.currency}` }),
    ...(order?.trx_id === undefined ? {} : { transaction: order.trx_id }),
    ...(order !== null && order.currency === currency?.code
      ? { store_refunded: formatOrUnreadable(sumOf(order.refunds.filter(showsMoney), currency), currency) }
      : {}),
    ...(payment === null
      ? {}
      : {
          remote_status: payment.status.toLowerCase().replaceAll("_", " "),
          refunded: formatOrUnreadable(payment.refunded, currency),
          ...(payment.trxId === null ? {} : { trx_id: payment.trxId }),
        }),
  };
}

function recordValues(records: readonly ShopRefund[], currency: Currency | null): TextValues {
  const [first] = records;
  if (first === undefined) return {};
  return {
    store_refund: records.map(({ id }) => rules.recordName(id)).join(", "),
    store_refund_amount: formatOrUnreadable(parseShopAmount(first.amount, currency), currency),
  };
}

/** Returns Tillgate's amount in minor units. If Tillgate has no such order, returns the amount that the shop sent; null if it is unreadable. */
const comparedAmount = ({ sent, payment, currency }: Sides): bigint | null =>
  payment === null ? parseShopAmount(sent.amount, currency) : payment.amount;

const isZero = (amount: string): boolean => /^0+(\.0+)?$/.test(amount);

/** Returns minor units; null if the amount is invalid or not positive, or the currency is unknown. */
function parseShopAmount(amount: string, currency: Currency | null): bigint | null {
  if (currency === null) return null;
  try {
    return parseAmount(amount, currency.digits);
  } catch (error) {
    if (error instanceof AmountError) return null;
    throw error;
  }
}

/** Returns minor units; null if any amount is unreadable. */
function sumOf(refunds: readonly ShopRefund[], currency: Currency | null): bigint | null {
  let sum = 0n;
  for (const { amount } of refunds) {
    const minor = isZero(amount) ? 0n : parseShopAmount(amount, currency);
    if (minor === null) return null;
    sum += minor;
  }
  return sum;
}

const formatOrUnreadable = (minor: bigint | null, currency: Currency | null): string =>
  minor === null || currency === null ? rules.unreadableAmount : formatAmount(minor, currency);
