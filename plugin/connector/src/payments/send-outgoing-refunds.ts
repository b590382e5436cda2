import { TillgateApiError } from "@tillgate/client";
import type { Refund } from "@tillgate/contract";
import type { OutgoingRefund, PlacedPayment } from "../records/records.js";
import type { RefundRecord, StoreOrder } from "../store/store-access.js";
import { decimalText, readStoreSum, unreadableRecords } from "../store/store-amount.js";
import { beginOutgoingRefund } from "./begin-outgoing-refund.js";
import type { HeldClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { tillgateOf } from "./credentials.js";
import { linkOutgoingRefund, outgoingRefundFields } from "./link-outgoing-refund.js";
import { addNoteOnce } from "./order-note.js";
import { scheduleChecks } from "./schedule-checks.js";

/** Marks the sent refunds that are no longer in the shop, and notes on the order those that moved money or still may. */
async function noteDeletedRefunds(
  context: ConnectorContext,
  rows: OutgoingRefund[],
  records: RefundRecord[],
): Promise<void> {
  const { reporter, rules, outgoingRefunds } = context;
  const there = new Set(records.map(({ id }) => id));
  for (const row of rows) {
    if (row.deleted || there.has(row.recordId)) continue;
    // If no money moved there is nothing to report.
    if (["completed", "pending", "calling", "given_up"].includes(row.state)) {
      const note = rules.note("store_refund_deleted", outgoingRefundFields(rules, row));
      await addNoteOnce(context, row.storeOrderId, note);
    }
    await outgoingRefunds.deleted(row.recordId);
    for (const kind of ["refund_refused", "refund_failed"] as const) {
      await reporter.settled(kind, `refund ${row.recordId}`);
    }
  }
}

/**
 * Reports refunds of the shop whose amount cannot be read in the order's currency: in a note on the order and in the health
 * panel, until every amount can be read.
 * @returns whether there are any
 */
async function reportUnreadableRefunds(
  context: ConnectorContext,
  order: StoreOrder,
  records: readonly RefundRecord[],
): Promise<boolean> {
  const { reporter, rules } = context;
  const subject = `refund amounts of order ${order.id}`;
  const [first] = unreadableRecords(records, order.currency);
  if (first === undefined) {
    await reporter.settled("mismatch", subject);
    return false;
  }
  const text = rules.note("store_refund_unreadable", {
    store_refund: String(first.id),
    amount: `${first.amount} ${order.currency}`,
  });
  await addNoteOnce(context, order.id, text);
  await reporter.problem({ kind: "mismatch", subject, storeOrderId: order.id, text });
  return true;
}

/**
 * Makes the refund of a stored row at Tillgate and stores the answer, also a refusal. The client itself repeats a call
 * without an answer once, with the same body.
 * @throws the client's error where the outcome is unknown, or the same call may succeed later
 */
async function callOutgoingRefund(
  context: ConnectorContext,
  held: HeldClaim,
  payment: PlacedPayment,
  row: OutgoingRefund,
): Promise<void> {
  const { log } = context;
  const tillgate = tillgateOf(context, payment.credential);
  await held.keep();
  let refund: Refund;
  try {
    refund = await tillgate.refunds.create({
      transaction_id: row.trxId,
      amount: decimalText(row.amountMinor, row.currency),
      reason: row.reason,
      reference: row.reference,
      idempotency_key: row.idempotencyKey,
    });
  } catch (error) {
    if (!(error instanceof TillgateApiError) || !isRefusal(error.status)) throw error;
    await rejectRefund(context, row, error);
    return;
  }
  log.info(
    { order: row.storeOrderId, storeRefund: row.recordId, refundId: refund.refund_id, status: refund.status },
    "Sent a refund made in the store",
  );
  await linkOutgoingRefund(context, row, refund);
}

/** Refused for itself: a repeat would get the same answer. Credentials and limits can be fixed in between. */
const isRefusal = (status: number): boolean => [400, 404, 409, 422].includes(status);

async function rejectRefund(
  context: ConnectorContext,
  row: OutgoingRefund,
  error: TillgateApiError,
): Promise<void> {
  const { log, reporter, rules, outgoingRefunds } = context;
  const { storeOrderId, recordId } = row;
  const reason = error.messages.join(" ").replace(/\.$/, "");
  const fields = { ...outgoingRefundFields(rules, row), reason };
  await addNoteOnce(context, storeOrderId, rules.note("store_refund_refused", fields));
  await reporter.problem({
    kind: "refund_refused",
    subject: `refund ${recordId}`,
    storeOrderId,
    text: `The shop shows refund #${recordId} over ${fields.amount}, but Tillgate refuses it: ${reason}. No money was moved.`,
  });
  await outgoingRefunds.answered(recordId, "refused", null);
  log.error(
    { order: storeOrderId, storeRefund: recordId, requestId: error.requestId },
    `Tillgate refuses a refund made in the store: ${reason}`,
  );
}

/** A refund just made is looked at again after this long, and then less and less often. */
const FIRST_CHECK_MS = 10 * 60_000;
const LAST_CHECK_MS = 24 * 60 * 60_000;

/**
 * Sends the refunds that were made in the shop to Tillgate, if the owner wants that, each once. Its row with key and
 * reference is stored before the call, and a call with an unknown outcome is repeated with the same key. Where the amount of
 * one cannot be read, none is sent and a person is asked. To be called under the order's claim.
 * @returns whether all amounts could be read
 * @throws the client's error where an outcome is unknown: to be repeated
 */
export async function sendOutgoingRefunds(
  context: ConnectorContext,
  held: HeldClaim,
  order: StoreOrder,
): Promise<boolean> {
  const { payments, followedRefunds, outgoingRefunds, store } = context;
  if (order.transactionId === "") return true;
  const [payment] = await payments.byTransactions([order.transactionId]);
  if (payment === undefined || payment.storeOrderId !== order.id) return true;
  const before = await outgoingRefunds.ofOrder(order.id);
  if (order.hasRefunds === false && before.length === 0) return true;

  const records = await store.refunds(order.id);
  if (await reportUnreadableRefunds(context, order, records)) return false;
  await noteDeletedRefunds(context, before, records);
  const rows = await outgoingRefunds.ofOrder(order.id);
  // Also if a plugin of the store removed our mark from the record.
  const recorded = await followedRefunds.byRecord(order.id);
  // Or before WooCommerce saved it: only a refund that we know of may be named by a reason.
  const named = await followedRefunds.ends(records.flatMap(({ refundIdInReason }) => refundIdInReason ?? []));
  const isOurs = ({ id, tillgateRefundId, refundIdInReason }: RefundRecord) =>
    tillgateRefundId !== null || recorded.has(id) || named.has(refundIdInReason ?? "");
  let beforeMinor = 0n;
  for (const record of records) {
    const minor = readStoreSum(record.amount, order.currency);
    // A record of zero (a restock) moves no money.
    if (minor === 0n) continue;
    const row = rows.find(({ recordId }) => recordId === record.id);
    if (row !== undefined || !isOurs(record)) {
      const current =
        row ?? (await beginOutgoingRefund(context, payment, order, rows, record, { minor, beforeMinor }));
      if (row === undefined && current !== null) rows.push(current);
      if (current?.state === "calling") await callOutgoingRefund(context, held, payment, current);
    }
    beforeMinor += minor;
  }
  await checkAgain(context, order.id);
  return true;
}

/** In some shops deleting a refund does not change its order: only another look shows it. */
async function checkAgain(context: ConnectorContext, orderId: number): Promise<void> {
  const { outgoingRefunds, settings } = context;
  const rows = await outgoingRefunds.ofOrder(orderId);
  const ages = rows
    .filter(({ deleted, state }) => !deleted && (state === "completed" || state === "pending"))
    .map(({ ageMs }) => ageMs);
  if (ages.length === 0) return;
  const age = Math.min(...ages);
  if (age > settings.refundWatchMs) return;
  await scheduleChecks(context, [orderId], Math.min(Math.max(age, FIRST_CHECK_MS), LAST_CHECK_MS));
}
