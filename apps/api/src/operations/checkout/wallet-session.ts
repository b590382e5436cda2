import type { Mode } from "@tillgate/contract";
import { hashSecret, newSecret } from "@tillgate/database";
import type { Context } from "../../context.js";

export type Shopper = { id: string; mode: Mode; name: string };

/** Starts a wallet session. @returns the opaque token for the shopper's cookie; the database keeps its hash. */
export async function startSession(context: Context, shopper: Pick<Shopper, "id" | "mode">): Promise<string> {
  const token = newSecret("tgw_");
  await context.database.prisma.walletSession.create({
    data: {
      mode: shopper.mode,
      walletUserId: shopper.id,
      tokenHash: hashSecret(token),
      expiresAt: new Date(Date.now() + context.config.walletSessionSeconds * 1000),
    },
  });
  return token;
}

/** Who is signed in, or null: no session, another mode's, over, revoked, or its user was deactivated. */
export async function findShopper(
  context: Context,
  session: string | undefined,
  mode: Mode,
): Promise<Shopper | null> {
  if (!session) return null;
  const found = await context.database.prisma.walletSession.findFirst({
    where: {
      tokenHash: hashSecret(session),
      mode,
      revokedAt: null,
      expiresAt: { gt: new Date() },
      walletUser: { active: true },
    },
    select: { walletUser: { select: { id: true, mode: true, name: true } } },
  });
  return found?.walletUser ?? null;
}

/** Ends a session; ending one that is over changes nothing. */
export async function endSession(context: Context, session: string): Promise<void> {
  await context.database.prisma.walletSession.updateMany({
    where: { tokenHash: hashSecret(session), revokedAt: null },
    data: { revokedAt: new Date() },
  });
}
