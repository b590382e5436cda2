import type { OutgoingRefund } from "../records/records.js";
import type { RefundRecord } from "../store/store-access.js";
import type { ConnectorContext } from "./context.js";
import { outgoingRefundFields } from "./link-outgoing-refund.js";
import { noteOnce } from "./order-note.js";

/** Marks the sent refunds that are no longer in the shop, and notes on the order those that moved money or still may. */
export async function noteDeletedRefunds(
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
