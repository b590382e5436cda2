import { ErrorCode, type MemberRole } from "@tillgate/contract";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import { changeWithAudit, recordChange, type Transaction } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { isIssuedId } from "../../platform/ids.js";
import type { ConsoleAccess } from "./access.js";

export type Member = {
  userId: string;
  email: string;
  role: MemberRole;
  disabled: boolean;
  since: Date;
  /** Number of the merchant's active keys that the member created, in both modes. */
  keys: number;
};
export type OpenInvitation = {
  id: string;
  email: string;
  role: MemberRole;
  invitedBy: string;
  expiresAt: Date;
};

export async function listMembers(
  { database: { prisma } }: Context,
  { merchantId }: ConsoleAccess,
): Promise<{ members: Member[]; invitations: OpenInvitation[] }> {
  const [members, invitations, keys] = await Promise.all([
    prisma.consoleMember.findMany({
      where: { merchantId },
      include: { user: { select: { email: true, disabledAt: true } } },
      orderBy: { user: { email: "asc" } },
    }),
    prisma.consoleLink.findMany({
      where: { merchantId, usedAt: null, expiresAt: { gt: new Date() } },
      include: { invitedBy: { select: { email: true } } },
      orderBy: { email: "asc" },
    }),
    prisma.credential.groupBy({
      by: ["createdById"],
      where: {
        ...{ merchantId, createdById: { not: null }, revokedAt: null },
        OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
      },
      _count: true,
    }),
  ]);
  const keysByUser = new Map(keys.map(({ createdById, _count }) => [createdById, _count]));
  return {
    members: members.map(({ userId, role, createdAt, user }) => ({
      userId,
      email: user.email,
      role,
      disabled: user.disabledAt !== null,
      since: createdAt,
      keys: keysByUser.get(userId) ?? 0,
    })),
    invitations: invitations.flatMap(({ id, email, role, invitedBy, expiresAt }) =>
      email && role && invitedBy ? [{ id, email, role, invitedBy: invitedBy.email, expiresAt }] : [],
    ),
  };
}

/**
 * Changes a member's role or, if `role` is null, removes the member and the member's saved views. Open invitations that the member sent are
 * withdrawn. Does nothing if the member already has the role.
 * @param change.revokeKeys whether to also revoke the keys that a removed member created.
 * @throws OperationError MemberNotFound, including for a member of another merchant; LastOwner.
 */
export async function setMemberRole(
  context: Context,
  { merchantId, by }: ConsoleAccess,
  { userId, role, revokeKeys }: { userId: string; role: MemberRole | null; revokeKeys?: boolean | undefined },
): Promise<void> {
  if (!isIssuedId(userId)) throw new OperationError(ErrorCode.MemberNotFound);
  await changeWithAudit(context, {}, async (tx) => {
    const owners = await lockOwners(tx, merchantId);
    const key = { userId, merchantId };
    const member = await tx.consoleMember.findUnique({
      where: { userId_merchantId: key },
      include: { user: { select: { email: true } } },
    });
    if (!member) throw new OperationError(ErrorCode.MemberNotFound);
    if (member.role === role) return;
    if (owners === 1 && member.role === "owner") throw new OperationError(ErrorCode.LastOwner);
    // Recorded first, because an owner who leaves lacks the right to record this afterwards.
    await recordChange(tx, {
      administrator: by,
      merchantId,
      action: role ? "member.role" : "member.remove",
      subject: userId,
      details: { email: member.user.email, role_before: member.role, role_after: role },
    });
    if (role === null && revokeKeys) await revokeKeysCreatedBy(tx, { merchantId, by, userId });
    if (role) await tx.consoleMember.updateMany({ where: key, data: { role } });
    else {
      await tx.consoleMember.deleteMany({ where: key });
      await tx.consoleView.deleteMany({ where: key });
    }
    await tx.$executeRaw`UPDATE console_links SET used_at = clock_timestamp()
      WHERE merchant_id = ${merchantId}::uuid AND invited_by_id = ${userId}::uuid AND used_at IS NULL`;
  });
}

async function revokeKeysCreatedBy(
  tx: Transaction,
  { merchantId, by, userId }: Pick<ConsoleAccess, "merchantId" | "by"> & { userId: string },
): Promise<void> {
  const revoked = parseRows(
    z.object({ id: z.uuid() }),
    await tx.$queryRaw<unknown[]>`UPDATE credentials SET revoked_at = clock_timestamp()
      WHERE merchant_id = ${merchantId}::uuid AND created_by_id = ${userId}::uuid AND revoked_at IS NULL AND kind <> 'console'
      RETURNING id`,
  );
  for (const { id } of revoked)
    await recordChange(tx, {
      ...{ administrator: by, merchantId, action: "credential.revoke", subject: id },
      details: { reason: "member removed" },
    });
}

/** Locks a merchant's owners, so that the last two owners cannot remove each other concurrently. @returns the number of owners. */
async function lockOwners(tx: Transaction, merchantId: string): Promise<number> {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM console_members
    WHERE merchant_id = ${merchantId}::uuid AND role = 'owner' ORDER BY user_id FOR UPDATE`;
  return rows.length;
}
