import { randomUUID } from "node:crypto";
import { Refusal } from "@tillgate/contract";
import { ledger } from "@tillgate/database";
import type { Context } from "../../context.js";
import { callLedger } from "../../ledger/call.js";
import { WalletClosedError } from "../../ledger/refusals.js";
import { OperationError } from "../../operation-error.js";
import { readAmount } from "../../readers/amounts.js";
import { spendConfirm } from "../checkout/checkout-limits.js";
import { findOpenCurrency } from "./list-currencies.js";
import type { Shopper } from "./read-shopper.js";
import { requireSandbox } from "./sandbox-only.js";

/**
 * A shopper of the sandbox tops a wallet up, which is opened at its first use. A repeat of a key with its amount moves nothing.
 * @param amount as sent.
 * @returns the transfer.
 * @throws OperationError SandboxOnly, TooManyAttempts, InvalidFields, WalletClosed, NoWallet for a shopper who was deactivated.
 */
export async function topUpOwnWallet(
  context: Context,
  shopper: Pick<Shopper, "id" | "mode">,
  { currency: code, amount, key }: { currency: string; amount: number | string; key: string },
): Promise<string> {
  requireSandbox(shopper.mode);
  await spendConfirm(context, shopper.id);
  const minor = readAmount(amount, await findOpenCurrency(context, code));
  return topUp(context, shopper, { currency: code, minor, key });
}

/** @param minor in the currency's minor units. */
export const topUp = (
  context: Context,
  { id: walletUserId, mode }: Pick<Shopper, "id" | "mode">,
  { currency, minor: amount, key }: { currency: string; minor: bigint; key: string },
): Promise<string> =>
  orWalletClosed(
    callLedger(context, ledger.topUpShopper, () => ({
      walletUserId,
      mode,
      currency,
      amount,
      key,
      transferId: randomUUID(),
    })),
  );

/** Says to a shopper that a wallet is closed. */
export async function orWalletClosed<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof WalletClosedError ? new OperationError(Refusal.WalletClosed) : error;
  }
}
