import { ErrorCode } from "@tillgate/contract";
import { seal, unseal } from "@tillgate/database";
import { Secret, TOTP } from "otpauth";
import { changeWithAudit } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { countAttempt, refundPinAttempt } from "../pin-lockout.js";
import {
  type AddedSecondFactor,
  addSecondFactor,
  hasSecondFactor,
  lockSecondFactors,
  replaceRecoveryCodes,
  resetWithoutSecondFactor,
} from "./own-second-factors.js";
import { type ConsoleSession, recordUserChange, requireFreshSecondFactor } from "./session.js";
import { type ConfirmedPassword, confirmPassword } from "./sign-in.js";

/** RFC 6238 defaults, which every authenticator app supports. */
const STANDARD = { issuer: "Tillgate", algorithm: "SHA1", digits: 6, period: 30 } as const;
/** 160 bits, the length of the hash (RFC 4226). */
const SECRET_BYTES = 20;
/** Tolerated clock drift of an app, in time steps in either direction. */
const DRIFT_STEPS = 1;

function createTotp(email: string): { secret: string; uri: string } {
  const totp = new TOTP({ ...STANDARD, label: email, secret: new Secret({ size: SECRET_BYTES }) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** Returns the time step of a code, ignoring spaces; null for a wrong code, or a code outside the tolerated drift. */
export function findCodeStep(secret: string, code: string): number | null {
  const totp = new TOTP({ ...STANDARD, secret });
  const timestamp = Date.now();
  const delta = totp.validate({ token: code.replace(/\s/g, ""), window: DRIFT_STEPS, timestamp });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/**
 * Creates a secret, which replaces an unconfirmed secret and becomes active with {@link confirmTotp}.
 * @throws OperationError WrongPassword, SignInLocked, SecondFactorExists; SecondFactorNotFresh if the user has a factor that was not verified
 * recently.
 */
export async function startTotp(
  context: Context,
  session: ConsoleSession,
  confirmation: ConfirmedPassword,
): Promise<{ secret: string; uri: string }> {
  if (session.hasSecondFactor) requireFreshSecondFactor(session);
  const { user } = session;
  await confirmPassword(context, session, confirmation);
  const generated = createTotp(user.email);
  const { ciphertext, keyId } = seal(context.keyring, user.id, generated.secret);
  const created = await context.database.prisma.$executeRaw`
    INSERT INTO console_totps (user_id, secret_ciphertext, encryption_key_id) VALUES (${user.id}::uuid, ${ciphertext}, ${keyId})
    ON CONFLICT (user_id) DO UPDATE SET secret_ciphertext = excluded.secret_ciphertext,
      encryption_key_id = excluded.encryption_key_id WHERE console_totps.confirmed_at IS NULL`;
  if (created === 0) throw new OperationError(ErrorCode.SecondFactorExists);
  return generated;
}

/**
 * Activates the authenticator app.
 * @throws OperationError SecondFactorNotSetUp before {@link startTotp}; SecondFactorExists, WrongCode, SignInLocked; the errors of
 * {@link addSecondFactor}.
 */
export async function confirmTotp(
  context: Context,
  session: ConsoleSession,
  { code, clientAddress }: { code: string; clientAddress: string },
): Promise<AddedSecondFactor> {
  const { user } = session;
  const pending = await context.database.prisma.consoleTotp.findUnique({ where: { userId: user.id } });
  if (!pending) throw new OperationError(ErrorCode.SecondFactorNotSetUp);
  if (pending.confirmedAt) throw new OperationError(ErrorCode.SecondFactorExists);
  const attempt = { subject: { kind: "second factor" as const, id: user.id }, clientAddress };
  await countAttempt(context, attempt);
  const { secretCiphertext: ciphertext, encryptionKeyId: keyId } = pending;
  const step = findCodeStep(unseal(context.keyring, user.id, { ciphertext, keyId }), code);
  if (step === null) throw new OperationError(ErrorCode.WrongCode);
  await refundPinAttempt(context, attempt);
  return changeWithAudit(context, {}, async (tx) => {
    const added = await addSecondFactor(tx, session, async () => {
      const confirmed =
        await tx.$executeRaw`UPDATE console_totps SET confirmed_at = clock_timestamp(), last_step = ${step}
        WHERE user_id = ${user.id}::uuid AND confirmed_at IS NULL AND secret_ciphertext = ${ciphertext}`;
      if (confirmed === 0) throw new OperationError(ErrorCode.SecondFactorExists);
    });
    await recordUserChange(tx, session, "console_user.totp_on");
    return added;
  });
}

/**
 * Removes the authenticator app and, if no second factor is left, the recovery codes.
 * @throws OperationError SecondFactorNotFresh, SecondFactorNotSetUp.
 */
export async function disableTotp(context: Context, session: ConsoleSession): Promise<void> {
  requireFreshSecondFactor(session);
  const { id: userId } = session.user;
  await changeWithAudit(context, {}, async (tx) => {
    await lockSecondFactors(tx, session);
    const { count } = await tx.consoleTotp.deleteMany({ where: { userId } });
    if (count === 0) return;
    await resetWithoutSecondFactor(tx, session);
    await recordUserChange(tx, session, "console_user.totp_off");
  });
}

/** @throws OperationError SecondFactorNotFresh, SecondFactorNotSetUp. */
export async function renewRecoveryCodes(context: Context, session: ConsoleSession): Promise<string[]> {
  requireFreshSecondFactor(session);
  return changeWithAudit(context, {}, async (tx) => {
    // Serializes the user's calls, because otherwise the codes of two concurrent calls would all be valid.
    await lockSecondFactors(tx, session);
    if (!(await hasSecondFactor(tx, session.user.id)))
      throw new OperationError(ErrorCode.SecondFactorNotSetUp);
    const codes = await replaceRecoveryCodes(tx, session.user.id);
    await recordUserChange(tx, session, "console_user.recovery_codes");
    return codes;
  });
}
