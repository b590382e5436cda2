import { randomUUID } from "node:crypto";
import { type Mode, Refusal } from "@tillgate/contract";
import { ledger } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { readAmount } from "../../readers/amounts.js";
import { currencyOf } from "../../readers/currencies.js";
import { callForAdministrator } from "../administration/call-ledger.js";
import type { ConsoleAccess } from "../console/console-access.js";
import { findMerchantWallet } from "./find-merchant-wallet.js";

/** How the reference of a top-up begins; the wallet and the caller's key follow, so that one key books once. */
export const TOP_UP_REFERENCE = "top-up";

/**
 * Issues money of the sandbox into a merchant's wallet, once a key.
 * @param amount as sent, in the wallet's currency.
 * @returns the id of the transfer.
 * @throws OperationError UnknownRoute in live mode, WalletNotFound, InvalidFields, ReferenceTaken for a key with another amount.
 */
export async function topUpWallet(
  context: Context,
  { merchantId, mode, by }: ConsoleAccess & { mode: Mode },
  { currency: code, amount, key }: { currency: string; amount: number | string; key: string },
): Promise<string> {
  if (mode !== "sandbox") throw new OperationError(Refusal.UnknownRoute);
  const accountId = await findMerchantWallet(context, { merchantId, mode }, code);
  const minor = readAmount(amount, await currencyOf(context, code));
  const { id } = await callForAdministrator(context, {}, ledger.moveFunds, () => ({
    kind: "deposit",
    accountId,
    house: "issuing",
    amount: minor,
    externalReference: `${TOP_UP_REFERENCE} ${accountId} ${key}`,
    transferId: randomUUID(),
    requestId: randomUUID(),
    administratorId: by.id,
  }));
  return id;
}
