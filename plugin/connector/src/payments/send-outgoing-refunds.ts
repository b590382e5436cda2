import { TillgateApiError } from "@tillgate/client";
import type { Refund } from "@tillgate/contract";
import type { NewOutgoingRefund, OutgoingRefund, PlacedPayment } from "../records/records.js";
import type { RefundRecord, StoreOrder } from "../store/store-access.js";
import { decimalText, tryStoreTotal } from "../store/store-amount.js";
import { askForLooks } from "./ask-for-looks.js";
import type { HeldClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { tillgateOf } from "./credentials.js";
import { linkOutgoingRefund, outgoingRefundFields } from "./link-outgoing-refund.js";
import { noteOnce } from "./order-note.js";
import { type RefundOfStore, refundKey, refundReference } from "./refund-key.js";
import { situationOf } from "./situation.js";

/** The wire's limit. */
const MAX_REASON = 500;
/** A refund just made is looked at again after this long, and then less and less often. */
const FIRST_LOOK_MS = 10 * 60_000;
const LAST_LOOK_MS = 24 * 60 * 60_000;

/**
 * Sends the refunds that were made in the shop to Tillgate, if the owner wants that, each once. Its row with key and
 * reference is stored before the call, and a call with an unknown outcome is repeated with the same key. To be called under
 * the order's claim.
 * @throws the client's error where an outcome is unknown: to be repeated
 */
export async function sendOutgoingRefunds(
  context: ConnectorContext,
  held: HeldClaim,
  order: StoreOrder,
): Promise<void> {
  const { payments, followedRefunds, outgoingRefunds, store } = context;
  if (order.transactionId === "") return;
  const [payment] = await payments.byTransactions([order.transactionId]);
  if (payment === undefined || payment.storeOrderId !== order.id) return;
  const before = await outgoingRefunds.ofOrder(order.id);
  if (order.hasRefunds === false && before.length === 0) return;

  const records = await store.refunds(order.id);
  await noteDeleted(context, before, records);
  const rows = await outgoingRefunds.ofOrder(order.id);
  // Also if a plugin of the store removed our mark from the record.
  const recorded = new Set(await followedRefunds.recordsOf(order.id));
  // Or before WooCommerce saved it: only a refund that we know of may be named by a reason.
  const named = await followedRefunds.ends(records.flatMap(({ refundIdInReason }) => refundIdInReason ?? []));
  const isOurs = ({ id, tillgateRefundId, refundIdInReason }: RefundRecord) =>
    tillgateRefundId !== null || recorded.has(id) || named.has(refundIdInReason ?? "");
  let beforeMinor = 0n;
  for (const record of records) {
    // A record of nothing (a restock) is no amount and moves none.
    const minor = tryStoreTotal(record.amount, order.currency);
    if (minor === null) continue;
    const row = rows.find(({ recordId }) => recordId === record.id);
    if (row !== undefined || !isOurs(record)) {
      const current = row ?? (await begin(context, payment, order, rows, record, { minor, beforeMinor }));
      if (row === undefined && current !== null) rows.push(current);
      if (current?.state === "calling") await send(context, held, payment, current);
    }
    beforeMinor += minor;
  }
  await lookAgain(context, order.id);
}

/** Stores the row of a refund that is new. @returns null where nothing is to be sent */
async function begin(
  context: ConnectorContext,
  payment: PlacedPayment,
  order: StoreOrder,
  rows: OutgoingRefund[],
  record: RefundRecord,
  { minor, beforeMinor }: { minor: bigint; beforeMinor: bigint },
): Promise<OutgoingRefund | null> {
  const { rules, settings, outgoingRefunds } = context;
  const occurrence = { event: "store.refunded" } as const;
  const decision = rules.decide(situationOf(occurrence, payment, order, settings.paymentMethod));
  if (decision.action !== "refund_at_tillgate" || payment.trxId === null) return null;

  const { key, held } = keyOf(
    { site: settings.siteUrl, storeOrderId: order.id, beforeMinor, amountMinor: minor },
    rows,
  );
  const refund: NewOutgoingRefund = {
    recordId: record.id,
    storeOrderId: order.id,
    tillgateOrderId: payment.order.tillgateOrderId,
    trxId: payment.trxId,
    idempotencyKey: key,
    reference: refundReference(order.number, key),
    reason: reasonOf(record),
    amountMinor: minor,
    currency: order.currency,
  };
  if (settings.shopRefunds === "ignore") {
    // Remembered, so that it stays a record when the owner later has refunds sent.
    await outgoingRefunds.notSent(refund, { state: "ignored", refundId: null });
    return null;
  }
  if (held !== undefined) return repeat(context, held, refund);
  // Before the row: a process that dies after it is followed by this look.
  await askForLooks(context, [order.id], settings.claimMs);
  return outgoingRefunds.begin(refund);
}

/**
 * The key of a new refund, and the row that already holds it: of one that the shop deleted and made once more. A row whose
 * refund is still in the shop is another refund: of two made at the same moment the later number may be seen first, and
 * then both have the same refunds before them.
 */
function keyOf(
  parts: RefundOfStore,
  rows: readonly OutgoingRefund[],
): { key: string; held: OutgoingRefund | undefined } {
  let { beforeMinor } = parts;
  let failedBefore = 0;
  for (;;) {
    const key = refundKey({ ...parts, beforeMinor, failedBefore });
    const held = rows.find(
      ({ idempotencyKey, state }) =>
        idempotencyKey === key && !["refused", "repeated", "ignored"].includes(state),
    );
    if (held?.state === "failed") failedBefore += 1;
    else if (held !== undefined && !held.deleted) {
      beforeMinor += held.amountMinor;
      failedBefore = 0;
    } else return { key, held };
  }
}

/**
 * A refund that was deleted in the shop and made once more: the first one moved its money, or waits for approval. If that
 * is not known, the first one's call is continued; its key finds what it made.
 */
async function repeat(
  context: ConnectorContext,
  first: OutgoingRefund,
  refund: NewOutgoingRefund,
): Promise<OutgoingRefund | null> {
  const { rules, outgoingRefunds } = context;
  if (first.refundId === null) {
    return outgoingRefunds.continueAs(first.recordId, refund.recordId);
  }
  const fields = {
    ...outgoingRefundFields(rules, { ...first, recordId: refund.recordId }),
    refund: first.refundId,
  };
  await noteOnce(context, refund.storeOrderId, rules.note("store_refund_repeated", fields));
  await outgoingRefunds.notSent(refund, { state: "repeated", refundId: first.refundId });
  return null;
}

/** The client itself repeats a call without an answer once, with the same body. */
async function send(
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
    await refuse(context, row, error);
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

async function refuse(
  context: ConnectorContext,
  row: OutgoingRefund,
  error: TillgateApiError,
): Promise<void> {
  const { log, reporter, rules, outgoingRefunds } = context;
  const { storeOrderId, recordId } = row;
  const reason = error.messages.join(" ").replace(/\.$/, "");
  const fields = { ...outgoingRefundFields(rules, row), reason };
  await noteOnce(context, storeOrderId, rules.note("store_refund_refused", fields));
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

async function noteDeleted(
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
      await noteOnce(context, row.storeOrderId, note);
    }
    await outgoingRefunds.deleted(row.recordId);
    for (const kind of ["refund_refused", "refund_failed"] as const) {
      await reporter.settled(kind, `refund ${row.recordId}`);
    }
  }
}

/** In some shops deleting a refund does not change its order: only another look shows it. */
async function lookAgain(context: ConnectorContext, orderId: number): Promise<void> {
  const { outgoingRefunds, settings } = context;
  const rows = await outgoingRefunds.ofOrder(orderId);
  const ages = rows
    .filter(({ deleted, state }) => !deleted && (state === "completed" || state === "pending"))
    .map(({ ageMs }) => ageMs);
  if (ages.length === 0) return;
  const age = Math.min(...ages);
  if (age > settings.refundWatchMs) return;
  await askForLooks(context, [orderId], Math.min(Math.max(age, FIRST_LOOK_MS), LAST_LOOK_MS));
}

/** Cut at the wire's limit, and not inside a character. */
function reasonOf({ reason }: RefundRecord): string {
  const text = reason
    .trim()
    .slice(0, MAX_REASON)
    .replace(/[\uD800-\uDBFF]$/, "");
  return text === "" ? "Refunded in the store" : text;
}
