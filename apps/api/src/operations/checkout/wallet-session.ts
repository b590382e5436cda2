import { randomUUID } from "node:crypto";
import type { Mode } from "@tillgate/contract";
import { hashSecret, newSecret } from "@tillgate/database";
import type { Context } from "../../context.js";

export type Shopper = { id: string; mode: Mode; name: string };

/** Starts a wallet session. @returns the opaque token for the shopper's cookie; the database keeps its hash. */
export async function startSession(context: Context, shopper: Pick<Shopper, "id" | "mode">): Promise<string> {
  const token = newSecret("tgw_");
  await context.database.prisma.$executeRaw`
    INSERT INTO wallet_sessions (id, mode, wallet_user_id, token_hash, expires_at)
    VALUES (${randomUUID()}::uuid, ${shopper.mode}::mode, ${shopper.id}::uuid, ${hashSecret(token)},
      clock_timestamp() + make_interval(secs => ${context.config.walletSessionSeconds}))`;
  return token;
}

/** Who is signed in by the database's clock, or null: no session, another mode's, over, revoked, or its user was deactivated. */
export async function findShopper(
  context: Context,
  session: string | undefined,
  mode: Mode,
): Promise<Shopper | null> {
  if (!session) return null;
  const [shopper] = await context.database.prisma.$queryRaw<Shopper[]>`
    SELECT u.id, u.mode, u.name FROM wallet_sessions s JOIN wallet_users u ON u.id = s.wallet_user_id AND u.mode = s.mode
    WHERE s.token_hash = ${hashSecret(session)} AND s.mode = ${mode}::mode AND s.revoked_at IS NULL
      AND s.expires_at > clock_timestamp() AND u.active`;
  return shopper ?? null;
}

/** Ends a session; ending one that is over changes nothing. */
export async function endSession(context: Context, session: string): Promise<void> {
  await context.database.prisma.walletSession.updateMany({
    where: { tokenHash: hashSecret(session), revokedAt: null },
    data: { revokedAt: new Date() },
  });
}
