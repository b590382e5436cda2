import { randomUUID } from "node:crypto";
import { ErrorCode } from "@tillgate/contract";
import { generateSecret, hashPassword, hashSecret, seal } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import { changeWithAudit } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { clearPinFailures, exceedsSignInRate } from "../pin-lockout.js";
import {
  type ConsoleSession,
  endUserSessions,
  recordUserChange,
  requireFreshSecondFactor,
  revokeOtherSessions,
} from "./session.js";
import { type ConfirmedPassword, confirmPassword } from "./sign-in.js";

/** Lifetime of a link that a person requests, to sign up or to reset a password. */
export const LINK_SECONDS = 1_800;
export const MAIL_RESEND_SECONDS = 120;

/** Creates a link to be e-mailed. The database stores the token's hash, and the encrypted token until the link is sent. */
export function createLink({ keyring }: Pick<Context, "keyring">) {
  const id = randomUUID();
  const token = generateSecret("tgl_");
  return { id, token, tokenHash: hashSecret(token), ...seal(keyring, id, token) };
}

/**
 * Queues an e-mail with a password reset link, unless the address is unknown, its user is disabled, or a recent link is still unused.
 * Administrators get no link, because a change that needs two administrators must not depend on one mailbox.
 * @throws OperationError TooManyAttempts for a client address that makes too many requests.
 */
export async function requestPasswordReset(
  context: Context,
  { email, clientAddress }: { email: string; clientAddress: string },
): Promise<void> {
  if (await exceedsSignInRate(context, clientAddress))
    throw new OperationError(ErrorCode.TooManyAttempts, { retryAfterSeconds: 60 });
  const { id, tokenHash, ciphertext, keyId } = createLink(context);
  await context.database.prisma.$executeRaw`
    INSERT INTO console_links (id, kind, user_id, token_hash, token_ciphertext, encryption_key_id, expires_at)
    SELECT ${id}::uuid, 'password', u.id, ${tokenHash}, ${ciphertext}, ${keyId}, clock_timestamp() + make_interval(secs => ${LINK_SECONDS})
    FROM console_users u WHERE u.email = ${email.trim().toLowerCase()} AND u.role = 'merchant' AND u.disabled_at IS NULL
      AND NOT EXISTS (SELECT FROM console_links l WHERE l.user_id = u.id AND l.used_at IS NULL
        AND l.created_at > clock_timestamp() - make_interval(secs => ${MAIL_RESEND_SECONDS}))`;
}

/** Checks a password reset link without using it up. @throws OperationError LinkNotValid. */
export async function requireResetLink({ database: { prisma } }: Context, token: string): Promise<void> {
  const open = { kind: "password" as const, usedAt: null, expiresAt: { gt: new Date() } };
  const count = await prisma.consoleLink.count({ where: { tokenHash: hashSecret(token), ...open } });
  if (count === 0) throw new OperationError(ErrorCode.LinkNotValid);
}

const userSchema = z.object({ id: z.string(), email: z.string() });

/** Sets a new password and invalidates the user's sessions and other links. The second factor remains. @throws OperationError LinkNotValid. */
export async function resetPassword(
  context: Context,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const tokenHash = hashSecret(token);
  const { prisma } = context.database;
  // Hashing is expensive, so the token is checked first.
  if ((await prisma.consoleLink.count({ where: { tokenHash, kind: "password", usedAt: null } })) === 0)
    throw new OperationError(ErrorCode.LinkNotValid);
  const passwordHash = await hashPassword(password);
  const user = await changeWithAudit(context, {}, async (tx) => {
    const rows = await tx.$queryRaw<unknown[]>`
      UPDATE console_links l SET used_at = clock_timestamp() FROM console_users u
      WHERE l.token_hash = ${tokenHash} AND l.used_at IS NULL AND l.expires_at > clock_timestamp()
        AND u.id = l.user_id AND u.role = 'merchant' AND u.disabled_at IS NULL
      RETURNING u.id, u.email`;
    const [account] = parseRows(userSchema, rows);
    if (!account) throw new OperationError(ErrorCode.LinkNotValid);
    const { id } = account;
    await tx.consoleUser.update({ where: { id }, data: { passwordHash } });
    await tx.$executeRaw`UPDATE console_links SET used_at = clock_timestamp() WHERE user_id = ${id}::uuid AND used_at IS NULL`;
    await endUserSessions(tx, id);
    await recordUserChange(tx, { user: { ...account, role: "merchant" } }, "console_user.password");
    return account;
  });
  await clearPinFailures(context, [{ kind: "console", id: user.email }]);
}

/**
 * Changes the signed-in user's password, and invalidates the user's other sessions and e-mailed links.
 * @throws OperationError SecondFactorNotFresh if the user has a factor that was not verified recently; WrongPassword, SignInLocked.
 */
export async function changeOwnPassword(
  context: Context,
  session: ConsoleSession,
  { newPassword, ...typed }: ConfirmedPassword & { newPassword: string },
): Promise<void> {
  if (session.hasSecondFactor) requireFreshSecondFactor(session);
  const confirmed = await confirmPassword(context, session, typed);
  const passwordHash = await hashPassword(newPassword);
  const { id } = session.user;
  await changeWithAudit(context, {}, async (tx) => {
    const { count } = await tx.consoleUser.updateMany({
      where: { id, passwordHash: confirmed },
      data: { passwordHash },
    });
    if (count === 0) throw new OperationError(ErrorCode.WrongPassword);
    await tx.$executeRaw`UPDATE console_links SET used_at = clock_timestamp() WHERE user_id = ${id}::uuid AND used_at IS NULL`;
    await revokeOtherSessions(tx, session);
    await recordUserChange(tx, session, "console_user.password");
  });
}
