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

/** What was typed, in the one spelling that is looked up and counted. */
type Identifier = { email: string } | { phone: string } | { unreadable: string };

function readIdentifier(typed: string): Identifier {
  if (typed.includes("@")) return { email: typed.toLowerCase() };
  const phone = readPhone(typed);
  return phone ? { phone } : { unreadable: typed.toLowerCase() };
}

const findUser = (context: Context, identifier: Identifier, mode: Mode) => {
  if ("unreadable" in identifier) return null;
  const where =
    "email" in identifier
      ? { mode_email: { mode, email: identifier.email } }
      : { mode_phone: { mode, phone: identifier.phone } };
  return context.database.prisma.walletUser.findUnique({ where });
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
  const identifier = readIdentifier(input.identifier);
  const user = await findUser(context, identifier, input.mode);
  // Other spellings of one unknown phone count together, as a known one's do: the lock tells nothing either.
  const subject = user?.id ?? `unknown:${input.mode}:${Object.values(identifier)}`;
  await spendPin(context, subject);
  const right = await verifySlowly(user?.pinHash ?? (await decoyHash), input.pin);
  if (!user?.pinHash || !user.active || !right) throw new OperationError(Refusal.WrongSignIn);
  await forgetSpentPins(context, subject);
  return startSession(context, user);
}
