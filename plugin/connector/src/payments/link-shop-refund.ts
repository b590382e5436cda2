import type { Refund } from "@tillgate/contract";
import type { ShopRefund } from "../records/records.js";
import { fillNote } from "../rules.js";
import { amountText, tryWireAmount } from "../store/store-amount.js";
import type { ConnectorContext } from "./context.js";
import { noteOnce } from "./order-note.js";
import { watchRefund } from "./watch-refunds.js";

/**
 * The shop's own refund that Tillgate tells of: by its number, or by the reference that was stored before the call.
 *
 * @returns null where the refund was not made in the shop, or where the shop deleted it before its money moved: then it
 *   is recorded there like any other
 */
export async function findShopRefund(
  { settings, shopRefunds }: ConnectorContext,
  storeOrderId: number,
  refund: Refund,
): Promise<ShopRefund | null> {
  const found = await shopRefunds.find(settings.storeId, storeOrderId, {
    refundId: refund.refund_id,
    reference: refund.reference,
  });
  if (found === null || (found.deleted && found.state !== "completed")) return null;
  const isSame =
    found.currency === refund.currency &&
    found.amountMinor === tryWireAmount(refund.raw_amount, refund.currency);
  return isSame ? found : null;
}

/** Connects a refund of the shop with Tillgate's as it stands now: a note, our row, and a look for what waits. */
export async function linkShopRefund(
  context: ConnectorContext,
  shopRefund: ShopRefund,
  refund: Refund,
): Promise<void> {
  const { refunds, reporter, rules, settings, shopRefunds } = context;
  const { storeId } = settings;
  const { storeOrderId, storeRefundId } = shopRefund;
  const subject = `refund ${storeRefundId}`;
  const note = (name: string) =>
    noteOnce(context, storeOrderId, fillNote(rules.note(name), shopRefundFields(shopRefund, refund)));
  switch (refund.status) {
    case "pending":
      await note("store_refund_waiting");
      await watchRefund(context, refund, storeOrderId, settings.sweepIntervalMs * 0.75);
      break;
    case "completed":
      await note("store_refund_completed");
      await watchRefund(context, refund, storeOrderId, settings.sweepIntervalMs * 0.75);
      await refunds.recorded(storeId, refund.refund_id, storeRefundId);
      await reporter.settled("refund_refused", subject);
      break;
    case "failed":
      await note("store_refund_failed");
      await watchRefund(context, refund, storeOrderId, settings.sweepIntervalMs * 0.75);
      await refunds.failed(storeId, refund.refund_id);
      await reporter.problem({
        kind: "refund_failed",
        subject,
        storeOrderId,
        text: `The shop shows refund #${storeRefundId}, but ${refund.refund_id} failed at Tillgate: no money was moved.`,
      });
      break;
  }
  await shopRefunds.answered(storeId, storeRefundId, refund.status, refund.refund_id);
}

/** What a note about a refund made in the shop may speak of. */
export const shopRefundFields = (shopRefund: ShopRefund, refund?: Refund) => ({
  amount: amountText(shopRefund.amountMinor, shopRefund.currency),
  store_refund: String(shopRefund.storeRefundId),
  refund:
    refund === undefined
      ? (shopRefund.refundId ?? "its number is not known yet")
      : `refund ${refund.refund_id} over ${refund.amount}`,
});
