import { ErrorCode } from "@tillgate/contract";
import { hashPassword, hashSecret } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import { changeWithAudit, recordChange } from "../audit/change.js";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { createLink, LINK_SECONDS, MAIL_RESEND_SECONDS } from "../identity/console/passwords.js";
import {
  type ConsoleClient,
  endConsoleSession,
  type SessionToken,
  startConsoleSession,
} from "../identity/console/session.js";
import { clearPinFailures, exceedsSignInRate } from "../identity/pin-lockout.js";
import { openWithAudit } from "../money/wallets/open.js";
import { addMerchant } from "./merchants.js";

/** Sign-up continues through an e-mailed link, so that nobody can find out which addresses are registered or claim another person's address. */
export type SignUpRequest = {
  email: string;
  /** The console page that the person first requested. */
  next: string | undefined;
  clientAddress: string;
};

/** @throws OperationError UnknownRoute while sign-up is closed. */
export function requireSignUp({ config }: Pick<Context, "config">): void {
  if (!config.sandboxSignUp) throw new OperationError(ErrorCode.UnknownRoute);
}

/**
 * Queues an e-mail with a sign-up link, unless a recent link to this address is still unused. A registered address also gets an e-mail; its
 * link opens a page that offers sign-in instead.
 * @returns the link's token if e-mails are only written to files, because then there is no mailbox to verify; otherwise null.
 * @throws OperationError UnknownRoute while sign-up is closed; TooManyAttempts for a client address that makes too many requests.
 */
export async function requestSignUp(
  context: Context,
  { email, next, clientAddress }: SignUpRequest,
): Promise<string | null> {
  requireSignUp(context);
  if (await exceedsSignInRate(context, clientAddress))
    throw new OperationError(ErrorCode.TooManyAttempts, { retryAfterSeconds: 60 });
  const { config, database } = context;
  const address = email.trim().toLowerCase();
  const { id, token, tokenHash, ciphertext, keyId } = createLink(context);
  const returnsToken = config.mail === undefined && config.mailFolder !== undefined;
  // Without a mail server, nobody's mailbox fills up, so no interval is needed.
  const pauseSeconds = returnsToken ? 0 : MAIL_RESEND_SECONDS;
  const insertedCount = await database.prisma.$executeRaw`
    INSERT INTO console_links (id, kind, email, next_path, token_hash, token_ciphertext, encryption_key_id, expires_at)
    SELECT ${id}::uuid, 'sign_up', ${address}, ${next ?? null}, ${tokenHash}, ${ciphertext}, ${keyId},
      clock_timestamp() + make_interval(secs => ${LINK_SECONDS})
    WHERE NOT EXISTS (SELECT FROM console_links l WHERE l.email = ${address} AND l.kind = 'sign_up' AND l.used_at IS NULL
      AND l.created_at > clock_timestamp() - make_interval(secs => ${pauseSeconds}))`;
  return insertedCount === 1 && returnsToken ? token : null;
}

export type SignUpLink = {
  email: string;
  /** Whether the address already has a user, who should sign in instead. */
  hasUser: boolean;
  next: string | null;
};

/** @throws OperationError UnknownRoute while sign-up is closed; LinkNotValid if the link is unknown, used or expired. */
export async function readSignUp(context: Context, token: string): Promise<SignUpLink> {
  requireSignUp(context);
  const { prisma } = context.database;
  const link = await prisma.consoleLink.findFirst({
    where: { tokenHash: hashSecret(token), kind: "sign_up", usedAt: null, expiresAt: { gt: new Date() } },
    select: { email: true, nextPath: true },
  });
  if (!link?.email) throw new OperationError(ErrorCode.LinkNotValid);
  const { email, nextPath: next } = link;
  return { email, next, hasUser: (await prisma.consoleUser.count({ where: { email } })) > 0 };
}

export type NewAccount = ConsoleClient & {
  token: string;
  shopName: string;
  password: string;
  /** The browser's previous session token; that session ends. */
  before: string | undefined;
};

const userSchema = z.object({ id: z.string() });

/**
 * Creates a merchant, its owner, and a sandbox wallet in each active currency, and signs the owner in.
 * @throws OperationError UnknownRoute while sign-up is closed; LinkNotValid if the link is unknown, used or expired, or its address now has a user.
 */
export async function confirmSignUp(
  context: Context,
  { token, shopName, password, before, ...client }: NewAccount,
): Promise<SessionToken & { next: string | null }> {
  // Hashing is expensive, so the token is checked first.
  const { email, next, hasUser } = await readSignUp(context, token);
  if (hasUser) throw new OperationError(ErrorCode.LinkNotValid);
  const passwordHash = await hashPassword(password);
  const name = shopName.trim();
  const userId = await changeWithAudit(context, {}, async (tx) => {
    // Only one of two concurrent confirmations updates the row.
    const used = await tx.$executeRaw`UPDATE console_links SET used_at = clock_timestamp()
      WHERE token_hash = ${hashSecret(token)} AND used_at IS NULL AND expires_at > clock_timestamp()`;
    const rows = await tx.$queryRaw<unknown[]>`
      INSERT INTO console_users (id, email, role, password_hash) VALUES (gen_random_uuid(), ${email}, 'merchant', ${passwordHash})
      ON CONFLICT (email) DO NOTHING RETURNING id`;
    const [user] = parseRows(userSchema, rows);
    if (used === 0 || !user) throw new OperationError(ErrorCode.LinkNotValid);
    await tx.$executeRaw`UPDATE console_links SET used_at = clock_timestamp()
      WHERE email = ${email} AND kind = 'sign_up' AND used_at IS NULL`;
    const { id: merchantId } = await addMerchant(tx, name);
    await tx.consoleMember.create({ data: { userId: user.id, merchantId, role: "owner" } });
    const by = { id: user.id, email };
    const details = { email, role: "owner", name };
    await recordChange(tx, {
      administrator: by,
      merchantId,
      action: "console_user.signed_up",
      subject: user.id,
      details,
    });
    const currencies = await tx.currency.findMany({ where: { active: true }, orderBy: { code: "asc" } });
    const owner = { kind: "merchant" as const, merchantId, name };
    for (const { code } of currencies)
      await openWithAudit(tx, by, { mode: "sandbox", currency: code, owner });
    return user.id;
  });
  await clearPinFailures(context, [{ kind: "console", id: email }]);
  if (before !== undefined) await endConsoleSession(context, before);
  return { ...(await startConsoleSession(context, { id: userId, passwordHash }, client)), next };
}
