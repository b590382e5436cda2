import type { Context } from "../../context.js";
import { callLedger } from "../../ledger/call.js";
import { asRefusal, WalletClosedError } from "../../ledger/refusals.js";
import { OperationError, Refusal } from "../errors.js";
import type { Change } from "./administrator.js";
import { changeOnConnection } from "./change.js";
import { AdministrationError, AdministrationRefusal as Why } from "./errors.js";

type Value = string | bigint | boolean | null;

/** What an administrator is told when a SQL function refuses, by the function's code or the refusal it stands for. */
const SENTENCES: Record<string, [Why, string]> = {
  TG060: [Why.ReferenceTaken, "This external reference already names another movement."],
  TG061: [Why.NotFound, "There is no such request."],
  TG062: [Why.NeedsSecondAdministrator, "Whoever asked cannot approve: another administrator must."],
  TG063: [Why.NotAnAdministrator, "Who acts is no administrator any more."],
  TG064: [Why.NotFound, "There is no such wallet."],
  TG065: [Why.NotFound, "There is no such currency."],
  TG066: [Why.AlreadyExists, "Another raise of this limit waits for a decision."],
  [Refusal.PayoutNotFound]: [Why.NotFound, "There is no such payout."],
  [Refusal.RefundNotFound]: [Why.NotFound, "There is no such refund."],
  [Refusal.AlreadyDecided]: [Why.AlreadyDecided, "This is decided already."],
  [Refusal.RecipientInactive]: [
    Why.OnlyRejectionRemains,
    "The recipient was deactivated: it can only be rejected.",
  ],
  [Refusal.MerchantWalletNotFound]: [
    Why.OnlyRejectionRemains,
    "Its sender currency was deactivated: it can only be rejected.",
  ],
  [Refusal.InvalidReceiverCurrency]: [
    Why.OnlyRejectionRemains,
    "Its receiver currency was deactivated: it can only be rejected.",
  ],
  [Refusal.InsufficientBalance]: [Why.InsufficientBalance, "The wallet holds less than this amount."],
};

/** Reads the refusal out of an error; other errors pass unchanged. */
function asAdministrationError(error: unknown): unknown {
  if (error instanceof WalletClosedError)
    return new AdministrationError(Why.WalletClosed, "The wallet is closed.");
  const code =
    error instanceof OperationError
      ? error.refusal
      : error instanceof Error && "code" in error && typeof error.code === "string"
        ? error.code
        : "";
  const sentence = SENTENCES[code];
  return sentence ? new AdministrationError(...sentence) : error;
}

type LedgerCall = {
  sql: string;
  /** Made anew for every try, so that a colliding random id is not tried twice. */
  values: () => readonly Value[];
};

/**
 * Calls one SQL function that moves money and writes its audit record: the call is the transaction. A dry run makes the
 * same call, checks what a commit would check, and rolls back.
 * @throws AdministrationError when the function refuses.
 */
export async function callForAdministrator<Row>(
  context: Context,
  { dryRun }: Pick<Change, "dryRun">,
  { sql, values }: LedgerCall,
): Promise<Row> {
  try {
    return dryRun ? await rehearse<Row>(context, sql, values()) : await callLedger<Row>(context, sql, values);
  } catch (error) {
    throw asAdministrationError(error);
  }
}

async function rehearse<Row>(context: Context, sql: string, values: readonly Value[]): Promise<Row> {
  return changeOnConnection(context, { dryRun: true }, async (connection) => {
    const { rows } = await connection.query(sql, [...values]);
    const [row]: Row[] = rows;
    if (row === undefined) throw new Error("a ledger function answered no row");
    return row;
  }).catch((error: unknown) => {
    throw asRefusal(error);
  });
}
