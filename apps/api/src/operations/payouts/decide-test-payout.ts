import { randomUUID } from "node:crypto";
import { type PayoutOutcome, Refusal } from "@tillgate/contract";
import { ledger, type PayoutModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { callLedger } from "../../ledger/call.js";
import { WalletClosedError } from "../../ledger/refusals.js";
import { OperationError } from "../../operation-error.js";
import type { ApiCall } from "../administration/administrator.js";
import { payoutChanged } from "./execute-payout.js";
import { getPayout } from "./get-payout.js";

/** What the ledger says of a payout that can no longer be completed. */
const ONLY_REJECTION: readonly Refusal[] = [
  Refusal.RecipientInactive,
  Refusal.MerchantWalletNotFound,
  Refusal.InvalidReceiverCurrency,
];

export type TestDecision = {
  payoutId: string;
  outcome: PayoutOutcome;
  /** Whose decision the audit record says it is. */
  by: ApiCall;
};

/**
 * Decides on a merchant's own payout that waits, in the sandbox, as an administrator decides elsewhere. A repeat after its own
 * success moves nothing.
 * @throws OperationError SandboxOnly, PayoutNotFound, AlreadyDecided (the other way), OnlyRejectionRemains.
 */
export async function decideTestPayout(
  context: Context,
  scope: MerchantScope,
  { payoutId, outcome, by }: TestDecision,
): Promise<PayoutModel> {
  if (scope.mode !== "sandbox") throw new OperationError(Refusal.SandboxOnly);
  const before = await getPayout(context, scope, payoutId);
  if (before.status === outcome) return before;
  try {
    const decided = await callLedger(context, ledger.decideTestPayout, () => ({
      payoutId,
      merchantId: scope.merchantId,
      approve: outcome === "completed",
      trxId: context.memory.ids.partnerTransaction.next(scope.merchantId),
      transferId: randomUUID(),
      credentialId: by.credentialId,
      requestId: by.requestId,
    }));
    payoutChanged(context, decided);
    return decided;
  } catch (error) {
    if (error instanceof WalletClosedError) throw new OperationError(Refusal.OnlyRejectionRemains);
    if (!(error instanceof OperationError)) throw error;
    if (ONLY_REJECTION.includes(error.refusal)) throw new OperationError(Refusal.OnlyRejectionRemains);
    if (error.refusal !== Refusal.AlreadyDecided) throw error;
    const now = await getPayout(context, scope, payoutId);
    if (now.status === outcome) return now;
    throw error;
  }
}
