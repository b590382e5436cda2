import { Refusal } from "@tillgate/contract";
import { callOne, type LedgerFunction } from "@tillgate/database";
import type { Context } from "../../context.js";
import { callLedger } from "../../ledger/call.js";
import { asRefusal, WalletClosedError } from "../../ledger/refusals.js";
import { OperationError } from "../../operation-error.js";
import type { Change } from "./administrator.js";
import { changeOnConnection } from "./change.js";
import { AdministrationError, AdministrationRefusal as Why } from "./errors.js";

/** How an administrator is told of a refusal, where its own text speaks to a merchant. */
const SENTENCES = new Map<Refusal, [Why, string]>([
  [Refusal.ReferenceTaken, [Why.ReferenceTaken, Refusal.ReferenceTaken.text]],
  [Refusal.RequestNotFound, [Why.NotFound, Refusal.RequestNotFound.text]],
  [Refusal.NeedsSecondAdministrator, [Why.NeedsSecondAdministrator, Refusal.NeedsSecondAdministrator.text]],
  [Refusal.NotAnAdministrator, [Why.NotAnAdministrator, Refusal.NotAnAdministrator.text]],
  [Refusal.WalletNotFound, [Why.NotFound, Refusal.WalletNotFound.text]],
  [Refusal.CurrencyNotFound, [Why.NotFound, Refusal.CurrencyNotFound.text]],
  [Refusal.RaiseWaiting, [Why.AlreadyExists, Refusal.RaiseWaiting.text]],
  [Refusal.PayoutNotFound, [Why.NotFound, "There is no such payout."]],
  [Refusal.RefundNotFound, [Why.NotFound, "There is no such refund."]],
  [Refusal.AlreadyDecided, [Why.AlreadyDecided, "This is decided already."]],
  [
    Refusal.RecipientInactive,
    [Why.OnlyRejectionRemains, "The recipient was deactivated: it can only be rejected."],
  ],
  [
    Refusal.MerchantWalletNotFound,
    [Why.OnlyRejectionRemains, "Its sender currency was deactivated: it can only be rejected."],
  ],
  [
    Refusal.InvalidReceiverCurrency,
    [Why.OnlyRejectionRemains, "Its receiver currency was deactivated: it can only be rejected."],
  ],
  [Refusal.InsufficientBalance, [Why.InsufficientBalance, "The wallet holds less than this amount."]],
]);

/** Reads the refusal out of an error; other errors pass unchanged. */
function asAdministrationError(error: unknown): unknown {
  if (error instanceof WalletClosedError)
    return new AdministrationError(Why.WalletClosed, "The wallet is closed.");
  const sentence = error instanceof OperationError ? SENTENCES.get(error.refusal) : undefined;
  return sentence ? new AdministrationError(...sentence) : error;
}

/**
 * Calls one SQL function that moves money and writes its audit record: the call is the transaction. A dry run makes the
 * same call, checks what a commit would check, and rolls back.
 * @param named makes the arguments anew for every try, so that a colliding id is not tried twice.
 * @throws AdministrationError when the function refuses.
 */
export async function callForAdministrator<Named extends Record<string, unknown>, Answer>(
  context: Context,
  { dryRun }: Pick<Change, "dryRun">,
  called: LedgerFunction<Named, Answer>,
  named: () => Named,
): Promise<Answer> {
  try {
    return dryRun
      ? await changeOnConnection(context, { dryRun }, (connection) => callOne(connection, called, named()))
      : await callLedger(context, called, named);
  } catch (error) {
    throw asAdministrationError(asRefusal(error, called));
  }
}
