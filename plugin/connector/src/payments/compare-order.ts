import type { SituationOf } from "../comparison-rules.js";
import { ruleStatus } from "../rules.js";
import { isZeroAmount, tryStoreTotal, trySumOfRecords, tryWireAmount } from "../store/store-amount.js";
import {
  amountOf,
  type ComparedStoreOrder,
  type ComparedTillgateOrder,
  currencyOf,
  type Difference,
  differencesOf,
  recordedMinor,
  recordFields,
  refundedMinor,
  type Sides,
  showsMoney,
  textOf,
} from "./compared-sides.js";

/**
 * Compares each refund of both sides.
 *
 * @returns the differences, and whether the two lists fit: each refund has one record over its amount, and each record that
 * shows money is of a refund
 */
function compareEachRefund(sides: Sides): { found: Difference[]; fit: boolean } {
  const { order, remote } = sides;
  if (order === null || remote === null || order.status === "trash") return { found: [], fit: true };
  if (order.transactionId !== remote.trx_id || order.currency !== remote.currency)
    return { found: [], fit: true };
  const compared = [...ofTillgate(sides, order, remote), ...ofStore(sides, order, remote)];
  return { found: compared.flatMap(({ found }) => found), fit: compared.every(({ fits }) => fits) };
}

type Compared = { found: Difference[]; fits: boolean };

function ofTillgate(sides: Sides, order: ComparedStoreOrder, remote: ComparedTillgateOrder): Compared[] {
  const { rules } = sides;
  const { currency } = order;
  const recorded = trySumOfRecords(order.records, currency);
  // Unreadable records may take up all the room.
  const left = recorded === null ? 0n : (tryStoreTotal(order.total, currency) ?? 0n) - recorded;
  return remote.refunds.map(({ refund_id: refundId, raw_amount, isLearned, isFresh }) => {
    const minor = tryWireAmount(raw_amount, currency);
    const own = order.records.filter((record) => record.refundId === refundId);
    const [one, ...others] = own;
    const isOther = one !== undefined && others.length === 0 && tryStoreTotal(one.amount, currency) !== minor;
    const found = differencesOf(
      sides,
      "refund",
      refundId,
      {
        record: one === undefined ? "none" : others.length === 0 ? "one" : "several",
        amount: isOther ? "different" : "same",
        status: ruleStatus(order),
        room: minor !== null && minor <= left ? "yes" : "no",
        learned: isLearned ? "yes" : "no",
        age: isFresh ? "fresh" : "settled",
      },
      {
        refund: refundId,
        refund_amount: textOf(rules, minor, currency),
        ...recordFields(rules, own, currency),
      },
    );
    return { found, fits: own.length === 1 && !isOther };
  });
}

function ofStore(sides: Sides, order: ComparedStoreOrder, remote: ComparedTillgateOrder): Compared[] {
  const { currency } = order;
  const ids = new Set(remote.refunds.map(({ refund_id }) => refund_id));
  return order.records
    .filter(({ refundId }) => refundId === null || !ids.has(refundId))
    .filter(({ amount }) => !isZeroAmount(amount))
    .map((record) => ({
      found: differencesOf(
        sides,
        "record",
        String(record.id),
        { sent: record.sent, age: order.isFresh ? "fresh" : "settled" },
        recordFields(sides.rules, [record], currency),
      ),
      fits: !showsMoney(record),
    }));
}

type OrderSituation = SituationOf<"order">;

/**
 * Compares a payment, its store order and their refunds field by field, by `plugin/rules/comparison.json`. Changes nothing
 * and asks nobody.
 *
 * @returns an entry for each field that differs, the order's own first
 */
export function compareOrder(sides: Sides): Difference[] {
  const refunds = compareEachRefund(sides);
  const { tillgateOrderId } = sides.payment;
  return [
    ...differencesOf(sides, "order", tillgateOrderId, situationOf(sides, refunds.fit), {}),
    ...refunds.found,
  ];
}

function situationOf(sides: Sides, refundsFit: boolean): OrderSituation {
  const { order, payment, remote } = sides;
  const isOneCurrency = order?.currency === currencyOf(sides);
  const totalMinor = order === null ? null : tryStoreTotal(order.total, order.currency);
  return {
    tillgate: standingOf(sides),
    status: order === null ? "deleted" : ruleStatus(order),
    payment: paymentOf(sides),
    attempt: payment.isCurrent ? "current" : "older",
    method: order?.isTillgate === true ? "tillgate" : "other",
    amount: isOneCurrency && totalMinor !== null && totalMinor === amountOf(sides) ? "same" : "different",
    currency: isOneCurrency ? "same" : "different",
    learned: payment.isLearned || remote === null ? "yes" : "no",
    age: order?.isFresh === true || remote?.isFresh === true ? "fresh" : "settled",
    sum: refundsFit ? sumOf(sides) : "told",
  };
}

function standingOf({ remote }: Sides): OrderSituation["tillgate"] {
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

function paymentOf({ order, payment, remote }: Sides): OrderSituation["payment"] {
  if (order === null || order.transactionId === "") return "none";
  if (order.transactionId === remote?.trx_id) return "this";
  return payment.siblings.includes(order.transactionId) ? "sibling" : "other";
}

function sumOf({ order, remote }: Sides): OrderSituation["sum"] {
  if (order === null || remote === null) return "same";
  const recorded = recordedMinor(order);
  return recorded !== null && recorded === refundedMinor(remote) ? "same" : "different";
}
