import { createHash } from "node:crypto";
import type { NewOutgoingRefund, OutgoingRefund, PlacedPayment } from "../records/records.js";
import type { ConnectorSettings } from "../settings.js";
import type { RefundRecord, StoreOrder } from "../store/store-access.js";
import type { ConnectorContext } from "./context.js";
import { outgoingRefundFields } from "./link-outgoing-refund.js";
import { addNoteOnce } from "./order-note.js";
import { scheduleChecks } from "./schedule-checks.js";
import { toSituation } from "./situation.js";

type RefundKeyParts = {
  /** Without a trailing slash. */
  site: string;
  storeOrderId: number;
  /** Order IDs alone are not unique, because a rebuilt shop starts again from 1. */
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
 * Computes the idempotency key of a refund made in the shop, which is the same in every process and after a crash. Refunds of the same
 * amount get different keys, because the sum refunded before them differs.
 * @returns SHA-256 in hex
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

/** Tillgate includes the reference in all events and responses of the refund. */
export const refundReference = (orderNumber: string, key: string): string =>
  `${orderNumber} ${key.slice(0, REFERENCE_DIGITS)}`;

/** The API's limit, in characters. */
const MAX_REASON = 500;

/**
 * Stores a refund made in the shop, before it is sent to Tillgate. Amounts are in minor units of the order's currency.
 * @returns null if the rules or settings don't allow sending it, or if it repeats a deleted refund that Tillgate had already accepted
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
    // Stored, so that this refund is not sent if the owner enables sending later.
    await outgoingRefunds.createUnsent(refund, { state: "ignored", refundId: null });
    return null;
  }
  if (existing !== undefined) return repeatRefund(context, existing, refund);
  // Scheduled before the refund is stored, so that after a crash the check sends the refund.
  await scheduleChecks(context, [order.id], settings.claimMs);
  return outgoingRefunds.create(refund);
}

/** Builds a refund. Amounts are in minor units of the order's currency. @returns the refund, and the stored refund that it repeats, if any */
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
 * Finds the key of a refund. A stored refund with the same key that still exists in the shop is a separate refund, so the next key is tried.
 * `existing` is the stored refund with the returned key, if any: it was deleted in the shop, and this refund repeats it.
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
 * Handles a refund that repeats a deleted refund. If Tillgate accepted the deleted refund, no money is moved again; if its outcome is unknown,
 * its request is repeated with the same key.
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

/** Truncates the reason to the API's limit without splitting a surrogate pair. */
function refundReason({ reason }: RefundRecord): string {
  const text = reason
    .trim()
    .slice(0, MAX_REASON)
    .replace(/[\uD800-\uDBFF]$/, "");
  return text === "" ? "Refunded in the store" : text;
}
