import type { SituationOf } from "../comparison-rules.js";
import { ruleStatus } from "../rules.js";
import { tryStoreTotal } from "../store/store-amount.js";
import { compareEachRefund } from "./compare-each-refund.js";
import {
  amountOf,
  currencyOf,
  type Difference,
  differencesOf,
  recordedMinor,
  refundedMinor,
  type Sides,
} from "./compared-sides.js";

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
    status: order === null ? "deleted" : ruleStatus(order.status),
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
