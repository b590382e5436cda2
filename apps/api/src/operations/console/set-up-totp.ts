import { Refusal } from "@tillgate/contract";
import { seal, unseal } from "@tillgate/database";
import type { Context } from "../../context.js";
import { attemptPin, countAttempt, forgivePin } from "../../limits/pin-attempts.js";
import { OperationError } from "../../operation-error.js";
import { change } from "../administration/change.js";
import {
  type ConsoleSession,
  raiseConsoleSession,
  requireFreshSecondFactor,
  revokeOtherSessions,
  type SessionToken,
} from "./console-session.js";
import { recordUserChange } from "./record-user-change.js";
import { replaceRecoveryCodes } from "./recovery-codes.js";
import { newTotp, stepOfCode } from "./totp.js";

/**
 * Makes a secret for an authenticator app, in place of one that was not confirmed. It counts once {@link confirmTotp} has
 * seen a code.
 * @throws OperationError WrongPassword, SignInLocked, SecondFactorExists.
 */
export async function startTotp(
  context: Context,
  { user }: ConsoleSession,
  { password, clientAddress }: { password: string; clientAddress: string },
): Promise<{ secret: string; uri: string }> {
  const { prisma } = context.database;
  const attempt = { subject: { kind: "second factor" as const, id: user.id }, clientAddress };
  const { passwordHash } = await prisma.consoleUser.findUniqueOrThrow({ where: { id: user.id } });
  if (!(await attemptPin(context, attempt, { hash: passwordHash, pin: password })))
    throw new OperationError(Refusal.WrongPassword);
  await forgivePin(context, attempt);
  const made = newTotp(user.email);
  const { ciphertext, keyId } = seal(context.keyring, user.id, made.secret);
  const begun = await prisma.$executeRaw`
    INSERT INTO console_totps (user_id, secret_ciphertext, encryption_key_id) VALUES (${user.id}::uuid, ${ciphertext}, ${keyId})
    ON CONFLICT (user_id) DO UPDATE SET secret_ciphertext = excluded.secret_ciphertext,
      encryption_key_id = excluded.encryption_key_id WHERE console_totps.confirmed_at IS NULL`;
  if (begun === 0) throw new OperationError(Refusal.SecondFactorExists);
  return made;
}

/** The user's other sessions have ended, and this one has another token. */
export type TotpOn = SessionToken & { recoveryCodes: string[] };

/**
 * Turns the authenticator app on by a first code.
 * @throws OperationError SecondFactorNotSetUp before {@link startTotp}; SecondFactorExists, WrongCode, SignInLocked.
 */
export async function confirmTotp(
  context: Context,
  session: ConsoleSession,
  { code, clientAddress }: { code: string; clientAddress: string },
): Promise<TotpOn> {
  const { user } = session;
  const begun = await context.database.prisma.consoleTotp.findUnique({ where: { userId: user.id } });
  if (!begun) throw new OperationError(Refusal.SecondFactorNotSetUp);
  if (begun.confirmedAt) throw new OperationError(Refusal.SecondFactorExists);
  const attempt = { subject: { kind: "second factor" as const, id: user.id }, clientAddress };
  await countAttempt(context, attempt);
  const { secretCiphertext: ciphertext, encryptionKeyId: keyId } = begun;
  const step = stepOfCode(unseal(context.keyring, user.id, { ciphertext, keyId }), code);
  if (step === null) throw new OperationError(Refusal.WrongCode);
  await forgivePin(context, attempt);
  return change(context, {}, async (tx) => {
    const on =
      await tx.$executeRaw`UPDATE console_totps SET confirmed_at = clock_timestamp(), last_step = ${step}
      WHERE user_id = ${user.id}::uuid AND confirmed_at IS NULL AND secret_ciphertext = ${ciphertext}`;
    if (on === 0) throw new OperationError(Refusal.SecondFactorExists);
    const recoveryCodes = await replaceRecoveryCodes(tx, user.id);
    await revokeOtherSessions(tx, session);
    const token = await raiseConsoleSession(tx, session);
    await recordUserChange(tx, session, "console_user.totp_on");
    return { ...token, recoveryCodes };
  });
}

/**
 * Removes the authenticator app and the recovery codes; no session has a fresh second factor after that.
 * @throws OperationError SecondFactorNotFresh, SecondFactorNotSetUp.
 */
export async function turnTotpOff(context: Context, session: ConsoleSession): Promise<void> {
  requireFreshSecondFactor(session);
  const { id: userId } = session.user;
  await change(context, {}, async (tx) => {
    const { count } = await tx.consoleTotp.deleteMany({ where: { userId } });
    if (count === 0) return;
    await tx.consoleRecoveryCode.deleteMany({ where: { userId } });
    await tx.consoleSession.updateMany({ where: { userId }, data: { secondFactorAt: null } });
    await recordUserChange(tx, session, "console_user.totp_off");
  });
}

/**
 * New recovery codes in place of all earlier ones.
 * @throws OperationError SecondFactorNotFresh, SecondFactorNotSetUp.
 */
export async function renewRecoveryCodes(context: Context, session: ConsoleSession): Promise<string[]> {
  requireFreshSecondFactor(session);
  return change(context, {}, async (tx) => {
    // One renewal after the other: two at once would each keep the other's codes.
    const held = await tx.$queryRaw<unknown[]>`SELECT 1 FROM console_totps
      WHERE user_id = ${session.user.id}::uuid AND confirmed_at IS NOT NULL FOR UPDATE`;
    if (held.length === 0) throw new OperationError(Refusal.SecondFactorNotSetUp);
    const codes = await replaceRecoveryCodes(tx, session.user.id);
    await recordUserChange(tx, session, "console_user.recovery_codes");
    return codes;
  });
}
