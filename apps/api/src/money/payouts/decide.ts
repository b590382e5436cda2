import { randomUUID } from "node:crypto";
import { ErrorCode } from "@tillgate/contract";
import { ledger, type PayoutModel } from "@tillgate/database";
import type { Change } from "../../audit/administrator.js";
import { callForAdministrator } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { errorWith, OperationError } from "../../errors.js";
import { notifyPayoutChanged } from "./create.js";

export type Decision = Change & {
  id: string;
  approve: boolean;
  /** Stored in the audit record. */
  reason?: string | undefined;
};

/**
 * Approves or rejects a pending payout. If approved, the held amount is paid to the recipient and the held fee is charged. If rejected, both return
 * to the merchant, and the amount no longer counts toward the daily and monthly limits of the date on which the payout was created.
 * @throws OperationError PayoutNotFound, AlreadyDecided (also after a concurrent decision); on approval also RecipientInactive; OnlyRejectionRemains
 * if the recipient's wallet is closed; MerchantWalletNotFound or InvalidReceiverCurrency for a deactivated currency.
 */
export async function decidePayout(context: Context, decision: Decision): Promise<PayoutModel> {
  const { id, approve, administrator, reason } = decision;
  const { prisma } = context.database;
  const payout = await prisma.payout.findUnique({ where: { id }, select: { merchantId: true } });
  if (!payout) throw new OperationError(ErrorCode.PayoutNotFound);
  try {
    const result = await callForAdministrator(context, decision, ledger.decidePayout, () => ({
      payoutId: id,
      approve,
      trxId: context.memory.ids.partnerTransaction.next(payout.merchantId),
      transferId: randomUUID(),
      administratorId: administrator.id,
      reason: reason ?? null,
    }));
    if (!decision.dryRun) notifyPayoutChanged(context, result);
    return result;
  } catch (error) {
    throw toOnlyRejectionError(error, "The recipient's wallet was closed. This payout can only be rejected.");
  }
}

/** Converts WalletClosed, which must concern the receiving wallet, to OnlyRejectionRemains. Returns other errors unchanged. */
export const toOnlyRejectionError = (error: unknown, message: string): unknown =>
  error instanceof OperationError && error.errorCode === ErrorCode.WalletClosed
    ? errorWith(ErrorCode.OnlyRejectionRemains, message)
    : error;
