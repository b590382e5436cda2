import type { RefundRecord, StoreOrder } from "../store/store-access.js";
import { readStoreSum } from "../store/store-amount.js";
import { askForLooks } from "./ask-for-looks.js";
import { beginOutgoingRefund } from "./begin-outgoing-refund.js";
import { callOutgoingRefund } from "./call-outgoing-refund.js";
import type { HeldClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { noteDeletedRefunds } from "./note-deleted-refunds.js";
import { reportUnreadableRefunds } from "./report-unreadable-refunds.js";

/** A refund just made is looked at again after this long, and then less and less often. */
const FIRST_LOOK_MS = 10 * 60_000;
const LAST_LOOK_MS = 24 * 60 * 60_000;

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
  await lookAgain(context, order.id);
  return true;
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
