import type { RefundRecord, StoreOrder } from "../store/store-access.js";
import { unreadableRecords } from "../store/store-amount.js";
import type { ConnectorContext } from "./context.js";
import { noteOnce } from "./order-note.js";

/**
 * Reports refunds of the shop whose amount cannot be read in the order's currency: in a note on the order and in the health
 * panel, until every amount can be read.
 * @returns whether there are any
 */
export async function reportUnreadableRefunds(
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
  await noteOnce(context, order.id, text);
  await reporter.problem({ kind: "mismatch", subject, storeOrderId: order.id, text });
  return true;
}
