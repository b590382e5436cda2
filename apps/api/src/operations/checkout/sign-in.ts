import type { Mode } from "@tillgate/contract";
import { hashSlowly, newPin, verifySlowly } from "@tillgate/database";
import { parsePhoneNumberFromString } from "libphonenumber-js";
import type { Context } from "../../context.js";
import { OperationError, Refusal } from "../errors.js";
import { forgetSpentPins, spendPin, spendSignIn } from "./sign-in-limits.js";
import { startSession } from "./wallet-session.js";

/** A hash of a PIN nobody has: an unknown identifier costs the same time as a wrong PIN. */
const decoyHash = hashSlowly(newPin());

/** E.164 of a phone number in any usual international spelling (`+33 6 12…`, `0033…`, `33612…`), or null. */
export function readPhone(identifier: string): string | null {
  const compact = identifier.replace(/^\s*00/, "+").trim();
  const phone = parsePhoneNumberFromString(compact.startsWith("+") ? compact : `+${compact}`);
  return phone?.isPossible() ? phone.number : null;
}

const findUser = (context: Context, identifier: string, mode: Mode) => {
  const phone = identifier.includes("@") ? null : readPhone(identifier);
  const where = identifier.includes("@")
    ? { mode_email: { mode, email: identifier.toLowerCase() } }
    : phone && { mode_phone: { mode, phone } };
  return where ? context.database.prisma.walletUser.findUnique({ where }) : null;
};

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
  const user = await findUser(context, input.identifier, input.mode);
  const subject = user?.id ?? `unknown:${input.mode}:${input.identifier.toLowerCase()}`;
  await spendPin(context, subject);
  const right = await verifySlowly(user?.pinHash ?? (await decoyHash), input.pin);
  if (!user?.pinHash || !user.active || !right) throw new OperationError(Refusal.WrongSignIn);
  await forgetSpentPins(context, subject);
  return startSession(context, user);
}
