import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { ErrorCode } from "@tillgate/contract";
import { unseal } from "@tillgate/database";
import { changeWithAudit, type Transaction } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { createSigningOptions, storeChallenge, takeChallenge, verifySignature } from "../passkeys.js";
import { countAttempt, refundPinAttempt } from "../pin-lockout.js";
import { consumeRecoveryCode } from "./own-second-factors.js";
import { challengedSession, getConsoleRelyingParty, VERIFICATION } from "./passkeys.js";
import {
  type ConsoleSession,
  elevateConsoleSession,
  recordUserChange,
  type SessionToken,
} from "./session.js";
import { findCodeStep } from "./totp.js";

type VerificationInput = { code: string; clientAddress: string };

/**
 * Verifies an authenticator code, which works once. Completes the sign-in of a waiting session, or renews the verification of a signed-in session.
 * @throws OperationError WrongCode, SignInLocked, SecondFactorNotSetUp; NotSignedIn if the session was ended in the meantime.
 */
export const verifyTotp = (
  context: Context,
  session: ConsoleSession,
  { code, clientAddress }: VerificationInput,
) =>
  verify(context, session, clientAddress, async (tx) => {
    const userId = session.user.id;
    const totp = await tx.consoleTotp.findFirst({ where: { userId, confirmedAt: { not: null } } });
    if (!totp) throw new OperationError(ErrorCode.SecondFactorNotSetUp);
    const { secretCiphertext: ciphertext, encryptionKeyId: keyId } = totp;
    const step = findCodeStep(unseal(context.keyring, userId, { ciphertext, keyId }), code);
    if (step === null) return false;
    // Only one of two concurrent calls with the same code updates the row.
    const { count } = await tx.consoleTotp.updateMany({
      where: { userId, lastStep: { lt: step } },
      data: { lastStep: step },
    });
    return count === 1;
  });

/** Like {@link verifyTotp}, with a recovery code, which works once. @throws OperationError WrongCode, SignInLocked, NotSignedIn. */
export const verifyRecoveryCode = (
  context: Context,
  session: ConsoleSession,
  { code, clientAddress }: VerificationInput,
) =>
  verify(context, session, clientAddress, async (tx) => {
    if (!(await consumeRecoveryCode(tx, session.user.id, code))) return false;
    await recordUserChange(tx, session, "console_user.recovery_code_used");
    return true;
  });

/** Returns options for the browser to sign with a passkey. @throws OperationError PasskeysNotAvailable; SecondFactorNotSetUp without a passkey. */
export async function startPasskeySignIn(
  context: Context,
  session: ConsoleSession,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const party = getConsoleRelyingParty(context);
  const passkeys = await context.database.prisma.consolePasskey.findMany({
    where: { userId: session.user.id },
  });
  if (passkeys.length === 0) throw new OperationError(ErrorCode.SecondFactorNotSetUp);
  const options = await createSigningOptions({ party, known: passkeys, verification: VERIFICATION });
  await storeChallenge(context, challengedSession(session), options.challenge);
  return options;
}

/** Like {@link verifyTotp}, with a passkey's signature. @throws OperationError PasskeysNotAvailable, PasskeyRefused, SignInLocked, NotSignedIn. */
export const verifyPasskey = (
  context: Context,
  session: ConsoleSession,
  { credential, clientAddress }: { credential: AuthenticationResponseJSON; clientAddress: string },
) =>
  verify(context, session, clientAddress, async (tx) => {
    const party = getConsoleRelyingParty(context);
    const challenge = await takeChallenge(tx, challengedSession(session));
    const passkey = await tx.consolePasskey.findFirst({
      where: { userId: session.user.id, credentialId: credential.id },
    });
    if (!passkey) throw new OperationError(ErrorCode.PasskeyRefused);
    const newCounter = await verifySignature(context, credential, passkey, {
      party,
      challenge,
      verification: VERIFICATION,
    });
    const { count } = await tx.consolePasskey.updateMany({
      where: { id: passkey.id, counter: passkey.counter },
      data: { counter: newCounter, lastUsedAt: new Date() },
    });
    if (count === 0) throw new OperationError(ErrorCode.PasskeyRefused);
    return true;
  });

/** Verifies a second factor. Wrong codes are counted per user, whose password is already verified, so outsiders cannot lock the user out. */
async function verify(
  context: Context,
  session: ConsoleSession,
  clientAddress: string,
  isValidCode: (tx: Transaction) => Promise<boolean>,
): Promise<SessionToken> {
  const attempt = { subject: { kind: "second factor" as const, id: session.user.id }, clientAddress };
  await countAttempt(context, attempt);
  const token = await changeWithAudit(context, {}, async (tx) => {
    if (!(await isValidCode(tx))) throw new OperationError(ErrorCode.WrongCode);
    return elevateConsoleSession(tx, session);
  });
  await refundPinAttempt(context, attempt);
  return token;
}
