import { randomUUID } from "node:crypto";
import { ledger, type RefundModel } from "@tillgate/database";
import { callForAdministrator } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { type Decision, toOnlyRejectionError } from "../payouts/decide.js";
import { notifyRefundChanged } from "./create.js";

/**
 * Approves or rejects a pending refund. If approved, the held amount is refunded to the payer, converted back if the payment was converted. If
 * rejected, the held amount returns to the merchant.
 * @throws OperationError RefundNotFound, AlreadyDecided (also after a concurrent decision); OnlyRejectionRemains for a closed wallet of the payer.
 */
export async function decideRefund(context: Context, decision: Decision): Promise<RefundModel> {
  const { id, approve, administrator, reason } = decision;
  try {
    const refund = await callForAdministrator(context, decision, ledger.decideRefund, () => ({
      refundId: id,
      approve,
      transferId: randomUUID(),
      administratorId: administrator.id,
      reason: reason ?? null,
    }));
    if (!decision.dryRun) notifyRefundChanged(context, refund);
    return refund;
  } catch (error) {
    throw toOnlyRejectionError(error, "The payer's wallet was closed. This refund can only be rejected.");
  }
}
