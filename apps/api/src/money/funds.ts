import { randomUUID } from "node:crypto";
import { ledger } from "@tillgate/database";
import type { Change } from "../audit/administrator.js";
import { callForAdministrator } from "../audit/change.js";
import type { Context } from "../context.js";
import { invalidValue } from "../errors.js";
import { type Money, readMinor, requireCurrency } from "./currencies.js";
import { findWallet, type WalletKey } from "./wallets/open.js";

const MAX_REFERENCE_LENGTH = 120;

export type FundsInput = Change &
  WalletKey & {
    kind: "deposit" | "withdrawal";
    /** Decimal text in the currency. */
    amount: string;
    /** Reference of the external movement, such as a bank transfer. It is booked once per mode, even if repeated. */
    reference: string;
    /** Sandbox deposits may be issued instead of funded. */
    source?: "funding" | "issuing" | undefined;
  };

export type FundsResult = {
  /** `booked` now; `repeated`: booked by an earlier call; `requested`: a second administrator must approve it; `waiting`: requested by an earlier call. */
  outcome: "booked" | "repeated" | "requested" | "waiting";
  /** Id of the transfer or of the request. */
  id: string;
  amount: Money;
  owner: string;
};

/**
 * Deposits to or withdraws from a wallet. The other side is the house's funding account, or the issuing account if the source says so.
 * @throws OperationError NotFound, InvalidValue, ReferenceTaken, InsufficientBalance, WalletClosed.
 */
export async function moveFunds(context: Context, input: FundsInput): Promise<FundsResult> {
  const reference = input.reference.trim();
  if (reference === "" || reference.length > MAX_REFERENCE_LENGTH)
    throw invalidValue(`An external reference must have 1 to ${MAX_REFERENCE_LENGTH} characters.`);
  const source = input.source ?? "funding";
  if (source === "issuing" && (input.mode !== "sandbox" || input.kind !== "deposit"))
    throw invalidValue("Only sandbox deposits can be issued.");
  const currency = await requireCurrency(context, input.currency);
  const minor = readMinor(input.amount, currency, "The amount");
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
