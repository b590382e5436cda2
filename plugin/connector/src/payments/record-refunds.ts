import type { Refund } from "@tillgate/contract";
import { ConnectorError } from "../connector-error.js";
import { fill } from "../health/texts.js";
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
import type { Claim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { isRefundFact, type PaymentFact } from "./facts.js";
import { listRefunds } from "./follow-refunds.js";
import { findOutgoingRefund, linkOutgoingRefund } from "./link-outgoing-refund.js";
import { shareLines } from "./refund-shares.js";

/**
 * Creates missing refund records for the event's refund, or for all completed refunds of the payment. Retries create no duplicates.
 * @returns text for the note; null if no note is needed
 * @throws StoreError, ConnectorError `busy`, `credential_gone`, the client's errors; Error if an amount is invalid or in another currency
 */
export async function recordRefunds(
  context: ConnectorContext,
  claim: Claim,
  {
    fact,
    payment,
    order,
    reapply,
  }: { fact: PaymentFact; payment: PlacedPayment; order: StoreOrder; reapply: boolean },
): Promise<string | null> {
  const refunds = isRefundFact(fact) ? [fact.refund] : await completedRefunds(context, payment, fact.trxId);
  const records = await context.store.refunds(order.id);
  const recorded = trySumOfRecords(records, order.currency);
  // With an unreadable record, nothing counts as left to refund. The record is reported when the order is checked.
  let left = recorded === null ? 0n : readStoreSum(order.total, order.currency) - recorded;
  const texts: string[] = [];
  for (const refund of refunds) {
    const minor = tryWireAmount(refund.raw_amount, refund.currency);
    if (minor === null || refund.currency !== payment.currency) {
      throw new Error(
        `Refund ${refund.refund_id} has the amount ${refund.amount}, which is invalid or not in the payment’s currency.`,
      );
    }
    const isReported = reapply && isRefundFact(fact);
    const record = await recordRefund(context, claim, {
      refund,
      minor,
      order,
      records,
      left,
      reapply,
      isReported,
    });
    if (record.isNew) left -= minor;
    if (record.text !== null) texts.push(record.text);
  }
  if (!isRefundFact(fact)) await checkSum(context, refunds, payment);
  return texts.length === 0 ? null : texts.join("; ");
}

async function recordRefund(
  context: ConnectorContext,
  claim: Claim,
  {
    refund,
    minor,
    order,
    records,
    left,
    reapply,
    isReported,
  }: {
    refund: Refund;
    minor: bigint;
    order: StoreOrder;
    records: RefundRecord[];
    left: bigint;
    reapply: boolean;
    isReported: boolean;
  },
): Promise<{ isNew: boolean; text: string | null }> {
  const { store, followedRefunds, rules, settings, log } = context;
  const { refund_id: refundId } = refund;
  const { currency } = order;
  const saved = await followedRefunds.save({
    refundId,
    storeOrderId: order.id,
    amountMinor: minor,
    currency,
  });
  if (saved.isRecorded && !reapply) return { isNew: false, text: null };
  const outgoing = await findOutgoingRefund(context, order.id, refund, reapply);
  if (outgoing !== null) {
    await linkOutgoingRefund(context, outgoing, refund);
    return { isNew: false, text: null };
  }
  const recordedText = rules.phrase("recorded", { amount: amountText(minor, currency), refund: refundId });
  const record = records.find(
    (candidate) => candidate.tillgateRefundId === refundId || candidate.refundIdInReason === refundId,
  );
  if (record !== undefined) {
    await followedRefunds.markRecorded(refundId, record.id);
    // In a repair or replay, the note of the event's refund may be lost too, so it is added again.
    return { isNew: false, text: saved.isRecorded && !isReported ? null : recordedText };
  }
  if (minor > left) {
    // The refund exceeds what the store's records leave refundable, so WooCommerce would reject it.
    log.warn(
      { order: order.id, refundId },
      "The refund exceeds what remains refundable on the store's order; not recorded in the store",
    );
    await followedRefunds.markRecorded(refundId, null);
    return { isNew: false, text: rules.phrase("exceeds_order_total", { result: recordedText }) };
  }
  const total = readStoreSum(order.total, currency);
  const isFull = minor === total;
  const restocks = isFull && settings.restockRefunds;
  const lines =
    restocks || settings.refundLines
      ? shareLines(await store.lines(order.id), currency, {
          before: total - left,
          amount: minor,
          isFull,
        })
      : [];
  await claim.extend();
  const recordId = await createRecord(context, order, minor, {
    amount: decimalText(minor, currency),
    reason: buildReason(refund),
    tillgateRefundId: refundId,
    lines,
    restocks,
  });
  await followedRefunds.markRecorded(refundId, recordId);
  if (saved.isRecorded) await followedRefunds.replaceRecord(refundId, recordId);
  return { isNew: true, text: recordedText };
}

/**
 * @throws ConnectorError `busy` if the store rejects the record and the order's other refunds may be the reason: one has an invalid amount, or
 * together they leave less than this amount. A retry may then succeed. Otherwise, the StoreError
 */
async function createRecord(
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
    const text = `Order ${order.id} was refunded in the store in the meantime.`;
    throw new ConnectorError("busy", text, { cause: error });
  }
}

/** The reason contains the refund ID, because the meta data is saved later and may be removed; without an ID, the refund would be made again. */
const buildReason = ({ reason, refund_id }: Refund): string =>
  `${(reason ?? "").trim() || "Refunded at Tillgate"} (${refund_id})`;

async function completedRefunds(
  context: ConnectorContext,
  { credential, order }: PlacedPayment,
  trxId: string | null,
): Promise<Refund[]> {
  if (trxId === null)
    throw new Error(`Order ${order.tillgateOrderId} was refunded but has no transaction ID.`);
  // Oldest first.
  return (await listRefunds(context, credential, trxId, "completed")).toReversed();
}

/** Reports a fully refunded payment whose refunds don't add up to its amount. */
async function checkSum(context: ConnectorContext, refunds: Refund[], payment: PlacedPayment): Promise<void> {
  const sum = refunds.reduce(
    (total, candidate) => total + (tryWireAmount(candidate.raw_amount, candidate.currency) ?? 0n),
    0n,
  );
  const { storeOrderId } = payment;
  const subject = `refund sum of order ${storeOrderId}`;
  if (sum === payment.amountMinor) return context.reporter.resolveProblem("mismatch", subject);
  const text = fill(
    "Payment {tillgate_order} is fully refunded, but its refunds don’t add up to its amount.",
    {
      tillgate_order: payment.order.tillgateOrderId,
    },
  );
  await context.reporter.reportProblem({ kind: "mismatch", subject, storeOrderId, text });
  context.log.error({ order: storeOrderId, sum: String(sum) }, text);
}
