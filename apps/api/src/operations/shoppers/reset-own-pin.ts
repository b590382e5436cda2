import { type Mode, Refusal } from "@tillgate/contract";
import { hashSlowly } from "@tillgate/database";
import { inTransaction } from "@tillgate/service";
import type { Context } from "../../context.js";
import { forgetLocks } from "../../limits/pin-attempts.js";
import { OperationError } from "../../operation-error.js";
import { findWalletUser } from "../../readers/find-wallet-user.js";
import { oneSpelling } from "../checkout/sign-in.js";
import { requireGoodPin } from "./change-pin.js";
import { requireSandbox, spendAccount } from "./sandbox-only.js";
import { endSignIns } from "./sign-ins.js";

/**
 * Sets the PIN of a shopper of the sandbox who has forgotten it: nothing there is worth anything, so phone or e-mail is enough. Anybody who
 * knows one of them could do it, so name, contacts, balances and earlier activity are hidden from then on. All sessions end, all devices are forgotten, and locks by wrong PINs end.
 * @throws OperationError SandboxOnly, TrivialPin, PhoneWithoutCountry, TooManyAttempts, UnknownShopper.
 */
export async function resetOwnPin(
  context: Context,
  {
    mode,
    identifier,
    newPin,
    clientAddress,
  }: {
    mode: Mode;
    identifier: string;
    newPin: string;
    clientAddress: string;
  },
): Promise<void> {
  requireSandbox(mode);
  requireGoodPin(newPin);
  const typed = oneSpelling(identifier);
  await spendAccount(context, clientAddress);
  const user = await findWalletUser(context, typed.includes("@") ? { email: typed } : { phone: typed }, mode);
  if (!user?.active || user.testOfMerchantId !== null) throw new OperationError(Refusal.UnknownShopper);
  const pinHash = await hashSlowly(newPin);
  await inTransaction(context.database.pool, async (client) => {
    await client.query(
      "UPDATE wallet_users SET pin_hash = $2, pin_reset_at = clock_timestamp() WHERE id = $1",
      [user.id, pinHash],
    );
    await endSignIns((sql, values) => client.query(sql, values), user.id, {
      sessionId: null,
      deviceId: null,
    });
  });
  await forgetLocks(context, user);
}
