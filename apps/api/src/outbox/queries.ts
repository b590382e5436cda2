import type pg from "pg";
import { z } from "zod";

/** A pool, or a connection inside a transaction. */
type Queryable = Pick<pg.ClientBase, "query">;

const bytes = z.instanceof(Uint8Array);

// Due deliveries, oldest first, each to one relay only. `now()` and not `clock_timestamp()`: a volatile limit could not
// end the scan of the index, and every poll would read all waiting retries.
const CLAIM_DUE = `
  UPDATE deliveries SET status = 'queued'
  WHERE id IN (SELECT id FROM deliveries WHERE status = 'pending' AND next_attempt_at <= now()
               ORDER BY next_attempt_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING id, address, attempt_count AS "attemptCount"`;

const claimedSchema = z.array(z.object({ id: z.uuid(), address: z.string(), attemptCount: z.int() }));

export type ClaimedDelivery = z.output<typeof claimedSchema>[number];

/** Marks up to `limit` due deliveries as queued; the caller inserts their jobs in the same transaction. */
export async function claimDue(client: Queryable, limit: number): Promise<ClaimedDelivery[]> {
  return claimedSchema.parse((await client.query(CLAIM_DUE, [limit])).rows);
}

// Everything an attempt needs. An order's own callback_url is signed with the live secrets (two during a rotation) of
// the client that made the order or, when it has none, of the merchant's newest active client of the mode.
const READ_QUEUED = `
  SELECT d.mode, d.address, d.attempt_count AS "attemptCount", e.id AS "eventId", e.name AS "eventName", e.body,
         r.id AS "receiverId", r.secret_ciphertext AS "receiverCiphertext", r.encryption_key_id AS "receiverKeyId",
         r.disabled_at IS NOT NULL AS "receiverDisabled",
         c.secrets AS "clientSecrets"
  FROM deliveries d
  JOIN events e ON e.id = d.event_id
  LEFT JOIN receivers r ON r.id = d.receiver_id
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('credentialId', k.id, 'ciphertext', encode(k.secret_ciphertext, 'base64'),
             'keyId', k.encryption_key_id, 'ends', k.expires_at IS NOT NULL, 'used', k.last_used_at IS NOT NULL)
             ORDER BY k.created_at, k.id) AS secrets
    FROM credentials k
    WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND k.client_id = (
      SELECT client_id FROM credentials
      WHERE d.credential_id IS NOT NULL AND merchant_id = e.merchant_id AND mode = d.mode AND kind = 'client'
        AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
      ORDER BY (client_id = (SELECT client_id FROM credentials WHERE id = d.credential_id)) DESC, created_at DESC, id LIMIT 1)
  ) c ON true
  WHERE d.id = $1 AND d.status = 'queued'`;

const clientSecretSchema = z.object({
  credentialId: z.uuid(),
  ciphertext: z.string().transform((base64) => new Uint8Array(Buffer.from(base64, "base64"))),
  keyId: z.string(),
  /** Whether it is the old secret of a rotation. */
  ends: z.boolean(),
  /** Whether it has authenticated a call. */
  used: z.boolean(),
});

const queuedSchema = z.object({
  mode: z.enum(["sandbox", "live"]),
  address: z.string(),
  attemptCount: z.int(),
  eventId: z.string(),
  eventName: z.string(),
  body: z.string(),
  receiverId: z.uuid().nullable(),
  receiverCiphertext: bytes.nullable(),
  receiverKeyId: z.string().nullable(),
  receiverDisabled: z.boolean(),
  clientSecrets: z.array(clientSecretSchema).nullable(),
});

export type QueuedDelivery = z.output<typeof queuedSchema>;

/** A delivery that waits for a worker; undefined when another has settled it. */
export async function readQueued(client: Queryable, deliveryId: string): Promise<QueuedDelivery | undefined> {
  const [row] = (await client.query(READ_QUEUED, [deliveryId])).rows;
  return row === undefined ? undefined : queuedSchema.parse(row);
}

