import type { Mode } from "@tillgate/contract";
import { hashSlowly, newPin, verifySlowly } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError, Refusal } from "../errors.js";
import { findWalletUser, readPhone } from "../find-wallet-user.js";
import { forgetSpentPins, spendPin, spendSignIn } from "./sign-in-limits.js";
import { startSession } from "./wallet-session.js";

/** A hash of a PIN nobody has: an unknown identifier costs the same time as a wrong PIN. */
const decoyHash = hashSlowly(newPin());

/** The one spelling of what was typed that unknown people's attempts are counted under. */
const oneSpelling = (identifier: string): string =>
  (identifier.includes("@") ? null : readPhone(identifier)) ?? identifier.trim().toLowerCase();

/**
 * Signs a wallet user in with phone or e-mail and PIN. Nothing tells an unknown identifier from a wrong PIN.
 * @returns the opaque session token.
 * @throws OperationError WrongSignIn, TooManyAttempts.
 */
export async function signIn(
  context: Context,
  input: { identifier: string; pin: string; mode: Mode; clientAddress: string },
): Promise<string> {
  await spendSignIn(context, input.clientAddress);
  const user = await findWalletUser(
    context,
    input.identifier.includes("@") ? { email: input.identifier } : { phone: input.identifier },
    input.mode,
  );
  // Other spellings of one unknown phone count together, as a known one's do: the lock tells nothing either.
  const subject = user?.id ?? `unknown:${input.mode}:${oneSpelling(input.identifier)}`;
  await spendPin(context, subject);
  const right = await verifySlowly(user?.pinHash ?? (await decoyHash), input.pin);
  if (!user?.pinHash || !user.active || !right) throw new OperationError(Refusal.WrongSignIn);
  await forgetSpentPins(context, subject);
  return startSession(context, user);
}
