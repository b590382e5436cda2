import type { Mode } from "@tillgate/contract";
import { hashSlowly, newPin } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError, Refusal } from "../errors.js";
import { findWalletUser, readPhone } from "../find-wallet-user.js";
import { spendSignIn } from "./checkout-limits.js";
import { attemptPin, forgivePin } from "./pin-attempts.js";
import { endSession, type RenewedSession, startSession } from "./wallet-session.js";

/** A hash of a PIN nobody has: an unknown identifier costs the same time as a wrong PIN. */
const decoyHash = hashSlowly(newPin());

/** The one spelling of what was typed that unknown people's attempts are counted under. */
const oneSpelling = (identifier: string): string =>
  (identifier.includes("@") ? null : readPhone(identifier)) ?? identifier.trim().toLowerCase();

/**
 * Signs a wallet user in with phone or e-mail and PIN. Nothing tells an unknown identifier from a wrong PIN.
 * @param input.before the session that the browser had: it ends.
 * @throws OperationError WrongSignIn, TooManyAttempts, Locked.
 */
export async function signIn(
  context: Context,
  input: { identifier: string; pin: string; mode: Mode; clientAddress: string; before: string | undefined },
): Promise<RenewedSession> {
  const { identifier, mode, pin, clientAddress, before } = input;
  await spendSignIn(context, clientAddress);
  const user = await findWalletUser(
    context,
    identifier.includes("@") ? { email: identifier } : { phone: identifier },
    mode,
  );
  // Other spellings of one unknown phone count together, as a known one's do: the lock tells nothing either.
  const attempt = { subject: user?.id ?? `unknown:${mode}:${oneSpelling(identifier)}`, clientAddress };
  const right = await attemptPin(context, attempt, { hash: user?.pinHash ?? (await decoyHash), pin });
  if (!user?.pinHash || !user.active || !right) throw new OperationError(Refusal.WrongSignIn);
  await forgivePin(context, attempt);
  if (before !== undefined) await endSession(context, before);
  return startSession(context, user);
}
