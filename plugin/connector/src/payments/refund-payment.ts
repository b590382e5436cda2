import { createHash } from "node:crypto";
import { TillgateApiError } from "@tillgate/client";
import type { PlacedPayment } from "../records/records.js";
import type { HeldClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { tillgateOf } from "./credentials.js";
import type { PaymentFact } from "./facts.js";

/**
 * Pays a payment back in full because its store order does not need it. The key is always the same for the payment, so a
 * repeat finds the refund that was made.
 * @returns the outcome, for the order note
 * @throws the client's error where the outcome is unknown: to be repeated
 */
export async function refundPayment(
  context: ConnectorContext,
  held: HeldClaim,
  fact: PaymentFact,
  payment: PlacedPayment,
): Promise<string> {
  const { rules, settings, log } = context;
  const tillgate = tillgateOf(context, payment.credential);
  if (fact.trxId === null) throw new Error(`${payment.order.tillgateOrderId} is paid without a transaction.`);
  await held.keep();
  try {
    const refund = await tillgate.refunds.create({
      transaction_id: fact.trxId,
      reason: "The order no longer needed this payment",
      reference: payment.request.reference,
      idempotency_key: createHash("sha256")
        .update(`not needed:${settings.storeId}:${payment.order.tillgateOrderId}`)
        .digest("hex"),
    });
    const { amount, refund_id, status } = refund;
    const phrase = status === "completed" ? "paid_back" : "paid_back_later";
    return rules.phrase(phrase, { amount, refund: refund_id, status });
  } catch (error) {
    if (!(error instanceof TillgateApiError) || error.status !== 422) throw error;
    log.error(
      { order: payment.storeOrderId, trxId: fact.trxId, requestId: error.requestId },
      `A payment that is not needed could not be refunded: ${error.messages.join(" ")}`,
    );
    return rules.phrase("paid_back_by_hand", { reason: error.messages.join(" ") });
  }
}
