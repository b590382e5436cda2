import type { SituationOf } from "../comparison-rules.js";
import { ruleStatus } from "../rules.js";
import { isZeroAmount, tryStoreTotal, trySumOfRecords, tryWireAmount } from "../store/store-amount.js";
import {
  type ComparedStoreOrder,
  type ComparedTillgateOrder,
  comparedAmount,
  comparedCurrency,
  type Difference,
  findDifferences,
  formatAmountText,
  recordedMinor,
  recordFields,
  refundedMinor,
  type Sides,
  showsMoney,
} from "./compared-sides.js";

/**
 * Compares the refunds of both sides.
 *
 * @returns the differences, and whether the lists match: each refund has one record of its amount, and each record of a
 * money movement has a refund
 */
function compareEachRefund(sides: Sides): { differences: Difference[]; isMatch: boolean } {
  const { order, remote } = sides;
  if (order === null || remote === null || order.status === "trash")
    return { differences: [], isMatch: true };
  if (order.transactionId !== remote.trx_id || order.currency !== remote.currency)
    return { differences: [], isMatch: true };
  const compared = [
    ...compareTillgateRefunds(sides, order, remote),
    ...compareStoreRecords(sides, order, remote),
  ];
  return {
    differences: compared.flatMap(({ differences }) => differences),
    isMatch: compared.every(({ isMatch }) => isMatch),
  };
}

type RefundComparison = { differences: Difference[]; isMatch: boolean };

function compareTillgateRefunds(
  sides: Sides,
  order: ComparedStoreOrder,
  remote: ComparedTillgateOrder,
): RefundComparison[] {
  const { rules } = sides;
  const { currency } = order;
  const recorded = trySumOfRecords(order.records, currency);
  // An unreadable record may leave nothing refundable.
  const left = recorded === null ? 0n : (tryStoreTotal(order.total, currency) ?? 0n) - recorded;
  return remote.refunds.map(({ refund_id: refundId, raw_amount, isApplied, isFresh }) => {
    const minor = tryWireAmount(raw_amount, currency);
    const matching = order.records.filter((record) => record.refundId === refundId);
    const [first, ...others] = matching;
    const isOther =
      first !== undefined && others.length === 0 && tryStoreTotal(first.amount, currency) !== minor;
    const differences = findDifferences(
      sides,
      "refund",
      refundId,
      {
        record: first === undefined ? "none" : others.length === 0 ? "one" : "several",
        amount: isOther ? "different" : "same",
        status: ruleStatus(order),
        room: minor !== null && minor <= left ? "yes" : "no",
        applied: isApplied ? "yes" : "no",
        age: isFresh ? "fresh" : "settled",
      },
      {
        refund: refundId,
        refund_amount: formatAmountText(rules, minor, currency),
        ...recordFields(rules, matching, currency),
      },
    );
    return { differences, isMatch: matching.length === 1 && !isOther };
  });
}

function compareStoreRecords(
  sides: Sides,
  order: ComparedStoreOrder,
  remote: ComparedTillgateOrder,
): RefundComparison[] {
  const { currency } = order;
  const ids = new Set(remote.refunds.map(({ refund_id }) => refund_id));
  return order.records
    .filter(({ refundId }) => refundId === null || !ids.has(refundId))
    .filter(({ amount }) => !isZeroAmount(amount))
    .map((record) => ({
      differences: findDifferences(
        sides,
        "record",
        String(record.id),
        { sent: record.sent, age: order.isFresh ? "fresh" : "settled" },
        recordFields(sides.rules, [record], currency),
      ),
      isMatch: !showsMoney(record),
    }));
}

type OrderSituation = SituationOf<"order">;

/**
 * Compares a payment, its store order and their refunds field by field, by `plugin/rules/comparison.json`. A pure function.
 *
 * @returns an entry per different field, those of the order first
 */
export function compareOrder(sides: Sides): Difference[] {
  const refunds = compareEachRefund(sides);
  const { tillgateOrderId } = sides.payment;
  return [
    ...findDifferences(sides, "order", tillgateOrderId, orderSituation(sides, refunds.isMatch), {}),
    ...refunds.differences,
  ];
}

function orderSituation(sides: Sides, isRefundMatch: boolean): OrderSituation {
  const { order, payment, remote } = sides;
  const isOneCurrency = order?.currency === comparedCurrency(sides);
  const totalMinor = order === null ? null : tryStoreTotal(order.total, order.currency);
  return {
    tillgate: tillgateState(sides),
    status: order === null ? "deleted" : ruleStatus(order),
    payment: transactionState(sides),
    attempt: payment.isCurrent ? "current" : "older",
    method: order?.isTillgate === true ? "tillgate" : "other",
    amount:
      isOneCurrency && totalMinor !== null && totalMinor === comparedAmount(sides) ? "same" : "different",
    currency: isOneCurrency ? "same" : "different",
    applied: payment.isApplied || remote === null ? "yes" : "no",
    age: order?.isFresh === true || remote?.isFresh === true ? "fresh" : "settled",
    sum: isRefundMatch ? compareSums(sides) : "reported",
  };
}

function tillgateState({ remote }: Sides): OrderSituation["tillgate"] {
  switch (remote?.status) {
    case undefined:
      return "missing";
    case "PENDING":
      return "open";
    case "EXPIRED":
    case "CANCELLED":
      return "ended";
    case "PAID":
    case "REFUND_PENDING":
      return "paid";
    case "REFUNDED":
      return "refunded";
  }
}

function transactionState({ order, payment, remote }: Sides): OrderSituation["payment"] {
  if (order === null || order.transactionId === "") return "none";
  if (order.transactionId === remote?.trx_id) return "this";
  return payment.siblings.includes(order.transactionId) ? "sibling" : "other";
}

function compareSums({ order, remote }: Sides): OrderSituation["sum"] {
  if (order === null || remote === null) return "same";
  const recorded = recordedMinor(order);
  return recorded !== null && recorded === refundedMinor(remote) ? "same" : "different";
}
