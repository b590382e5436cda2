import { randomUUID } from "node:crypto";
import { type AuditAction, ErrorCode, type MemberRole } from "@tillgate/contract";
import { generateSecret, hashSecret } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import { type AuditRecord, recordChange, type Transaction } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { getClientNetwork } from "../../platform/client-network.js";
import { isIssuedId } from "../../platform/ids.js";

/** NIST SP 800-63B, AAL2: a session ends after 12 hours, or after 30 minutes of inactivity. In seconds. */
const SESSION_SECONDS = 12 * 3_600;
const IDLE_SECONDS = 30 * 60;
/** How long a session may wait for its second factor. */
const WAITING_SECONDS = 600;
/** How long a verified second factor is recent enough for actions on money or secrets. */
const FRESH_SECONDS = 600;
const MAX_LISTED = 100;

/** The browser's address and User-Agent (`browser`), as reported by the console. */
export type ConsoleClient = { clientAddress: string; browser: string };

export type ConsoleSession = {
  id: string;
  user: { id: string; email: string; role: "administrator" | "merchant" };
  /** Whether the session still needs its second factor. Until then, the user can only verify a factor or sign out. */
  waiting: boolean;
  expiresAt: Date;
  hasSecondFactor: boolean;
  /** Until when the verified second factor is recent enough for actions on money or secrets; null if it is not. */
  freshUntil: Date | null;
};

/** The database stores only the token's hash. */
export type SessionToken = { token: string; waiting: boolean; expiresAt: Date };

const sessionSchema = z.object({
  id: z.string(),
  userId: z.string(),
  email: z.string(),
  role: z.enum(["administrator", "merchant"]),
  waiting: z.boolean(),
  expiresAt: z.date(),
  hasSecondFactor: z.boolean(),
  freshUntil: z.date().nullable(),
});
const startedSchema = z.object({ waiting: z.boolean(), expiresAt: z.date() });

type Writer = Pick<Transaction, "$executeRaw" | "$queryRaw">;

const generateToken = (): string => generateSecret("tgc_");

/**
 * Starts a session after the password has been verified. A concurrent password change ends this session too.
 * @throws OperationError NotSignedIn if `passwordHash`, which the password matched, is no longer the user's.
 */
export async function startConsoleSession(
  { database: { prisma } }: Context,
  { id, passwordHash }: { id: string; passwordHash: string },
  { clientAddress, browser }: ConsoleClient,
): Promise<SessionToken> {
  const token = generateToken();
  const rows = await prisma.$queryRaw<unknown[]>`
    INSERT INTO console_sessions (id, user_id, token_hash, expires_at, signed_in_at, client_network, browser)
    SELECT ${randomUUID()}::uuid, u.id, ${hashSecret(token)},
      clock_timestamp() + make_interval(secs => CASE WHEN f.waiting THEN ${WAITING_SECONDS}::int ELSE ${SESSION_SECONDS}::int END),
      CASE WHEN NOT f.waiting THEN clock_timestamp() END, ${getClientNetwork(clientAddress)}, ${browser}
    FROM console_users u, has_second_factor(u.id) AS f(waiting) WHERE u.id = ${id}::uuid AND u.password_hash = ${passwordHash} FOR SHARE OF u
    RETURNING signed_in_at IS NULL AS waiting, expires_at AS "expiresAt"`;
  const [started] = parseRows(startedSchema, rows);
  if (!started) throw new OperationError(ErrorCode.NotSignedIn);
  return { token, ...started };
}

/**
 * Records a verified second factor, which also completes a pending sign-in. The session gets a new token, so that a leaked old token is not
 * elevated too.
 * @throws OperationError NotSignedIn for a revoked session.
 */
export async function elevateConsoleSession(tx: Writer, { id }: ConsoleSession): Promise<SessionToken> {
  const token = generateToken();
  const rows = await tx.$queryRaw<unknown[]>`
    UPDATE console_sessions SET token_hash = ${hashSecret(token)}, second_factor_at = clock_timestamp(),
      signed_in_at = coalesce(signed_in_at, clock_timestamp()), expires_at = CASE WHEN signed_in_at IS NULL
        THEN clock_timestamp() + make_interval(secs => ${SESSION_SECONDS}::int) ELSE expires_at END
    WHERE id = ${id}::uuid AND revoked_at IS NULL RETURNING false AS waiting, expires_at AS "expiresAt"`;
  const [elevated] = parseRows(startedSchema, rows);
  if (!elevated) throw new OperationError(ErrorCode.NotSignedIn);
  return { token, ...elevated };
}

/** Requires a recently verified second factor. @throws OperationError SecondFactorNotFresh; SecondFactorNotSetUp if the user has no second factor. */
export function requireFreshSecondFactor({ hasSecondFactor, freshUntil }: ConsoleSession): void {
  if (!hasSecondFactor) throw new OperationError(ErrorCode.SecondFactorNotSetUp);
  if (freshUntil === null) throw new OperationError(ErrorCode.SecondFactorNotFresh);
}

