import { randomUUID } from "node:crypto";
import type { Mode } from "@tillgate/contract";
import { generateSecret, hashSecret } from "@tillgate/database";
import { inTransaction, queryFirstRow, queryOneRow } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { PinSubject } from "../../identity/pin-lockout.js";
import type { Checkout, Shopper } from "../read.js";

/** How long a device stays trusted after the account's last sign-in on it. */
const DEVICE_SECONDS = 180 * 86_400;
/** Maximum trusted devices per account. A further device replaces the least recently used device. */
export const MAX_DEVICES = 20;
/** Placeholder ID for an unknown account, so that the same query runs for known and unknown accounts. */
const UNKNOWN_VISITOR = "00000000-0000-0000-0000-000000000000";

/** The database stores only the token's hash. */
export type TrustedDevice = { id: string; token: string; maxAgeSeconds: number };

export type PresentedCookies = { device: string | undefined; session: string | undefined };

const subjectSchema = z.object({ kind: z.enum(["device", "session"]), id: z.string() });
const deviceSchema = z.object({ id: z.string() });

const toHash = (secret: string | undefined): Buffer | null =>
  secret === undefined ? null : Buffer.from(hashSecret(secret));

/**
 * Returns the subject to count wrong PINs for: the trusted device, or the active session if its device is unknown.
 * @returns null for an unknown browser.
 */
export async function findTrustedSubject(
  { database }: Context,
  walletUserId: string | undefined,
  { device, session }: PresentedCookies,
): Promise<PinSubject | null> {
  const subject = await queryFirstRow(
    database.pool,
    subjectSchema,
    `SELECT 'device' AS kind, id FROM wallet_devices
     WHERE token_hash = $1 AND wallet_user_id = $3 AND expires_at > clock_timestamp()
     UNION ALL
     SELECT CASE WHEN device_id IS NULL THEN 'session' ELSE 'device' END, coalesce(device_id, id) FROM wallet_sessions
     WHERE token_hash = $2 AND wallet_user_id = $3 AND revoked_at IS NULL AND expires_at > clock_timestamp()
     LIMIT 1`,
    [toHash(device), toHash(session), walletUserId ?? UNKNOWN_VISITOR],
  );
  return subject ?? null;
}

/** Trusts the device for the account. The device gets a new token for all its accounts, so that a token planted by someone else becomes useless. */
export async function trustDevice(
  { database }: Context,
  shopper: { id: string; mode: Mode },
  { device: presented, browser }: { device: string | undefined; browser: string },
): Promise<TrustedDevice> {
  const token = generateSecret("tgd_");
  const hash = toHash(token);
  return inTransaction(database.pool, async (client) => {
    // Serializes the account's sign-ins, so that concurrent sign-ins cannot exceed the device limit.
    await client.query("SELECT FROM wallet_users WHERE id = $1 FOR NO KEY UPDATE", [shopper.id]);
    await client.query(
      "UPDATE wallet_devices SET token_hash = $1 WHERE token_hash = $2 AND expires_at > clock_timestamp()",
      [hash, toHash(presented)],
    );
    const { id } = await queryOneRow(
      client,
      deviceSchema,
      `INSERT INTO wallet_devices (id, mode, wallet_user_id, token_hash, expires_at, browser)
       VALUES ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5), $6)
       ON CONFLICT (token_hash, wallet_user_id) DO UPDATE
         SET used_at = clock_timestamp(), expires_at = EXCLUDED.expires_at, browser = EXCLUDED.browser
       RETURNING id`,
      [randomUUID(), shopper.mode, shopper.id, hash, DEVICE_SECONDS, browser],
    );
    await client.query(
      `DELETE FROM wallet_devices WHERE id IN (
         SELECT id FROM wallet_devices WHERE wallet_user_id = $1 ORDER BY used_at DESC, id OFFSET $2)`,
      [shopper.id, MAX_DEVICES],
    );
    return { id, token, maxAgeSeconds: DEVICE_SECONDS };
  });
}

const recognizedSchema = z.object({ id: z.string(), name: z.string(), wallet_id: z.string() });

/** An account that has a passkey and has signed in on this device, with its wallet in the order's currency. */
export type RecognizedAccount = z.output<typeof recognizedSchema>;

/** After a PIN reset with only a phone number or e-mail address, the shopper must sign in first. */
const RECOGNIZED_ACCOUNT = `
  SELECT u.id, u.name, a.id AS wallet_id
  FROM wallet_devices d
  JOIN wallet_users u ON u.id = d.wallet_user_id AND u.mode = d.mode AND u.active AND u.pin_reset_at IS NULL
  JOIN accounts a ON a.wallet_user_id = u.id AND a.mode = u.mode AND a.kind = 'shopper' AND a.currency = $3 AND a.closed_at IS NULL
  WHERE d.token_hash = $1 AND d.mode = $2::mode AND d.expires_at > clock_timestamp()
    AND EXISTS (SELECT FROM wallet_passkeys p WHERE p.wallet_user_id = u.id AND p.revoked_at IS NULL)
  ORDER BY d.used_at DESC LIMIT 1`;

/** Finds the account that may confirm a payable order by passkey without signing in; null if there is none, or a shopper is signed in. */
export async function recognizeDevice(
  { database: { pool } }: Context,
  { order, shopper }: Pick<Checkout, "order" | "shopper">,
  device: string | undefined,
): Promise<RecognizedAccount | null> {
  if (shopper !== null || device === undefined || order.status !== "PENDING") return null;
  const values = [Buffer.from(hashSecret(device)), order.mode, order.currency];
  return (await queryFirstRow(pool, recognizedSchema, RECOGNIZED_ACCOUNT, values)) ?? null;
}

/**
 * Returns the checkout with the recognized account as its shopper; null if no account is recognized. The balance is a placeholder, because a device
 * alone must not reveal the real balance, which the payment checks.
 */
export async function withDeviceShopper(
  context: Context,
  checkout: Checkout,
  device: string | undefined,
): Promise<(Checkout & { shopper: Shopper }) | null> {
  const recognised = await recognizeDevice(context, checkout, device);
  if (recognised === null) return null;
  const { order, currency } = checkout;
  const { id, name, wallet_id: walletId } = recognised;
  const price = { amount: order.amount, rate: null };
  return {
    ...checkout,
    shopper: {
      ...{ id, name, deviceId: null, wrongPinsElsewhere: false, pinFresh: false, passkeys: 1 },
      ...{ passkeyAdded: false, shared: false, rotationDue: false, hidden: true },
    },
    wallets: [{ id: walletId, currency, balance: order.amount, closed: false, hidden: true, price }],
    offer: null,
  };
}
