import { ErrorCode, FieldRule, type MemberRole } from "@tillgate/contract";
import { hashPassword, hashSecret } from "@tillgate/database";
import { changeWithAudit, recordChange, type Transaction } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { invalidField, OperationError } from "../../errors.js";
import { isIssuedId } from "../../platform/ids.js";
import type { ConsoleAccess } from "./access.js";
import { createLink } from "./passwords.js";

const INVITATION_SECONDS = 7 * 86_400;

/** Calls {@link addInvitation} in its own transaction. */
export const inviteMember = (context: Context, access: ConsoleAccess, invited: Invited): Promise<string> =>
  changeWithAudit(context, {}, (tx) => addInvitation(context, tx, access, invited));

type Invited = { email: string; role: MemberRole };

/**
 * Queues an invitation e-mail. Earlier open invitations of this address to the merchant become invalid.
 * @returns the invitation's ID. @throws OperationError AlreadyMember.
 */
export async function addInvitation(
  context: Context,
  tx: Transaction,
  { merchantId, by }: Pick<ConsoleAccess, "merchantId" | "by">,
  invited: Invited,
): Promise<string> {
  const email = invited.email.trim().toLowerCase();
  const { id, tokenHash, ciphertext, keyId } = createLink(context);
  if ((await tx.consoleMember.count({ where: { merchantId, user: { email } } })) > 0)
    throw new OperationError(ErrorCode.AlreadyMember);
  await tx.$executeRaw`UPDATE console_links SET used_at = clock_timestamp()
    WHERE merchant_id = ${merchantId}::uuid AND email = ${email} AND used_at IS NULL`;
  await tx.$executeRaw`
    INSERT INTO console_links (id, kind, email, merchant_id, role, invited_by_id, token_hash, token_ciphertext, encryption_key_id, expires_at)
    VALUES (${id}::uuid, 'invitation', ${email}, ${merchantId}::uuid, ${invited.role}::member_role, ${by.id}::uuid,
      ${tokenHash}, ${ciphertext}, ${keyId}, clock_timestamp() + make_interval(secs => ${INVITATION_SECONDS}))`;
  const details = { email, role: invited.role };
  await recordChange(tx, { administrator: by, merchantId, action: "member.invite", subject: id, details });
  return id;
}

/** @throws OperationError InvitationNotFound, including for another merchant's invitation. */
export async function withdrawInvitation(
  context: Context,
  { merchantId, by }: ConsoleAccess,
  id: string,
): Promise<void> {
  if (!isIssuedId(id)) throw new OperationError(ErrorCode.InvitationNotFound);
  await changeWithAudit(context, {}, async (tx) => {
    const updatedCount = await tx.$executeRaw`UPDATE console_links SET used_at = clock_timestamp()
      WHERE id = ${id}::uuid AND merchant_id = ${merchantId}::uuid AND used_at IS NULL AND expires_at > clock_timestamp()`;
    if (updatedCount === 0) throw new OperationError(ErrorCode.InvitationNotFound);
    await recordChange(tx, { administrator: by, merchantId, action: "member.withdraw", subject: id });
  });
}

export type Invitation = {
  email: string;
  merchant: { id: string; name: string };
  role: MemberRole;
  /** Whether the invited person must set a password, because the address has no user yet. */
  needsPassword: boolean;
};

/** @throws OperationError LinkNotValid, including for a disabled user or an administrator, who cannot become a member. */
export async function readInvitation({ database: { prisma } }: Context, token: string): Promise<Invitation> {
  const link = await prisma.consoleLink.findFirst({
    where: { tokenHash: hashSecret(token), usedAt: null, expiresAt: { gt: new Date() } },
    select: { email: true, role: true, merchant: { select: { id: true, name: true } } },
  });
  if (!link?.email || !link.role || !link.merchant) throw new OperationError(ErrorCode.LinkNotValid);
  const { email, role, merchant } = link;
  const user = await prisma.consoleUser.findUnique({ where: { email } });
  if (user && (user.role !== "merchant" || user.disabledAt)) throw new OperationError(ErrorCode.LinkNotValid);
  return { email, role, merchant, needsPassword: user === null };
}

/** Adds the member, but does not sign the person in. @throws OperationError LinkNotValid; InvalidFields if a new user's password is missing. */
export async function acceptInvitation(
  context: Context,
  { token, password }: { token: string; password: string | undefined },
): Promise<void> {
  const { email, merchant, role, needsPassword } = await readInvitation(context, token);
  if (needsPassword && password === undefined) throw invalidField("password", FieldRule.Required.text);
  const passwordHash = needsPassword && password !== undefined ? await hashPassword(password) : null;
  await changeWithAudit(context, {}, async (tx) => {
    // Only one of two concurrent calls updates the row.
    const used = await tx.$executeRaw`UPDATE console_links SET used_at = clock_timestamp()
      WHERE token_hash = ${hashSecret(token)} AND used_at IS NULL AND expires_at > clock_timestamp()`;
    if (used === 0) throw new OperationError(ErrorCode.LinkNotValid);
    if (passwordHash !== null)
      await tx.consoleUser.createMany({
        data: [{ email, role: "merchant", passwordHash }],
        skipDuplicates: true,
      });
    const user = await tx.consoleUser.findUnique({ where: { email, role: "merchant", disabledAt: null } });
    if (!user) throw new OperationError(ErrorCode.LinkNotValid);
    const key = { userId: user.id, merchantId: merchant.id };
    await tx.consoleMember.createMany({ data: [{ ...key, role }], skipDuplicates: true });
    await recordChange(tx, {
      administrator: user,
      merchantId: merchant.id,
      action: "console_user.joined",
      subject: user.id,
      details: { email, role },
    });
  });
}