// The attempt and what it makes of the delivery, together. Whoever comes second finds the delivery settled or its
// count moved on, and writes nothing. 410 also disables the merchant's endpoint.
const SETTLE = `
  WITH settled AS (
    UPDATE deliveries SET
      status = $3::delivery_status,
      attempt_count = $2,
      next_attempt_at = CASE WHEN $3 = 'pending' THEN clock_timestamp() + $4 * interval '1 millisecond' ELSE next_attempt_at END,
      settled_at = CASE WHEN $3 = 'pending' THEN NULL ELSE clock_timestamp() END
    WHERE id = $1 AND status = 'queued' AND attempt_count = $2 - 1
    RETURNING id, receiver_id),
  disabled AS (
    UPDATE receivers SET disabled_at = clock_timestamp()
    WHERE $7 = 410 AND disabled_at IS NULL AND id IN (SELECT receiver_id FROM settled))
  INSERT INTO attempts (delivery_id, number, started_at, latency_ms, http_status, error_kind, answer_start, request_headers)
    SELECT id, $2, $5, $6, $7, $8, $9, $10 FROM settled`;

export type Settlement = {
  deliveryId: string;
  /** The attempt's number, from 1. */
  number: number;
  status: "delivered" | "failed" | "pending";
  /** For `pending`: how long until the next attempt, in milliseconds. */
  nextDelayMs: number;
  startedAt: Date;
  latencyMs: number;
  httpStatus: number | null;
  errorKind: string | null;
  answerStart: string | null;
  /** Without signatures. */
  requestHeaders: Record<string, string>;
};

/** Records an attempt and settles its delivery. @returns false when the attempt was settled by another worker. */
export async function settleAttempt(client: Queryable, s: Settlement): Promise<boolean> {
  const { rowCount } = await client.query(SETTLE, [
    s.deliveryId,
    s.number,
    s.status,
    s.nextDelayMs,
    s.startedAt,
    s.latencyMs,
    s.httpStatus,
    s.errorKind,
    s.answerStart,
    JSON.stringify(s.requestHeaders),
  ]);
  return rowCount === 1;
}

// For an attempt that was given up because the process ends: it does not count.
const PUT_BACK = `
  UPDATE deliveries SET status = 'pending', next_attempt_at = clock_timestamp()
  WHERE id = $1 AND status = 'queued' AND attempt_count = $2`;

/** Lets another worker make the attempt now. `attemptCount` is the count before it. */
export async function putBack(client: Queryable, deliveryId: string, attemptCount: number): Promise<void> {
  await client.query(PUT_BACK, [deliveryId, attemptCount]);
}

// For a receiver that was disabled after the delivery was made.
const GIVE_UP = `
  UPDATE deliveries SET status = 'failed', settled_at = clock_timestamp() WHERE id = $1 AND status = 'queued'`;

/** Ends a delivery without an attempt. */
export async function giveUp(client: Queryable, deliveryId: string): Promise<void> {
  await client.query(GIVE_UP, [deliveryId]);
}

// Queued deliveries whose job is gone or over (its worker died too often, or the queue was emptied). One process at a
// time: the lock is free again at the end of the transaction. The only place that reads a table of pg-boss: its own
// calls look up one job at a time.
const SWEEP_LOCK =
  "SELECT pg_try_advisory_xact_lock(hashtext('tillgate sweep of lost deliveries')) AS locked";
const REQUEUE_LOST = `
  UPDATE deliveries SET status = 'pending'
  WHERE id IN (
    SELECT d.id FROM deliveries d
    WHERE d.status = 'queued' AND d.next_attempt_at < now() - $2 * interval '1 second'
      AND NOT EXISTS (SELECT FROM pgboss.job j WHERE j.name = $1 AND j.id = d.id AND j.state IN ('created', 'retry', 'active'))
    ORDER BY d.next_attempt_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING id`;

/** Makes queued deliveries without a live job pending again, due at once. @returns their ids. */
export async function requeueLost(
  client: Queryable,
  { queue, afterSeconds, limit }: { queue: string; afterSeconds: number; limit: number },
): Promise<string[]> {
  const { rows } = await client.query(SWEEP_LOCK);
  if (!z.tuple([z.object({ locked: z.boolean() })]).parse(rows)[0].locked) return [];
  const lost = await client.query(REQUEUE_LOST, [queue, afterSeconds, limit]);
  return z
    .array(z.object({ id: z.uuid() }))
    .parse(lost.rows)
    .map(({ id }) => id);
}
