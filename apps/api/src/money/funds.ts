import { randomUUID } from "node:crypto";
import { ledger } from "@tillgate/database";
import type { Change } from "../audit/administrator.js";
import { callForAdministrator } from "../audit/change.js";
import type { Context } from "../context.js";
import { invalidValue } from "../errors.js";
import { type Money, parseMinor, requireCurrency } from "./currencies.js";
import { findWallet, type WalletKey } from "./wallets/open.js";

const MAX_REFERENCE_LENGTH = 120;

export type FundsInput = Change &
  WalletKey & {
    kind: "deposit" | "withdrawal";
    /** Decimal text in the currency. */
    amount: string;
    /** Reference of the external movement, such as a bank transfer. Each reference is booked at most once per mode. */
    reference: string;
    /** The house account on the other side. Default: funding. Only sandbox deposits may be issued. */
    source?: "funding" | "issuing" | undefined;
  };

export type FundsResult = {
  /** `booked`: booked now. `repeated`: booked by an earlier call. `requested`: a second administrator must approve. `waiting`: requested earlier. */
  outcome: "booked" | "repeated" | "requested" | "waiting";
  /** ID of the transfer or of the request. */
  id: string;
  amount: Money;
  owner: string;
};

/**
 * Books a deposit or withdrawal. A live movement above the single-approver limit is booked only after a second administrator approves it.
 * @throws OperationError SubjectNotFound, InvalidValue, ReferenceTaken, InsufficientBalance, WalletClosed.
 */
export async function moveFunds(context: Context, input: FundsInput): Promise<FundsResult> {
  const reference = input.reference.trim();
  if (reference === "" || reference.length > MAX_REFERENCE_LENGTH)
    throw invalidValue(`An external reference must have 1 to ${MAX_REFERENCE_LENGTH} characters.`);
  const source = input.source ?? "funding";
  if (source === "issuing" && (input.mode !== "sandbox" || input.kind !== "deposit"))
    throw invalidValue("Only sandbox deposits can be issued.");
  const currency = await requireCurrency(context, input.currency);
  const minor = parseMinor(input.amount, currency, "The amount");
  const { wallet, owner } = await findWallet(context, input);
  const { outcome, id } = await callForAdministrator(context, input, ledger.moveFunds, () => ({
    kind: input.kind,
    accountId: wallet.id,
    house: source,
    amount: minor,
    externalReference: reference,
    transferId: randomUUID(),
    requestId: randomUUID(),
    administratorId: input.administrator.id,
  }));
  return { outcome, id, amount: { minor, currency }, owner: owner.name };
}
