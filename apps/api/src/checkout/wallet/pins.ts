import { type ChangePinRequest, ErrorCode, type Mode } from "@tillgate/contract";
import { hashPassword, isTrivialPin } from "@tillgate/database";
import { inTransaction } from "@tillgate/service";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import {
  attemptPin,
  clearShopperLocks,
  type PinSubject,
  refundPinAttempt,
} from "../../identity/pin-lockout.js";
import { findWalletUser } from "../../identity/shoppers/find.js";
import { consumeSandboxAccountLimit, requireSandbox, type Shopper } from "../../identity/shoppers/read.js";
import { consumeConfirmationLimit } from "../../platform/shopper-limits.js";
import { normalizeIdentifier } from "./sign-in.js";
import { endSignIns } from "./sign-ins.js";

export type PinVerification = {
  shopperId: string;
  sessionId: string;
  /** The device where the session signed in; null if no longer known. */
  deviceId: string | null;
  pin: string;
  clientAddress: string;
};

/** Verifies a shopper's PIN. @returns the hash that the PIN matches. @throws OperationError WrongPin, DeviceLocked, NotSignedIn. */
export async function verifyCurrentPin(
  context: Context,
  { shopperId, sessionId, deviceId, pin, clientAddress }: PinVerification,
): Promise<string> {
  const { pinHash } = await context.database.prisma.walletUser.findUniqueOrThrow({
    where: { id: shopperId },
    select: { pinHash: true },
  });
  // Test shoppers have neither a PIN nor a session.
  if (pinHash === null) throw new OperationError(ErrorCode.NotSignedIn);
  const subject: PinSubject =
    deviceId === null ? { kind: "session", id: sessionId } : { kind: "device", id: deviceId };
  const attempt = { subject, clientAddress };
  if (!(await attemptPin(context, attempt, { hash: pinHash, pin })))
    throw new OperationError(ErrorCode.WrongPin);
  await refundPinAttempt(context, attempt);
  return pinHash;
}

/** @throws OperationError TrivialPin. */
export function requireStrongPin(pin: string): void {
  if (isTrivialPin(pin)) throw new OperationError(ErrorCode.TrivialPin);
}

/**
 * Changes the PIN and ends all other sign-ins.
 * @throws OperationError TrivialPin, SamePin, TooManyAttempts, WrongPin (also after a concurrent change), DeviceLocked.
 */
export async function changePin(
  context: Context,
  shopper: Shopper,
  { pin, new_pin: newPin }: Pick<ChangePinRequest, "pin" | "new_pin">,
  clientAddress: string,
): Promise<void> {
  requireStrongPin(newPin);
  await consumeConfirmationLimit(context, shopper.id);
  const { id: shopperId, sessionId, deviceId } = shopper;
  const oldHash = await verifyCurrentPin(context, { shopperId, sessionId, deviceId, pin, clientAddress });
  if (newPin === pin) throw new OperationError(ErrorCode.SamePin);
  const newHash = await hashPassword(newPin);
  await inTransaction(context.database.pool, async (client) => {
    const { rowCount } = await client.query(
      "UPDATE wallet_users SET pin_hash = $2 WHERE id = $1 AND pin_hash = $3",
      [shopperId, newHash, oldHash],
    );
    if (!rowCount) throw new OperationError(ErrorCode.WrongPin);
    await endSignIns((sql, values) => client.query(sql, values), shopperId, { sessionId, deviceId });
  });
}

/**
 * Resets a forgotten PIN with only a phone number or e-mail address. Because anyone may know these, the shopper's name, contact details, balances and
 * earlier activity are hidden from then on.
 * @throws OperationError SandboxOnly, TrivialPin, PhoneWithoutCountry, TooManyAttempts, UnknownShopper.
 */
export async function resetForgottenPin(
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
  requireStrongPin(newPin);
  const canonical = normalizeIdentifier(identifier);
  await consumeSandboxAccountLimit(context, clientAddress);
  const user = await findWalletUser(
    context,
    canonical.includes("@") ? { email: canonical } : { phone: canonical },
    mode,
  );
  if (!user?.active || user.testOfMerchantId !== null) throw new OperationError(ErrorCode.UnknownShopper);
  const pinHash = await hashPassword(newPin);
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
  await clearShopperLocks(context, user);
}
