import type { Refund } from "@tillgate/contract";
import { fill } from "../health/texts.js";
import type { OutgoingRefund } from "../records/records.js";
import type { Rules } from "../rules.js";
import { amountText, tryWireAmount } from "../store/store-amount.js";
import type { ConnectorContext } from "./context.js";
import { scheduleDelay } from "./drain-due.js";
import { followRefund } from "./follow-refunds.js";
import { addNoteOnce } from "./order-note.js";

/**
 * Finds a refund that was made in the shop, by its Tillgate refund ID or by the reference stored before the request.
 * @param reapply true to ignore a stored refund that no longer exists in the shop, so that it is recorded there again
 * @returns null if no refund with this amount and currency matches, or the refund was deleted in the shop before its money was moved. In both
 * cases the caller records the Tillgate refund like any other.
 */
export async function findOutgoingRefund(
  { outgoingRefunds, store }: ConnectorContext,
  storeOrderId: number,
  refund: Refund,
  reapply = false,
): Promise<OutgoingRefund | null> {
  const found = await outgoingRefunds.find(storeOrderId, {
    refundId: refund.refund_id,
    reference: refund.reference,
  });
  if (found === null || (found.isDeleted && (reapply || found.state !== "completed"))) return null;
  const isSame =
    found.currency === refund.currency &&
    found.amountMinor === tryWireAmount(refund.raw_amount, refund.currency);
  if (!isSame) return null;
  // The shop may have lost the refund since the last check.
  const isThere = !reapply || (await store.refunds(storeOrderId)).some(({ id }) => id === found.recordId);
  return isThere ? found : null;
}

/** Stores the Tillgate refund's state, schedules its checks, adds the order note, and reports a failed refund as a problem. */
export async function linkOutgoingRefund(
  context: ConnectorContext,
  outgoing: OutgoingRefund,
  refund: Refund,
): Promise<void> {
  const { followedRefunds, reporter, rules, settings, outgoingRefunds } = context;
  const { storeOrderId, recordId } = outgoing;
  const subject = `refund ${recordId}`;
  const note = (name: string) =>
    addNoteOnce(context, storeOrderId, rules.note(name, outgoingRefundFields(rules, outgoing, refund)));
  await followRefund(context, refund, storeOrderId, scheduleDelay(settings.sweepIntervalMs));
  switch (refund.status) {
    case "pending":
      await note("store_refund_pending");
      break;
    case "completed":
      await note("store_refund_completed");
      await followedRefunds.markRecorded(refund.refund_id, recordId);
      await reporter.resolveProblem("refund_refused", subject);
      break;
    case "failed":
      await note("store_refund_failed");
      await followedRefunds.markFailed(refund.refund_id);
      await reporter.reportProblem({
        kind: "refund_failed",
        subject,
        storeOrderId,
        text: fill(
          "The shop has refund #{store_refund}, but {refund} failed in Tillgate: no money was moved.",
          { store_refund: recordId, refund: refund.refund_id },
        ),
      });
      break;
  }
  await outgoingRefunds.setState(recordId, refund.status, refund.refund_id);
}

export const outgoingRefundFields = (
  rules: Rules,
  { amountMinor, currency, recordId, refundId }: OutgoingRefund,
  refund?: Refund,
) => ({
  amount: amountText(amountMinor, currency),
  store_refund: String(recordId),
  refund:
    refund === undefined
      ? (refundId ?? rules.phrase("refund_not_known"))
      : rules.phrase("refund", { refund: refund.refund_id, amount: refund.amount }),
});
