import { ErrorCode } from "@tillgate/contract";
import { hashSecret, hashSlowly } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import { changeWithAudit, recordChange } from "../audit/change.js";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { LINK_SECONDS, MAIL_RESEND_SECONDS, newLink } from "../identity/console/passwords.js";
import {
  type ConsoleClient,
  endConsoleSession,
  type SessionToken,
  startConsoleSession,
} from "../identity/console/session.js";
import { clearPinFailures, exceedsSignInRate } from "../identity/pin-lockout.js";
import { openRecorded } from "../money/wallets/open.js";
import { addMerchant } from "./merchants.js";

/**
 * A sandbox account is made by a mailed link, and not by the form that asks for one. An account that was there at once would say which
 * addresses have one, and a stranger could take somebody's address with a password of the stranger's. Behind the link, password and name
 * of the shop are one form, and it signs its sender in.
 */
export type SignUpRequest = {
  email: string;
  /** The console's page that the person was on the way to. */
  next: string | undefined;
  clientAddress: string;
};

/** @throws OperationError UnknownRoute where nobody may make an account. */
export function requireSignUp({ config }: Pick<Context, "config">): void {
  if (!config.sandboxSignUp) throw new OperationError(ErrorCode.UnknownRoute);
}

/**
 * Has a link mailed that makes a sandbox account. Does the same for an address that has a user: the page of the link says so.
 * @returns the link's token where mails are files on this machine, which prove nobody's mailbox; else null.
 * @throws OperationError TooManyAttempts for an address that asks too often.
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
  const { id, token, tokenHash, ciphertext, keyId } = newLink(context);
  const isAnswered = config.mail === undefined && config.mailFolder !== undefined;
  // A mailbox is spared a second mail. A token that is answered has none to spare, and its asker no mail to wait for.
  const pauseSeconds = isAnswered ? 0 : MAIL_RESEND_SECONDS;
  const made = await database.prisma.$executeRaw`
    INSERT INTO console_links (id, kind, email, next_path, token_hash, token_ciphertext, encryption_key_id, expires_at)
    SELECT ${id}::uuid, 'sign_up', ${address}, ${next ?? null}, ${tokenHash}, ${ciphertext}, ${keyId},
      clock_timestamp() + make_interval(secs => ${LINK_SECONDS})
    WHERE NOT EXISTS (SELECT FROM console_links l WHERE l.email = ${address} AND l.kind = 'sign_up' AND l.used_at IS NULL
      AND l.created_at > clock_timestamp() - make_interval(secs => ${pauseSeconds}))`;
  return made === 1 && isAnswered ? token : null;
}

/** What a link is for. */
export type SignUpLink = {
  email: string;
  /** The address has a user: it signs in. */
  hasUser: boolean;
  next: string | null;
};

/** @throws OperationError LinkNotValid. */
export async function readSignUp(context: Context, token: string): Promise<SignUpLink> {
  requireSignUp(context);
  const { prisma } = context.database;
  const found = await prisma.consoleLink.findFirst({
    where: { tokenHash: hashSecret(token), kind: "sign_up", usedAt: null, expiresAt: { gt: new Date() } },
    select: { email: true, nextPath: true },
  });
  if (!found?.email) throw new OperationError(ErrorCode.LinkNotValid);
  const { email, nextPath: next } = found;
  return { email, next, hasUser: (await prisma.consoleUser.count({ where: { email } })) > 0 };
}

export type NewAccount = ConsoleClient & {
  token: string;
  shopName: string;
  password: string;
  /** The token that the browser had: its session ends. */
  before: string | undefined;
};

const userSchema = z.object({ id: z.string() });

/**
 * Makes a merchant with its owner, once, and signs the owner in. Its sandbox has a wallet in each active currency. Live has none until an
 * administrator opens one, so that nobody gets there by a form.
 * @returns the session, and the page that the owner was on the way to.
 * @throws OperationError LinkNotValid, also for an address that has a user by now.
 */
export async function confirmSignUp(
  context: Context,
  { token, shopName, password, before, ...client }: NewAccount,
): Promise<SessionToken & { next: string | null }> {
  // Hashing costs much: it is not done for a guess.
  const { email, next, hasUser } = await readSignUp(context, token);
  if (hasUser) throw new OperationError(ErrorCode.LinkNotValid);
  const passwordHash = await hashSlowly(password);
  const name = shopName.trim();
  const userId = await changeWithAudit(context, {}, async (tx) => {
    // The update decides: of two readers at once the second finds it used.
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
    for (const { code } of currencies) await openRecorded(tx, by, { mode: "sandbox", currency: code, owner });
    return user.id;
  });
  await clearPinFailures(context, [{ kind: "console", id: email }]);
  if (before !== undefined) await endConsoleSession(context, before);
  return { ...(await startConsoleSession(context, { id: userId, passwordHash }, client)), next };
}