/** Finds a session and records its use, from which the idle time counts. @throws OperationError NotSignedIn, including for a disabled user. */
export async function authenticateConsoleSession(
  { database: { prisma } }: Context,
  token: string,
): Promise<ConsoleSession> {
  const rows = await prisma.$queryRaw<unknown[]>`
    UPDATE console_sessions s SET last_seen_at = clock_timestamp() FROM console_users u
    WHERE s.token_hash = ${hashSecret(token)} AND u.id = s.user_id AND u.disabled_at IS NULL AND s.revoked_at IS NULL
      AND s.expires_at > clock_timestamp() AND s.last_seen_at > clock_timestamp() - make_interval(secs => ${IDLE_SECONDS})
    RETURNING s.id, u.id AS "userId", u.email, u.role::text AS role, s.signed_in_at IS NULL AS waiting, s.expires_at AS "expiresAt",
      has_second_factor(u.id) AS "hasSecondFactor",
      CASE WHEN s.second_factor_at > clock_timestamp() - make_interval(secs => ${FRESH_SECONDS})
        THEN s.second_factor_at + make_interval(secs => ${FRESH_SECONDS}) END AS "freshUntil"`;
  const [found] = parseRows(sessionSchema, rows);
  if (!found) throw new OperationError(ErrorCode.NotSignedIn);
  const { userId, email, role, ...session } = found;
  return { ...session, user: { id: userId, email, role } };
}

/** Ends a session. Does nothing if it has already ended. */
export async function endConsoleSession({ database: { prisma } }: Context, token: string): Promise<void> {
  await prisma.$executeRaw`UPDATE console_sessions SET revoked_at = clock_timestamp()
    WHERE token_hash = ${hashSecret(token)} AND revoked_at IS NULL`;
}

const listedSchema = z.object({
  id: z.string(),
  createdAt: z.date(),
  lastSeenAt: z.date(),
  expiresAt: z.date(),
  clientNetwork: z.string(),
  browser: z.string(),
});
export type ListedSession = z.output<typeof listedSchema>;

/** Lists up to {@link MAX_LISTED} active sessions, most recently used first. */
export async function listConsoleSessions(
  { database: { prisma } }: Context,
  { user }: ConsoleSession,
): Promise<ListedSession[]> {
  const rows = await prisma.$queryRaw<unknown[]>`
    SELECT id, created_at AS "createdAt", last_seen_at AS "lastSeenAt", expires_at AS "expiresAt",
      client_network AS "clientNetwork", browser
    FROM console_sessions WHERE user_id = ${user.id}::uuid AND revoked_at IS NULL AND expires_at > clock_timestamp()
      AND last_seen_at > clock_timestamp() - make_interval(secs => ${IDLE_SECONDS})
    ORDER BY last_seen_at DESC, id LIMIT ${MAX_LISTED}`;
  return parseRows(listedSchema, rows);
}

/** @throws OperationError SessionNotFound, including for another user's session or an ended session. */
export async function revokeConsoleSession(
  { database: { prisma } }: Context,
  { user }: ConsoleSession,
  id: string,
): Promise<void> {
  const updatedCount = isIssuedId(id)
    ? await prisma.$executeRaw`UPDATE console_sessions SET revoked_at = clock_timestamp()
        WHERE id = ${id}::uuid AND user_id = ${user.id}::uuid AND revoked_at IS NULL AND expires_at > clock_timestamp()`
    : 0;
  if (updatedCount === 0) throw new OperationError(ErrorCode.SessionNotFound);
}

/** @returns the number of ended sessions. */
export const revokeOtherSessions = (writer: Writer, { id, user }: ConsoleSession): Promise<number> =>
  writer.$executeRaw`UPDATE console_sessions SET revoked_at = clock_timestamp()
    WHERE user_id = ${user.id}::uuid AND id <> ${id}::uuid AND revoked_at IS NULL AND expires_at > clock_timestamp()`;

export const endUserSessions = (writer: Writer, userId: string): Promise<number> =>
  writer.$executeRaw`UPDATE console_sessions SET revoked_at = clock_timestamp()
    WHERE user_id = ${userId}::uuid AND revoked_at IS NULL`;

/** Writes audit records: to the platform's chain for an administrator, otherwise to the chain of each merchant that the user is a member of. */
export async function recordUserChange(
  tx: Transaction,
  { user }: Pick<ConsoleSession, "user">,
  action: AuditAction & `console_user.${string}`,
  details: AuditRecord["details"] = {},
): Promise<void> {
  // In a fixed order, because each record locks its chain until the end of the transaction.
  const memberships = await tx.consoleMember.findMany({
    where: { userId: user.id },
    select: { merchantId: true },
    orderBy: { merchantId: "asc" },
  });
  const chains = user.role === "administrator" ? [{ merchantId: null }] : memberships;
  for (const { merchantId } of chains)
    await recordChange(tx, { administrator: user, merchantId, action, subject: user.id, details });
}

export type ConsoleUserView = {
  merchants: { id: string; name: string; role: MemberRole }[];
  totp: boolean;
  passkeys: { id: string; name: string; createdAt: Date; lastUsedAt: Date | null }[];
  recoveryCodesLeft: number;
};

export async function viewConsoleUser(
  { database: { prisma } }: Context,
  { user: { id: userId } }: ConsoleSession,
): Promise<ConsoleUserView> {
  const [members, totps, passkeys, recoveryCodesLeft] = await Promise.all([
    prisma.consoleMember.findMany({
      where: { userId },
      select: { role: true, merchant: { select: { id: true, name: true } } },
      orderBy: [{ merchant: { name: "asc" } }, { merchantId: "asc" }],
    }),
    prisma.consoleTotp.count({ where: { userId, confirmedAt: { not: null } } }),
    prisma.consolePasskey.findMany({
      where: { userId },
      select: { id: true, name: true, createdAt: true, lastUsedAt: true },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    }),
    prisma.consoleRecoveryCode.count({ where: { userId, usedAt: null } }),
  ]);
  return {
    merchants: members.map(({ merchant, role }) => ({ ...merchant, role })),
    totp: totps === 1,
    passkeys,
    recoveryCodesLeft,
  };
}
