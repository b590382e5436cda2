import type { MemberRole } from "@tillgate/contract";
import type { Context } from "../../context.js";
import type { ConsoleSession } from "./console-session.js";

/** What a user sees of itself: the merchants it is a member of, and the second factors that it has set up. */
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
