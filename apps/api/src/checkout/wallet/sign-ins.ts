import { ErrorCode } from "@tillgate/contract";
import { inTransaction, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { Shopper } from "../../identity/shoppers/read.js";
import { isIssuedId } from "../../platform/ids.js";
import { MAX_DEVICES } from "./devices.js";

const MAX_LISTED = 100;

const sessionSchema = z.object({
  id: z.string(),
  browser: z.string(),
  signedInAt: z.date(),
  expiresAt: z.date(),
  remembered: z.boolean(),
});
const deviceSchema = z.object({ id: z.string(), browser: z.string(), usedAt: z.date() });

export type SignIns = {
  sessions: z.output<typeof sessionSchema>[];
  devices: z.output<typeof deviceSchema>[];
};

const IS_ACTIVE = "wallet_user_id = $1 AND revoked_at IS NULL AND expires_at > clock_timestamp()";

export async function listSignIns(
  { database: { pool } }: Context,
  { id }: Pick<Shopper, "id">,
): Promise<SignIns> {
  const sessions = `
    SELECT s.id, coalesce(d.browser, '') AS browser, s.created_at AS "signedInAt", s.expires_at AS "expiresAt", s.remembered
    FROM (SELECT * FROM wallet_sessions WHERE ${IS_ACTIVE} ORDER BY created_at DESC, id LIMIT $2) AS s
    LEFT JOIN wallet_devices d ON d.id = s.device_id ORDER BY s.created_at DESC, s.id`;
  const devices = `
    SELECT id, browser, used_at AS "usedAt" FROM wallet_devices
    WHERE wallet_user_id = $1 AND expires_at > clock_timestamp() ORDER BY used_at DESC, id LIMIT $2`;
  return {
    sessions: await queryRows(pool, sessionSchema, sessions, [id, MAX_LISTED]),
    devices: await queryRows(pool, deviceSchema, devices, [id, MAX_DEVICES]),
  };
}

/** @throws OperationError SignInNotFound, including for another shopper's session or an ended session. */
export async function revokeSession(
  { database: { pool } }: Context,
  { id: shopperId }: Pick<Shopper, "id">,
  id: string,
): Promise<void> {
  const result = isIssuedId(id)
    ? await pool.query(
        `UPDATE wallet_sessions SET revoked_at = clock_timestamp() WHERE id = $2 AND ${IS_ACTIVE}`,
        [shopperId, id],
      )
    : null;
  if (!result?.rowCount) throw new OperationError(ErrorCode.SignInNotFound);
}

/** Stops trusting a device and ends its sessions. @throws OperationError SignInNotFound, including for another shopper's device. */
export async function forgetDevice(
  { database: { pool } }: Context,
  { id: shopperId }: Pick<Shopper, "id">,
  id: string,
): Promise<void> {
  if (!isIssuedId(id)) throw new OperationError(ErrorCode.SignInNotFound);
  await inTransaction(pool, async (client) => {
    await client.query(
      `UPDATE wallet_sessions SET revoked_at = clock_timestamp() WHERE device_id = $2 AND ${IS_ACTIVE}`,
      [shopperId, id],
    );
    const { rowCount } = await client.query(
      "DELETE FROM wallet_devices WHERE wallet_user_id = $1 AND id = $2",
      [shopperId, id],
    );
    if (!rowCount) throw new OperationError(ErrorCode.SignInNotFound);
  });
}

/** The sign-in that remains when a shopper's other sign-ins end; null for none. */
export type CurrentSignIn = { sessionId: string | null; deviceId: string | null };

/** Ends a shopper's sessions and removes the shopper's trusted devices, except the current sign-in. Runs in the caller's transaction. */
export async function endSignIns(
  execute: (sql: string, values: unknown[]) => Promise<unknown>,
  shopperId: string,
  { sessionId, deviceId }: CurrentSignIn,
): Promise<void> {
  await execute(
    "UPDATE wallet_sessions SET revoked_at = clock_timestamp() WHERE wallet_user_id = $1::uuid AND revoked_at IS NULL AND id IS DISTINCT FROM $2::uuid",
    [shopperId, sessionId],
  );
  await execute(
    "DELETE FROM wallet_devices WHERE wallet_user_id = $1::uuid AND id IS DISTINCT FROM $2::uuid",
    [shopperId, deviceId],
  );
}

/** Ends all sessions. Only the current device stays trusted, so that wrong PINs entered elsewhere cannot lock the shopper out on it. */
export const signOutEverywhere = (
  { database: { pool } }: Context,
  { id, deviceId }: Pick<Shopper, "id" | "deviceId">,
): Promise<void> =>
  inTransaction(pool, (client) =>
    endSignIns((sql, values) => client.query(sql, values), id, { sessionId: null, deviceId }),
  );
