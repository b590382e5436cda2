import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { attemptPin, forgivePin, type PinSubject } from "../../limits/pin-attempts.js";
import { OperationError } from "../../operation-error.js";

export type OwnPin = {
  shopperId: string;
  sessionId: string;
  /** Where the session was signed in; null where that is no longer known. */
  deviceId: string | null;
  pin: string;
  clientAddress: string;
};

/**
 * Checks the PIN of a shopper who is signed in. A wrong one counts like a wrong sign-in on this device.
 * @returns the hash that it was right for.
 * @throws OperationError WrongPin, DeviceLocked, NotSignedIn.
 */
export async function checkOwnPin(
  context: Context,
  { shopperId, sessionId, deviceId, pin, clientAddress }: OwnPin,
): Promise<string> {
  const { pinHash } = await context.database.prisma.walletUser.findUniqueOrThrow({
    where: { id: shopperId },
    select: { pinHash: true },
  });
  // A test shopper has no PIN, and no session either.
  if (pinHash === null) throw new OperationError(Refusal.NotSignedIn);
  const subject: PinSubject =
    deviceId === null ? { kind: "session", id: sessionId } : { kind: "device", id: deviceId };
  const attempt = { subject, clientAddress };
  if (!(await attemptPin(context, attempt, { hash: pinHash, pin })))
    throw new OperationError(Refusal.WrongPin);
  await forgivePin(context, attempt);
  return pinHash;
}
