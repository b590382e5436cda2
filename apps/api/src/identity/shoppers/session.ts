import { randomUUID } from "node:crypto";
import type { Mode } from "@tillgate/contract";
import { generateSecret, hashSecret } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";

/** Age from which a session's token is renewed at the next form submission. */
export const ROTATE_AFTER_SECONDS = 86_400;
/** How long the previous token still works for other open tabs. */
const GRACE_SECONDS = 60;

const renewedSchema = z.object({ seconds: z.int(), remembered: z.boolean() });

const generateToken = (): string => generateSecret("tgw_");

export type StartSession = {
  /** The order that the PIN was entered for; null for none. */
  orderId: string | null;
  deviceId: string;
  /** Whether the shopper chose to stay signed in on this device. */
  remembered: boolean;
};

/** Starts a wallet session. The database stores only the token's hash. */
export async function startSession(
  { config, database }: Context,
  shopper: { id: string; mode: Mode },
  { orderId, deviceId, remembered }: StartSession,
): Promise<RenewedSession> {
  const session = generateToken();
  const seconds = remembered ? config.walletSessionSeconds : config.walletVisitSeconds;
  await database.prisma.$executeRaw`
    INSERT INTO wallet_sessions (id, mode, wallet_user_id, token_hash, expires_at, device_id, pin_order_id, remembered)
    VALUES (${randomUUID()}::uuid, ${shopper.mode}::mode, ${shopper.id}::uuid, ${hashSecret(session)},
      clock_timestamp() + make_interval(secs => ${seconds}), ${deviceId}::uuid, ${orderId}, ${remembered})`;
  return { session, maxAgeSeconds: remembered ? seconds : null };
}

/** If `maxAgeSeconds` is null, the cookie lasts until the browser closes, and the session ends soon after the last confirmation. */
export type RenewedSession = { session: string; maxAgeSeconds: number | null };

/**
 * Renews a session's token. The presented token remains valid for {@link GRACE_SECONDS}, but cannot be renewed again.
 * @param confirmed whether the shopper has just confirmed by PIN or passkey, which restarts the session's full lifetime.
 * @returns null if the token was already renewed or its session has ended. The cookie then stays the same.
 */
export async function renewSession(
  context: Context,
  presented: string,
  { confirmed }: { confirmed: boolean },
): Promise<RenewedSession | null> {
  const session = generateToken();
  const { walletSessionSeconds, walletVisitSeconds } = context.config;
  const rows = await context.database.prisma.$queryRaw<unknown[]>`
    UPDATE wallet_sessions SET token_hash = ${hashSecret(session)}, previous_token_hash = token_hash,
      previous_valid_until = clock_timestamp() + make_interval(secs => ${GRACE_SECONDS}), rotated_at = clock_timestamp(),
      expires_at = CASE WHEN ${confirmed}
        THEN clock_timestamp() + make_interval(secs => CASE WHEN remembered THEN ${walletSessionSeconds}::int ELSE ${walletVisitSeconds}::int END)
        ELSE expires_at END
    WHERE token_hash = ${hashSecret(presented)} AND revoked_at IS NULL AND expires_at > clock_timestamp()
    RETURNING ceil(extract(epoch FROM expires_at - clock_timestamp()))::int AS seconds, remembered`;
  const [renewed] = parseRows(renewedSchema, rows);
  if (!renewed) return null;
  return { session, maxAgeSeconds: renewed.remembered ? Math.max(1, renewed.seconds) : null };
}

/**
 * Renews a session's token after a confirmation, or if rotation is due.
 * @returns null without a session, if neither applies, or if {@link renewSession} returns null. The cookie then stays the same.
 */
export const renewSessionIfDue = async (
  context: Context,
  session: string | undefined,
  { confirmed, rotationDue }: { confirmed: boolean; rotationDue: boolean },
): Promise<RenewedSession | null> =>
  session !== undefined && (confirmed || rotationDue) ? renewSession(context, session, { confirmed }) : null;

export async function recordCorrectPin(
  { database }: Context,
  sessionId: string,
  orderId: string,
): Promise<void> {
  await database.prisma.$executeRaw`
    UPDATE wallet_sessions SET pin_entered_at = clock_timestamp(), pin_order_id = ${orderId} WHERE id = ${sessionId}::uuid`;
}

/** Ends the session of a token, with all its tokens. Does nothing if the session has already ended. */
export async function endSession({ database }: Context, session: string): Promise<void> {
  const hash = hashSecret(session);
  await database.prisma.$executeRaw`UPDATE wallet_sessions SET revoked_at = clock_timestamp()
    WHERE revoked_at IS NULL AND (token_hash = ${hash} OR (previous_token_hash = ${hash} AND previous_valid_until > clock_timestamp()))`;
}

/** SQL condition: a session `ws` of the shopper `u` is active at `now.read_at`. */
export const IS_LIVE_SESSION = "ws.revoked_at IS NULL AND ws.expires_at > now.read_at AND u.active";

/**
 * Returns SQL that selects a token's session, even if the session has ended. The query must provide `now.read_at`. `hash` and `rotateAfter`
 * (seconds) are SQL placeholders.
 */
export const findSessionSql = (hash: string, rotateAfter: string, columns: readonly string[]): string => `
    SELECT ws.id, ws.wallet_user_id AS user_id, u.name AS user_name, u.pin_reset_at, ws.device_id,
      EXISTS (
        SELECT FROM pin_failures f
        WHERE f.key IN (pin_counter_key('identifier', u.mode || ' ' || u.phone), pin_counter_key('identifier', u.mode || ' ' || u.email))
          AND f.locked_until > '-infinity' AND f.stale_at > now.read_at
      ) AS wrong_pins_elsewhere,
      ws.rotated_at <= now.read_at - make_interval(secs => ${rotateAfter}) AS rotation_due,
      ${columns.join(", ")}
    FROM wallet_sessions ws JOIN wallet_users u ON u.id = ws.wallet_user_id
    WHERE ws.token_hash = ${hash} OR (ws.previous_token_hash = ${hash} AND ws.previous_valid_until > now.read_at)`;
