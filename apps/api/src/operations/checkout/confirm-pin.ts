import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { attemptPin, forgivePin, type PinSubject } from "../../limits/pin-attempts.js";
import { OperationError } from "../../operation-error.js";
import type { Shopper } from "./read-checkout.js";
import { noteRightPin } from "./wallet-session.js";

/**
 * Makes sure that the payer knows the PIN: it was entered for this order a few minutes ago, or comes now. A PIN that comes
 * is always checked, and a wrong one counts like a wrong sign-in on this device.
 * @returns whether a PIN was entered now.
 * @throws OperationError PinNeeded, WrongPin, DeviceLocked, NotSignedIn.
 */
export async function confirmPin(
  context: Context,
  shopper: Shopper,
  {
    pin,
    sessionId,
    orderId,
    clientAddress,
  }: { pin: string | undefined; sessionId: string; orderId: string; clientAddress: string },
): Promise<boolean> {
  if (pin === undefined) {
    if (shopper.pinFresh) return false;
    throw new OperationError(Refusal.PinNeeded);
  }
  const user = await context.database.prisma.walletUser.findUniqueOrThrow({
    where: { id: shopper.id },
    select: { pinHash: true },
  });
  // A test shopper has no PIN, and no session either.
  if (user.pinHash === null) throw new OperationError(Refusal.NotSignedIn);
  const subject: PinSubject =
    shopper.deviceId === null ? { kind: "session", id: sessionId } : { kind: "device", id: shopper.deviceId };
  const attempt = { subject, clientAddress };
  if (!(await attemptPin(context, attempt, { hash: user.pinHash, pin })))
    throw new OperationError(Refusal.WrongPin);
  await forgivePin(context, attempt);
  await noteRightPin(context, sessionId, orderId);
  return true;
}
