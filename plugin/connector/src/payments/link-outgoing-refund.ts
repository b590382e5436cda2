import type { Refund } from "@tillgate/contract";
import type { OutgoingRefund } from "../records/records.js";
import type { Rules } from "../rules.js";
import { amountText, tryWireAmount } from "../store/store-amount.js";
import type { ConnectorContext } from "./context.js";
import { scheduleDelay } from "./drain-due.js";
import { followRefund } from "./follow-refunds.js";
import { addNoteOnce } from "./order-note.js";

/**
 * The shop's own refund that Tillgate reports: by its number, or by the reference that was stored before the call.
 * @param again whether one that is no more in the store, though its money moved, is to be recorded too
 * @returns null where the refund was not made in the shop, or where the shop deleted it before its money moved: then it is
 * recorded there like any other
 */
export async function findOutgoingRefund(
  { outgoingRefunds, store }: ConnectorContext,
  storeOrderId: number,
  refund: Refund,
  again = false,
): Promise<OutgoingRefund | null> {
  const found = await outgoingRefunds.find(storeOrderId, {
    refundId: refund.refund_id,
    reference: refund.reference,
  });
  if (found === null || (found.deleted && (again || found.state !== "completed"))) return null;
  const isSame =
    found.currency === refund.currency &&
    found.amountMinor === tryWireAmount(refund.raw_amount, refund.currency);
  if (!isSame) return null;
  // The store may have lost it, and nobody has looked since.
  const isThere = !again || (await store.refunds(storeOrderId)).some(({ id }) => id === found.recordId);
  return isThere ? found : null;
}

/** Connects a refund of the shop with Tillgate's in its present state: a note, our row, and another look if it waits. */
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
      await note("store_refund_waiting");
      break;
    case "completed":
      await note("store_refund_completed");
      await followedRefunds.recorded(refund.refund_id, recordId);
      await reporter.settled("refund_refused", subject);
      break;
    case "failed":
      await note("store_refund_failed");
      await followedRefunds.failed(refund.refund_id);
      await reporter.problem({
        kind: "refund_failed",
        subject,
        storeOrderId,
        text: `The shop shows refund #${recordId}, but ${refund.refund_id} failed at Tillgate: no money was moved.`,
      });
      break;
  }
  await outgoingRefunds.answered(recordId, refund.status, refund.refund_id);
}

/** The fields of a note about a refund made in the shop. */
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
