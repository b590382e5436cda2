import { randomUUID } from "node:crypto";
import { ErrorCode, type Mode } from "@tillgate/contract";
import { ledger } from "@tillgate/database";
import { callForAdministrator } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { ConsoleAccess } from "../../identity/console/access.js";
import { requireSandbox, type Shopper } from "../../identity/shoppers/read.js";
import { callLedger } from "../../ledger/call.js";
import { WalletClosedError } from "../../ledger/errors.js";
import { readAmount } from "../../pagination/amounts.js";
import { consumeConfirmationLimit } from "../../platform/shopper-limits.js";
import { findOpenCurrency, getCurrency } from "../currencies.js";
import { findMerchantWallet } from "./list.js";

/** Prefix of a top-up's reference. The wallet's ID and the caller's key follow, so that each key is booked once. */
export const TOP_UP_REFERENCE = "top-up";

/**
 * Credits sandbox money once per key and returns the transfer's ID.
 * @throws OperationError UnknownRoute in live mode, WalletNotFound, WalletClosed, InvalidFields; ReferenceTaken for a key used with another amount.
 */
export async function topUpWallet(
  context: Context,
  { merchantId, mode, by }: ConsoleAccess & { mode: Mode },
  { currency: code, amount, key }: { currency: string; amount: number | string; key: string },
): Promise<string> {
  if (mode !== "sandbox") throw new OperationError(ErrorCode.UnknownRoute);
  const accountId = await findMerchantWallet(context, { merchantId, mode }, code);
  const minor = readAmount(amount, await getCurrency(context, code));
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

/**
 * Credits money once per key and amount, and returns the transfer's ID. The wallet is opened on first use.
 * @throws OperationError SandboxOnly, TooManyAttempts, InvalidFields, WalletClosed, NoWallet for a deactivated shopper.
 */
export async function topUpOwnWallet(
  context: Context,
  shopper: Pick<Shopper, "id" | "mode">,
  { currency: code, amount, key }: { currency: string; amount: number | string; key: string },
): Promise<string> {
  requireSandbox(shopper.mode);
  await consumeConfirmationLimit(context, shopper.id);
  const minor = readAmount(amount, await findOpenCurrency(context, code));
  return topUp(context, shopper, { currency: code, minor, key });
}

/**
 * Credits minor units once per key and amount, and returns the transfer's ID. The wallet is opened on first use.
 * @throws OperationError WalletClosed; NoWallet for a deactivated or test shopper, or an inactive currency.
 */
export const topUp = (
  context: Context,
  { id: walletUserId, mode }: Pick<Shopper, "id" | "mode">,
  { currency, minor: amount, key }: { currency: string; minor: bigint; key: string },
): Promise<string> =>
  rethrowAsWalletClosed(
    callLedger(context, ledger.topUpShopper, () => ({
      walletUserId,
      mode,
      currency,
      amount,
      key,
      transferId: randomUUID(),
    })),
  );

export async function rethrowAsWalletClosed<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof WalletClosedError ? new OperationError(ErrorCode.WalletClosed) : error;
  }
}
