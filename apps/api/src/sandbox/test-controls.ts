import {
  type CreateTestControlRequest,
  ErrorCode,
  MAX_TEST_CONTROLS,
  TEST_CONTROLS,
  TEST_RECEIVER_PATH,
} from "@tillgate/contract";
import { inTransaction, queryOneRow, queryRows } from "@tillgate/service";
import { type ReceivedHeaders, verifyWebhook } from "@tillgate/webhooks";
import { z } from "zod";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { unsealEndpointKeys } from "../events/endpoints/read.js";
import { readClock } from "../platform/database-clock.js";
import { isIssuedId } from "../platform/ids.js";
import { IS_USABLE_CONTROL } from "../platform/test-controls.js";

export type StoredControl = z.output<typeof rowSchema>;

const rowSchema = z.object({
  id: z.uuid(),
  control: z.enum(TEST_CONTROLS),
  remaining: z.int(),
  seconds: z.int(),
  createdAt: z.date(),
  expiresAt: z.date(),
});

const COLUMNS = `id, control, remaining, seconds, created_at AS "createdAt", expires_at AS "expiresAt"`;

const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('test controls of ' || $1, 0))::text";
const COUNT = `SELECT count(*)::int AS count FROM test_controls WHERE merchant_id = $1 AND ${IS_USABLE_CONTROL}`;
const CREATE = `INSERT INTO test_controls (merchant_id, control, remaining, seconds) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`;
const LIST = `SELECT ${COLUMNS} FROM test_controls WHERE merchant_id = $1 AND ${IS_USABLE_CONTROL} ORDER BY created_at, id`;

/**
 * Creates a test control. Other processes may ignore controls of calls and payouts until the merchant's cached credential expires.
 * @throws OperationError TooManyTestControls.
 */
export async function createTestControl(
  context: Context,
  merchantId: string,
  { control, count, seconds }: CreateTestControlRequest,
): Promise<StoredControl> {
  const created = await inTransaction(context.database.pool, async (client) => {
    // Serializes the merchant's calls, so that concurrent calls cannot exceed the control limit.
    await client.query(LOCK, [merchantId]);
    const { count: others } = await queryOneRow(client, z.object({ count: z.int() }), COUNT, [merchantId]);
    if (others >= MAX_TEST_CONTROLS) throw new OperationError(ErrorCode.TooManyTestControls);
    return queryOneRow(client, rowSchema, CREATE, [merchantId, control, count, seconds]);
  });
  context.memory.controlled.set(merchantId, performance.now() + context.config.credentialCacheMs);
  return created;
}

export const listTestControls = (
  { database }: Pick<Context, "database">,
  merchantId: string,
): Promise<StoredControl[]> => queryRows(database.pool, rowSchema, LIST, [merchantId]);

const CLEAR = `WITH over AS (UPDATE test_controls SET remaining = 0 WHERE merchant_id = $1 AND ${IS_USABLE_CONTROL} RETURNING id)
  SELECT count(*)::int AS count FROM over`;

// Makes held webhooks due. An active lease stays, because its attempt is in progress.
const RELEASE = `
  UPDATE deliveries SET held_seconds = 0, next_attempt_at = clock_timestamp()
  WHERE merchant_id = $1 AND mode = 'sandbox' AND status = 'pending' AND attempt_count = 0
    AND test_control IN ('delivery_late', 'delivery_reversed')`;

/** Clears a merchant's controls. Held webhooks become due immediately. @returns the number of controls that were active. */
export const clearTestControls = (
  { database }: Pick<Context, "database">,
  merchantId: string,
): Promise<number> =>
  inTransaction(database.pool, async (client) => {
    const { count } = await queryOneRow(client, z.object({ count: z.int() }), CLEAR, [merchantId]);
    await client.query(RELEASE, [merchantId]);
    return count;
  });

/** @returns whether the webhook is signed with the secret of an endpoint that the merchant created for the test receiver. */
export async function receiveTestWebhook(
  { database: { pool, prisma }, keyring }: Context,
  merchantId: string,
  { headers, body }: { headers: ReceivedHeaders; body: Uint8Array },
): Promise<boolean> {
  if (!isIssuedId(merchantId)) return false;
  const receivers = await prisma.receiver.findMany({
    where: {
      merchantId,
      mode: "sandbox",
      removedAt: null,
      address: { endsWith: `${TEST_RECEIVER_PATH}/${merchantId}` },
    },
  });
  const keys = receivers.flatMap((receiver) => unsealEndpointKeys(receiver, keyring).keys);
  const nowSeconds = Math.floor((await readClock(pool)).getTime() / 1_000);
  return verifyWebhook({ headers, body, keys, nowSeconds }).status === "ok";
}
