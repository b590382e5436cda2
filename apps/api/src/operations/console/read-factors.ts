import type { Context } from "../../context.js";
import type { ConsoleSession } from "./console-session.js";

/** The second factors that a user has set up. */
export type Factors = { totp: boolean; recoveryCodesLeft: number };

export async function readFactors(
  { database: { prisma } }: Context,
  { user: { id: userId } }: ConsoleSession,
): Promise<Factors> {
  const [totps, recoveryCodesLeft] = await Promise.all([
    prisma.consoleTotp.count({ where: { userId, confirmedAt: { not: null } } }),
    prisma.consoleRecoveryCode.count({ where: { userId, usedAt: null } }),
  ]);
  return { totp: totps === 1, recoveryCodesLeft };
}
