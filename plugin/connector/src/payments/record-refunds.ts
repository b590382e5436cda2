import type { Refund } from "@tillgate/contract";
import { ConnectorError } from "../connector-error.js";
import type { PlacedPayment } from "../records/records.js";
import {
  type NewRefundRecord,
  type RefundRecord,
  StoreError,
  type StoreOrder,
} from "../store/store-access.js";
import {
  amountText,
  decimalText,
  readStoreSum,
  trySumOfRecords,
  tryWireAmount,
} from "../store/store-amount.js";
import type { HeldClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { isRefundFact, type PaymentFact } from "./facts.js";
import { refundsOfPayment } from "./follow-refunds.js";
import { findOutgoingRefund, linkOutgoingRefund } from "./link-outgoing-refund.js";
import { shareLines } from "./refund-shares.js";

/**
 * Makes the store's refund record of each completed Tillgate refund that has none: of the event's refund, or of all of the
 * payment. It lists the existing records first, so that a repeat finds what an earlier try made.
 * @returns what was recorded, in words; null where every record was there and known
 */
export async function recordRefunds(
  context: ConnectorContext,
  held: HeldClaim,
  {
    fact,
    payment,
    order,
    again,
  }: { fact: PaymentFact; payment: PlacedPayment; order: StoreOrder; again: boolean },
): Promise<string | null> {
  const refunds = isRefundFact(fact) ? [fact.refund] : await completedRefunds(context, payment, fact.trxId);
  const records = await context.store.refunds(order.id);
  const recorded = trySumOfRecords(records, order.currency);
  // Unreadable records may take up all the room; they are reported when the order is checked.
  let left = recorded === null ? 0n : readStoreSum(order.total, order.currency) - recorded;
  const words: string[] = [];
  for (const refund of refunds) {
    const minor = tryWireAmount(refund.raw_amount, refund.currency);
    if (minor === null || refund.currency !== payment.currency) {
      throw new Error(
        `Refund ${refund.refund_id} has the amount ${refund.amount}, which is invalid or not in the payment’s currency.`,
      );
    }
    const isToldOf = again && isRefundFact(fact);
    const record = await recordOne(context, held, { refund, minor, order, records, left, again, isToldOf });
    if (record.isNew) left -= minor;
    if (record.words !== null) words.push(record.words);
  }
  if (!isRefundFact(fact)) await checkSum(context, refunds, payment);
  return words.length === 0 ? null : words.join("; ");
}

async function recordOne(
  context: ConnectorContext,
  held: HeldClaim,
  {
    refund,
    minor,
    order,
    records,
    left,
    again,
    isToldOf,
  }: {
    refund: Refund;
    minor: bigint;
    order: StoreOrder;
    records: RefundRecord[];
    left: bigint;
    again: boolean;
    isToldOf: boolean;
  },
): Promise<{ isNew: boolean; words: string | null }> {
  const { store, followedRefunds, rules, settings, log } = context;
  const { refund_id: refundId } = refund;
  const { currency } = order;
  const known = await followedRefunds.begin({
    refundId,
    storeOrderId: order.id,
    amountMinor: minor,
    currency,
  });
  if (known.recorded && !again) return { isNew: false, words: null };
  const outgoing = await findOutgoingRefund(context, order.id, refund, again);
  if (outgoing !== null) {
    await linkOutgoingRefund(context, outgoing, refund);
    return { isNew: false, words: null };
  }
  const what = rules.phrase("recorded", { amount: amountText(minor, currency), refund: refundId });
  const record = records.find(
    (one) => one.tillgateRefundId === refundId || one.refundIdInReason === refundId,
  );
  if (record !== undefined) {
    await followedRefunds.recorded(refundId, record.id);
    // A refund of its own event is noted again where its note was lost; the list of all was noted one by one before.
    return { isNew: false, words: known.recorded && !isToldOf ? null : what };
  }
  if (minor > left) {
    // The shop's own records already have the total as their sum: WooCommerce would refuse one more.
    log.warn({ order: order.id, refundId }, "A refund has no room in the store's records");
    await followedRefunds.recorded(refundId, null);
    return { isNew: false, words: rules.phrase("no_room", { result: what }) };
  }
  const total = readStoreSum(order.total, currency);
  const isWhole = minor === total;
  const restocks = isWhole && settings.restockRefunds;
  const lines =
    restocks || settings.refundLines
      ? shareLines(await store.lines(order.id), currency, { before: total - left, amount: minor, isWhole })
      : [];
  await held.keep();
  const recordId = await recordOrDecideAgain(context, order, minor, {
    amount: decimalText(minor, currency),
    reason: reasonWithId(refund),
    tillgateRefundId: refundId,
    lines,
    restocks,
  });
  await followedRefunds.recorded(refundId, recordId);
  if (known.recorded) await followedRefunds.recordedAgain(refundId, recordId);
  return { isNew: true, words: what };
}

/** An owner who refunds at the same moment may take the record's room: then it is decided again. @throws ConnectorError `busy` */
async function recordOrDecideAgain(
  { store }: ConnectorContext,
  order: StoreOrder,
  minor: bigint,
  record: NewRefundRecord,
): Promise<number> {
  try {
    return await store.recordRefund(order.id, record);
  } catch (error) {
    if (!(error instanceof StoreError) || (error.failure !== "failed" && error.failure !== "refused"))
      throw error;
    const recorded = trySumOfRecords(await store.refunds(order.id), order.currency);
    const hasRoom = recorded !== null && minor <= readStoreSum(order.total, order.currency) - recorded;
    if (hasRoom) throw error;
    const text = `Order ${order.id} was refunded in the store meanwhile.`;
    throw new ConnectorError("busy", text, { cause: error });
  }
}

/**
 * WooCommerce saves a record before its meta data. In between, or if a plugin removes the mark, its reason says whose it
 * is. Otherwise it would count as a refund of the shop, and its money would move once more.
 */
const reasonWithId = ({ reason, refund_id }: Refund): string =>
  `${(reason ?? "").trim() || "Refunded at Tillgate"} (${refund_id})`;

async function completedRefunds(
  context: ConnectorContext,
  { credential }: PlacedPayment,
  trxId: string | null,
): Promise<Refund[]> {
  if (trxId === null) throw new Error("A refunded payment came without its transaction.");
  // In the order in which they were made.
  return (await refundsOfPayment(context, credential, trxId, "completed")).toReversed();
}

/** Tillgate says "refunded in full"; its refunds must come to the payment. */
async function checkSum(context: ConnectorContext, refunds: Refund[], payment: PlacedPayment): Promise<void> {
  const sum = refunds.reduce((total, one) => total + (tryWireAmount(one.raw_amount, one.currency) ?? 0n), 0n);
  const { storeOrderId } = payment;
  const subject = `refund sum of order ${storeOrderId}`;
  if (sum === payment.amountMinor) return context.reporter.settled("mismatch", subject);
  const text = `The refunds of ${payment.order.tillgateOrderId}, which is refunded in full, do not come to its amount.`;
  await context.reporter.problem({ kind: "mismatch", subject, storeOrderId, text });
  context.log.error({ order: storeOrderId, sum: String(sum) }, text);
}
