import { ErrorCode } from "@tillgate/contract";
import { hashSecret } from "@tillgate/database";
import { Secret } from "otpauth";
import type { Transaction } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import {
  type ConsoleSession,
  elevateConsoleSession,
  revokeOtherSessions,
  type SessionToken,
} from "./session.js";

const CODES = 10;
/** 80 bits: 16 characters of base32. */
const CODE_BYTES = 10;

const hashCode = (code: string): Uint8Array<ArrayBuffer> =>
  hashSecret(code.replace(/[\s-]/g, "").toUpperCase());

const generateCode = (): string => new Secret({ size: CODE_BYTES }).base32.replace(/(.{4})(?=.)/g, "$1-");

/** Replaces a user's recovery codes and returns the new codes. The database stores only their hashes. */
export async function replaceRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, generateCode);
  await tx.consoleRecoveryCode.deleteMany({ where: { userId } });
  await tx.consoleRecoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: hashCode(code) })),
  });
  return codes;
}

/** @returns whether the code was valid and unused. */
export async function consumeRecoveryCode(tx: Transaction, userId: string, code: string): Promise<boolean> {
  const used = await tx.$executeRaw`UPDATE console_recovery_codes SET used_at = clock_timestamp()
    WHERE user_id = ${userId}::uuid AND code_hash = ${hashCode(code)} AND used_at IS NULL`;
  return used === 1;
}

/** `recoveryCodes` is empty unless this is the user's first factor. */
export type AddedSecondFactor = SessionToken & { recoveryCodes: string[] };

/** Serializes changes to a user's second factors, so that each sees the result of the previous change. */
export const lockSecondFactors = (
  tx: Transaction,
  { user }: Pick<ConsoleSession, "user">,
): Promise<unknown> =>
  tx.$queryRaw`SELECT 1 FROM console_users WHERE id = ${user.id}::uuid FOR NO KEY UPDATE`;

/** Returns whether the user has a confirmed authenticator app or a passkey. */
export async function hasSecondFactor(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 WHERE has_second_factor(${userId}::uuid)`;
  return rows.length > 0;
}

export async function listSecondFactors(
  { database: { prisma } }: Pick<Context, "database">,
  { user: { id: userId } }: ConsoleSession,
): Promise<{ totp: boolean; passkeys: boolean }> {
  const [totps, passkeys] = await Promise.all([
    prisma.consoleTotp.count({ where: { userId, confirmedAt: { not: null } } }),
    prisma.consolePasskey.count({ where: { userId } }),
  ]);
  return { totp: totps > 0, passkeys: passkeys > 0 };
}

/**
 * Adds a second factor. If it is the user's first, the user's other sessions end.
 * @param add writes the factor while the user's second factors are locked.
 * @throws OperationError SecondFactorNotFresh if an existing factor was not verified recently; the errors of `add` and {@link elevateConsoleSession}.
 */
export async function addSecondFactor(
  tx: Transaction,
  session: ConsoleSession,
  add: () => Promise<void>,
): Promise<AddedSecondFactor> {
  const { id: userId } = session.user;
  await lockSecondFactors(tx, session);
  const isFirst = !(await hasSecondFactor(tx, userId));
  await add();
  if (!isFirst && session.freshUntil === null) throw new OperationError(ErrorCode.SecondFactorNotFresh);
  const recoveryCodes = isFirst ? await replaceRecoveryCodes(tx, userId) : [];
  if (isFirst) await revokeOtherSessions(tx, session);
  return { ...(await elevateConsoleSession(tx, session)), recoveryCodes };
}

/** Deletes the recovery codes and clears the second-factor verification of all the user's sessions, unless the user still has a factor. */
export async function resetWithoutSecondFactor(
  tx: Transaction,
  { user: { id: userId } }: ConsoleSession,
): Promise<void> {
  if (await hasSecondFactor(tx, userId)) return;
  await tx.consoleRecoveryCode.deleteMany({ where: { userId } });
  await tx.consoleSession.updateMany({ where: { userId }, data: { secondFactorAt: null } });
}
