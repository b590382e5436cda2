import { createHash } from "node:crypto";
import type { NewOutgoingRefund, OutgoingRefund, PlacedPayment } from "../records/records.js";
import type { ConnectorSettings } from "../settings.js";
import type { RefundRecord, StoreOrder } from "../store/store-access.js";
import type { ConnectorContext } from "./context.js";
import { outgoingRefundFields } from "./link-outgoing-refund.js";
import { addNoteOnce } from "./order-note.js";
import { scheduleChecks } from "./schedule-checks.js";
import { situationOf } from "./situation.js";

/** The parts that identify a refund of the shop. */
type RefundOfStore = {
  /** The store's address, without a slash at its end. */
  site: string;
  storeOrderId: number;
  /** Tillgate's transaction that is paid back: a shop that is rebuilt counts its orders from the beginning again. */
  trxId: string;
  /** What the shop had refunded of the order before this one, in minor units. */
  beforeMinor: bigint;
  amountMinor: bigint;
  /** How many refunds with the same five parts Tillgate failed; their key would only return the failed one. */
  failedBefore?: number;
};

/** Hexadecimal digits of the key that the reference repeats: enough to tell an order's refunds apart. */
const REFERENCE_DIGITS = 16;

/**
 * The idempotency key of a refund made in the shop. The same refund has the same key in every process and after every
 * crash, and two of equal amounts in a row differ by what was refunded before them.
 *
 * @returns SHA-256 in hex, 64 characters
 */
export function refundKey({
  site,
  storeOrderId,
  trxId,
  beforeMinor,
  amountMinor,
  failedBefore = 0,
}: RefundOfStore): string {
  const parts: (string | number | bigint)[] = [site, storeOrderId, trxId, beforeMinor, amountMinor];
  if (failedBefore > 0) parts.push(failedBefore);
  return createHash("sha256").update(parts.join("\n"), "utf8").digest("hex");
}

/** The refund's reference at Tillgate. Tillgate returns it in every event and answer about the refund. */
export const refundReference = (orderNumber: string, key: string): string =>
  `${orderNumber} ${key.slice(0, REFERENCE_DIGITS)}`;

/** The wire's limit. */
const MAX_REASON = 500;

/**
 * Stores the row of a refund that is new, before it is sent. `rows` are the order's refunds so far; `minor` and
 * `beforeMinor` are its amount and that of the refunds before it, in minor units of the order's currency.
 * @returns null where nothing is to be sent
 */
export async function beginOutgoingRefund(
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

  const { trxId } = payment;
  const { tillgateOrderId } = payment.order;
  const { refund, held } = outgoingRefundOf(settings, { trxId, tillgateOrderId }, order, rows, record, {
    minor,
    beforeMinor,
  });
  if (settings.shopRefunds === "ignore") {
    // Remembered, so that it stays a record when the owner later has refunds sent.
    await outgoingRefunds.notSent(refund, { state: "ignored", refundId: null });
    return null;
  }
  if (held !== undefined) return repeat(context, held, refund);
  // Before the row: a process that dies after it is followed by this look.
  await scheduleChecks(context, [order.id], settings.claimMs);
  return outgoingRefunds.begin(refund);
}

/**
 * What is sent to Tillgate for a refund that was made in the store, by its key.
 * @returns it, and the row that already holds the key
 */
export function outgoingRefundOf(
  { siteUrl }: Pick<ConnectorSettings, "siteUrl">,
  { trxId, tillgateOrderId }: { trxId: string; tillgateOrderId: string },
  order: StoreOrder,
  rows: readonly OutgoingRefund[],
  record: RefundRecord,
  { minor, beforeMinor }: { minor: bigint; beforeMinor: bigint },
): { refund: NewOutgoingRefund; held: OutgoingRefund | undefined } {
  const { key, held } = keyOf(
    { site: siteUrl, storeOrderId: order.id, trxId, beforeMinor, amountMinor: minor },
    rows,
  );
  const refund = {
    recordId: record.id,
    storeOrderId: order.id,
    tillgateOrderId,
    trxId,
    idempotencyKey: key,
    reference: refundReference(order.number, key),
    reason: reasonOf(record),
    amountMinor: minor,
    currency: order.currency,
  };
  return { refund, held };
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
    const wish = { ...parts, beforeMinor, failedBefore };
    const key = refundKey(wish);
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
  await addNoteOnce(context, refund.storeOrderId, rules.note("store_refund_repeated", fields));
  await outgoingRefunds.notSent(refund, { state: "repeated", refundId: first.refundId });
  return null;
}

/** Cut at the wire's limit, and not inside a character. */
function reasonOf({ reason }: RefundRecord): string {
  const text = reason
    .trim()
    .slice(0, MAX_REASON)
    .replace(/[\uD800-\uDBFF]$/, "");
  return text === "" ? "Refunded in the store" : text;
}
