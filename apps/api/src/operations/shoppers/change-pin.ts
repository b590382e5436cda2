import { type ChangePinRequest, Refusal } from "@tillgate/contract";
import { hashSlowly, isTrivialPin } from "@tillgate/database";
import { inTransaction } from "@tillgate/service";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { checkOwnPin } from "../checkout/check-own-pin.js";
import { spendConfirm } from "../checkout/checkout-limits.js";
import type { Shopper } from "./read-shopper.js";
import { endSignIns } from "./sign-ins.js";

/** @throws OperationError TrivialPin for a PIN that can be guessed at sight. */
export function requireGoodPin(pin: string): void {
  if (isTrivialPin(pin)) throw new OperationError(Refusal.TrivialPin);
}

/**
 * Gives a shopper another PIN, who proves to know the old one. All other sessions end, and all other devices are forgotten.
 * @throws OperationError TrivialPin, SamePin, TooManyAttempts, WrongPin (also when the PIN was changed meanwhile), DeviceLocked.
 */
export async function changePin(
  context: Context,
  shopper: Shopper,
  { pin, new_pin: newPin }: Pick<ChangePinRequest, "pin" | "new_pin">,
  clientAddress: string,
): Promise<void> {
  requireGoodPin(newPin);
  await spendConfirm(context, shopper.id);
  const { id: shopperId, sessionId, deviceId } = shopper;
  const oldHash = await checkOwnPin(context, { shopperId, sessionId, deviceId, pin, clientAddress });
  if (newPin === pin) throw new OperationError(Refusal.SamePin);
  const newHash = await hashSlowly(newPin);
  await inTransaction(context.database.pool, async (client) => {
    const { rowCount } = await client.query(
      "UPDATE wallet_users SET pin_hash = $2 WHERE id = $1 AND pin_hash = $3",
      [shopperId, newHash, oldHash],
    );
    if (!rowCount) throw new OperationError(Refusal.WrongPin);
    await endSignIns((sql, values) => client.query(sql, values), shopperId, { sessionId, deviceId });
  });
}
