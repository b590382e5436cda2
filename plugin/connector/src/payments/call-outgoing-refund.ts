import { TillgateApiError } from "@tillgate/client";
import type { Refund } from "@tillgate/contract";
import type { OutgoingRefund, PlacedPayment } from "../records/records.js";
import { decimalText } from "../store/store-amount.js";
import type { HeldClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { tillgateOf } from "./credentials.js";
import { linkOutgoingRefund, outgoingRefundFields } from "./link-outgoing-refund.js";
import { noteOnce } from "./order-note.js";

/**
 * Makes the refund of a stored row at Tillgate and stores the answer, also a refusal. The client itself repeats a call
 * without an answer once, with the same body.
 * @throws the client's error where the outcome is unknown, or the same call may succeed later
 */
export async function callOutgoingRefund(
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
