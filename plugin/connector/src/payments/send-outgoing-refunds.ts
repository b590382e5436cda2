import { TillgateApiError } from "@tillgate/client";
import type { Refund } from "@tillgate/contract";
import { fill } from "../health/texts.js";
import type { OutgoingRefund, PlacedPayment } from "../records/records.js";
import type { RefundRecord, StoreOrder } from "../store/store-access.js";
import { decimalText, readStoreSum, unreadableRecords } from "../store/store-amount.js";
import type { Claim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { createOutgoingRefund } from "./create-outgoing-refund.js";
import { tillgateClient } from "./credentials.js";
import { linkOutgoingRefund, outgoingRefundFields } from "./link-outgoing-refund.js";
import { addNoteOnce } from "./order-note.js";
import { scheduleChecks } from "./schedule-checks.js";

/** Marks refunds that were deleted in the shop, and adds an order note if a deleted refund moved money or may still do so. */
async function noteDeletedRefunds(
  context: ConnectorContext,
  rows: OutgoingRefund[],
  records: RefundRecord[],
): Promise<void> {
  const { reporter, rules, outgoingRefunds } = context;
  const existingIds = new Set(records.map(({ id }) => id));
  for (const row of rows) {
    if (row.isDeleted || existingIds.has(row.recordId)) continue;
    if (["completed", "pending", "calling", "given_up"].includes(row.state)) {
      const note = rules.note("store_refund_deleted", outgoingRefundFields(rules, row));
      await addNoteOnce(context, row.storeOrderId, note);
    }
    await outgoingRefunds.markDeleted(row.recordId);
    for (const kind of ["refund_refused", "refund_failed"] as const) {
      await reporter.resolveProblem(kind, `refund ${row.recordId}`);
    }
  }
}

/** Reports a refund whose amount is not valid in the order's currency, until all amounts are valid. @returns whether an amount is invalid */
async function reportUnreadableRefunds(
  context: ConnectorContext,
  order: StoreOrder,
  records: readonly RefundRecord[],
): Promise<boolean> {
  const { reporter, rules } = context;
  const subject = `refund amounts of order ${order.id}`;
  const [first] = unreadableRecords(records, order.currency);
  if (first === undefined) {
    await reporter.resolveProblem("mismatch", subject);
    return false;
  }
  const text = rules.note("store_refund_unreadable", {
    store_refund: String(first.id),
    amount: `${first.amount} ${order.currency}`,
  });
  await addNoteOnce(context, order.id, text);
  await reporter.reportProblem({ kind: "mismatch", subject, storeOrderId: order.id, text });
  return true;
}

/** Creates the refund and stores the result or rejection. @throws the client's error if the outcome is unknown or if a retry may succeed */
async function sendRefund(
  context: ConnectorContext,
  claim: Claim,
  payment: PlacedPayment,
  row: OutgoingRefund,
): Promise<void> {
  const { log } = context;
  const tillgate = tillgateClient(context, payment.credential);
  await claim.extend();
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
    if (!(error instanceof TillgateApiError) || !isPermanentRejection(error.status)) throw error;
    await handleRejection(context, row, error);
    return;
  }
  log.info(
    { order: row.storeOrderId, storeRefund: row.recordId, refundId: refund.refund_id, status: refund.status },
    "Sent a refund made in the store to Tillgate",
  );
  await linkOutgoingRefund(context, row, refund);
}

/** Whether the refund itself was rejected, so that a retry would fail too. Wrong credentials can be corrected, and a rate limit passes. */
const isPermanentRejection = (status: number): boolean => [400, 404, 409, 422].includes(status);

async function handleRejection(
  context: ConnectorContext,
  row: OutgoingRefund,
  error: TillgateApiError,
): Promise<void> {
  const { log, reporter, rules, outgoingRefunds } = context;
  const { storeOrderId, recordId } = row;
  const reason = error.messages.join(" ").replace(/\.$/, "");
  const fields = { ...outgoingRefundFields(rules, row), reason };
  await addNoteOnce(context, storeOrderId, rules.note("store_refund_rejected", fields));
  await reporter.reportProblem({
    kind: "refund_refused",
    subject: `refund ${recordId}`,
    storeOrderId,
    text: fill(
      "The shop has refund #{store_refund} of {amount}, but Tillgate rejected it: {reason}. No money was moved.",
      { store_refund: recordId, amount: fields.amount, reason },
    ),
  });
  await outgoingRefunds.setState(recordId, "refused", null);
  log.error(
    { order: storeOrderId, storeRefund: recordId, requestId: error.requestId },
    `Tillgate rejected a refund made in the store: ${reason}`,
  );
}

/** Delay of the first check for deletion, in milliseconds. Later checks are less frequent. */
const FIRST_CHECK_MS = 10 * 60_000;
const LAST_CHECK_MS = 24 * 60 * 60_000;

/**
 * Sends refunds made in the shop, if enabled. A request with an unknown outcome is retried with the same key. The order must be claimed.
 * @returns false if an amount is unreadable; then no refund is sent
 * @throws StoreError, ConnectorError `busy`, `credential_gone`, the client's error if an outcome is unknown; the caller retries
 */
export async function sendOutgoingRefunds(
  context: ConnectorContext,
  claim: Claim,
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
  // Covers records whose meta data a plugin removed.
  const followed = await followedRefunds.ofOrder(order.id);
  // Covers records whose meta data is not saved yet. An ID in a reason counts only if the refund is known.
  const named = await followedRefunds.outcomes(
    records.flatMap(({ refundIdInReason }) => refundIdInReason ?? []),
  );
  const isOurs = ({ id, tillgateRefundId, refundIdInReason }: RefundRecord) =>
    tillgateRefundId !== null ||
    followed.some(({ recordId }) => recordId === id) ||
    named.has(refundIdInReason ?? "");
  let beforeMinor = 0n;
  for (const record of records) {
    const minor = readStoreSum(record.amount, order.currency);
    // A record of zero only restocks items.
    if (minor === 0n) continue;
    const row = rows.find(({ recordId }) => recordId === record.id);
    if (row !== undefined || !isOurs(record)) {
      const current =
        row ?? (await createOutgoingRefund(context, payment, order, rows, record, { minor, beforeMinor }));
      if (row === undefined && current !== null) rows.push(current);
      if (current?.state === "calling") await sendRefund(context, claim, payment, current);
    }
    beforeMinor += minor;
  }
  await scheduleNextCheck(context, order.id);
  return true;
}

/** Schedules another check for deleted refunds, because in some shops deleting a refund does not change its order. */
async function scheduleNextCheck(context: ConnectorContext, orderId: number): Promise<void> {
  const { outgoingRefunds, settings } = context;
  const rows = await outgoingRefunds.ofOrder(orderId);
  const ages = rows
    .filter(({ isDeleted, state }) => !isDeleted && (state === "completed" || state === "pending"))
    .map(({ ageMs }) => ageMs);
  if (ages.length === 0) return;
  const age = Math.min(...ages);
  if (age > settings.refundWatchMs) return;
  await scheduleChecks(context, [orderId], Math.min(Math.max(age, FIRST_CHECK_MS), LAST_CHECK_MS));
}
