import { createHash } from "node:crypto";
import type { NewOutgoingRefund, OutgoingRefund, PlacedPayment } from "../records/records.js";
import type { ConnectorSettings } from "../settings.js";
import type { RefundRecord, StoreOrder } from "../store/store-access.js";
import type { ConnectorContext } from "./context.js";
import { outgoingRefundFields } from "./link-outgoing-refund.js";
import { addNoteOnce } from "./order-note.js";
import { scheduleChecks } from "./schedule-checks.js";
import { toSituation } from "./situation.js";

/** The components of a refund's idempotency key. */
type RefundKeyParts = {
  /** The store's URL without a trailing slash. */
  site: string;
  storeOrderId: number;
  /** The refunded transaction. Order IDs alone are not unique, because a rebuilt shop starts again from 1. */
  trxId: string;
  /** Sum of the order's earlier refunds in the shop, in minor units. */
  beforeMinor: bigint;
  amountMinor: bigint;
  /** Number of failed refunds with otherwise the same components. Without it, Tillgate would return the failed refund for the same key. */
  failedBefore?: number;
};

/** Hex digits of the key in the reference, to distinguish the refunds of an order. */
const REFERENCE_DIGITS = 16;

/**
 * Computes the idempotency key of a refund made in the shop, which is the same in every process and after a crash. Two refunds of the same
 * amount get different keys, because the sum refunded before them differs.
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
}: RefundKeyParts): string {
  const parts: (string | number | bigint)[] = [site, storeOrderId, trxId, beforeMinor, amountMinor];
  if (failedBefore > 0) parts.push(failedBefore);
  return createHash("sha256").update(parts.join("\n"), "utf8").digest("hex");
}

/** Builds the refund's reference, which Tillgate includes in all events and responses of the refund. */
export const refundReference = (orderNumber: string, key: string): string =>
  `${orderNumber} ${key.slice(0, REFERENCE_DIGITS)}`;

/** Maximum length of a refund's reason in the API, in characters. */
const MAX_REASON = 500;

/**
 * Stores a refund made in the shop, before it is sent to Tillgate. `rows` are the order's previously stored refunds; `minor` and
 * `beforeMinor` are the amounts of this refund and of all refunds before it, in minor units of the order's currency.
 * @returns the refund to send; null if the rules or settings don't allow sending it, or if it repeats a deleted refund that Tillgate had
 * already accepted
 */
export async function createOutgoingRefund(
  context: ConnectorContext,
  payment: PlacedPayment,
  order: StoreOrder,
  rows: OutgoingRefund[],
  record: RefundRecord,
  { minor, beforeMinor }: { minor: bigint; beforeMinor: bigint },
): Promise<OutgoingRefund | null> {
  const { rules, settings, outgoingRefunds } = context;
  const occurrence = { event: "store.refunded" } as const;
  const decision = rules.decide(toSituation(occurrence, payment, order, settings.paymentMethod));
  if (decision.action !== "refund_at_tillgate" || payment.trxId === null) return null;

  const { trxId } = payment;
  const { tillgateOrderId } = payment.order;
  const { refund, existing } = buildOutgoingRefund(
    settings,
    { trxId, tillgateOrderId },
    order,
    rows,
    record,
    {
      minor,
      beforeMinor,
    },
  );
  if (settings.shopRefunds === "ignore") {
    // Stored, so that it is not sent if the owner enables sending later.
    await outgoingRefunds.createUnsent(refund, { state: "ignored", refundId: null });
    return null;
  }
  if (existing !== undefined) return repeatRefund(context, existing, refund);
  // Scheduled before the refund is stored, so that after a crash the check continues.
  await scheduleChecks(context, [order.id], settings.claimMs);
  return outgoingRefunds.create(refund);
}

/**
 * Builds the Tillgate refund for a refund made in the store. Amounts are in minor units of the order's currency.
 * @returns the refund, and the stored refund that it repeats, if any
 */
export function buildOutgoingRefund(
  { siteUrl }: Pick<ConnectorSettings, "siteUrl">,
  { trxId, tillgateOrderId }: { trxId: string; tillgateOrderId: string },
  order: StoreOrder,
  rows: readonly OutgoingRefund[],
  record: RefundRecord,
  { minor, beforeMinor }: { minor: bigint; beforeMinor: bigint },
): { refund: NewOutgoingRefund; existing: OutgoingRefund | undefined } {
  const { key, existing } = findKey(
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
    reason: refundReason(record),
    amountMinor: minor,
    currency: order.currency,
  };
  return { refund, existing };
}

/**
 * Finds the key of a new refund and, if the shop deleted a refund and made it again, the stored refund with the same key. If the stored
 * refund still exists in the shop, the two are different refunds that were made concurrently, with the same total of earlier refunds.
 */
function findKey(
  parts: RefundKeyParts,
  rows: readonly OutgoingRefund[],
): { key: string; existing: OutgoingRefund | undefined } {
  let { beforeMinor } = parts;
  let failedBefore = 0;
  for (;;) {
    const key = refundKey({ ...parts, beforeMinor, failedBefore });
    const existing = rows.find(
      ({ idempotencyKey, state }) =>
        idempotencyKey === key && !["refused", "repeated", "ignored"].includes(state),
    );
    if (existing?.state === "failed") failedBefore += 1;
    else if (existing !== undefined && !existing.isDeleted) {
      beforeMinor += existing.amountMinor;
      failedBefore = 0;
    } else return { key, existing };
  }
}

/**
 * Handles a refund that was deleted in the shop and made again. The first one is completed or pending in Tillgate, so no
 * money is moved again; if its outcome is unknown, its request is repeated with the same key.
 */
async function repeatRefund(
  context: ConnectorContext,
  first: OutgoingRefund,
  refund: NewOutgoingRefund,
): Promise<OutgoingRefund | null> {
  const { rules, outgoingRefunds } = context;
  if (first.refundId === null) {
    return outgoingRefunds.reassign(first.recordId, refund.recordId);
  }
  const fields = {
    ...outgoingRefundFields(rules, { ...first, recordId: refund.recordId }),
    refund: first.refundId,
  };
  await addNoteOnce(context, refund.storeOrderId, rules.note("store_refund_repeated", fields));
  await outgoingRefunds.createUnsent(refund, { state: "repeated", refundId: first.refundId });
  return null;
}

/** Returns the reason, truncated to the API's limit without splitting a surrogate pair. */
function refundReason({ reason }: RefundRecord): string {
  const text = reason
    .trim()
    .slice(0, MAX_REASON)
    .replace(/[\uD800-\uDBFF]$/, "");
  return text === "" ? "Refunded in the store" : text;
}
