import type { Mode } from "@tillgate/contract";
import { hashSlowly, newPin, type WalletUserModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { forgetLocks } from "../../limits/pin-attempts.js";
import { invalidValue } from "../../operation-error.js";
import { endSignIns } from "../shoppers/sign-ins.js";
import type { Change } from "./administrator.js";
import { change, recordChange } from "./change.js";
import { requireUser } from "./find-wallet.js";

/**
 * Gives a wallet user a new random PIN. Its sessions end, its devices are forgotten, and its locks by wrong PINs end.
 * @returns the user, and the PIN, which is shown only here.
 * @throws OperationError NotFound; InvalidValue for a test shopper, which never signs in.
 */
export async function resetPin(
  context: Context,
  input: Change & { mode: Mode; user: string },
): Promise<{ user: WalletUserModel; pin: string }> {
  const { id, testOfMerchantId } = await requireUser(context, input.mode, input.user);
  if (testOfMerchantId !== null) throw invalidValue("A built-in test shopper has no PIN.");
  const pin = newPin();
  const pinHash = await hashSlowly(pin);
  const user = await change(context, input, async (tx) => {
    const changed = await tx.walletUser.update({ where: { id }, data: { pinHash, pinResetAt: null } });
    await endSignIns((sql, values) => tx.$executeRawUnsafe(sql, ...values), id, {
      sessionId: null,
      deviceId: null,
    });
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId: null,
      action: "user.reset_pin",
      subject: id,
      details: { mode: input.mode },
    });
    return changed;
  });
  if (!input.dryRun) await forgetLocks(context, user);
  return { user, pin };
}
