import { ruleStatus } from "../rules.js";
import { isZeroAmount, tryStoreTotal, trySumOfRecords, tryWireAmount } from "../store/store-amount.js";
import {
  type ComparedStoreOrder,
  type ComparedTillgateOrder,
  type Difference,
  differencesOf,
  recordFields,
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
export function compareEachRefund(sides: Sides): { found: Difference[]; fit: boolean } {
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
        status: ruleStatus(order.status),
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
