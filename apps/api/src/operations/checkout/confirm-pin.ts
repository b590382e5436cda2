import { Refusal } from "@tillgate/contract";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { checkOwnPin } from "./check-own-pin.js";
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
  await checkOwnPin(context, {
    shopperId: shopper.id,
    sessionId,
    deviceId: shopper.deviceId,
    pin,
    clientAddress,
  });
  await noteRightPin(context, sessionId, orderId);
  return true;
}
