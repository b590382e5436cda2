import type pg from "pg";
import { z } from "zod";
import { hostOf } from "./host-of.js";

/** A pool, or a connection inside a transaction. */
type Queryable = Pick<pg.ClientBase, "query">;

const bytes = z.instanceof(Uint8Array);

// Due deliveries, oldest first, each to one relay only. `now()` and not `clock_timestamp()`: a volatile limit could not
// end the scan of the index, and every poll would read all waiting retries.
const CLAIM_DUE = `
  UPDATE deliveries d SET status = 'queued'
  WHERE id IN (SELECT id FROM deliveries WHERE status = 'pending' AND next_attempt_at <= now()
               ORDER BY next_attempt_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING id, coalesce((SELECT address FROM receivers r WHERE r.id = d.receiver_id), address) AS address,
    attempt_count - attempts_before AS "tries",
    (SELECT e.merchant_id || ' ' || e.mode FROM events e WHERE e.id = d.event_id) AS owner`;

const claimedSchema = z.array(
  z.object({
    id: z.uuid(),
    address: z.string(),
    /** Attempts made since it was first sent or last sent again. */
    tries: z.int(),
    /** Merchant and mode. */
    owner: z.string(),
  }),
);

export type ClaimedDelivery = z.output<typeof claimedSchema>[number];

/** Marks up to `limit` due deliveries as queued; the caller inserts their jobs in the same transaction. */
export async function claimDue(client: Queryable, limit: number): Promise<ClaimedDelivery[]> {
  return claimedSchema.parse((await client.query(CLAIM_DUE, [limit])).rows);
}

const HOSTS = "SELECT host, prompt FROM delivery_hosts WHERE host = ANY ($1)";

/** Which of these hosts answered promptly when they were last heard of, and which hung; unknown ones are left out. */
export async function readHosts(client: Queryable, hosts: string[]): Promise<Map<string, boolean>> {
  const { rows } = await client.query(HOSTS, [hosts]);
  const known = z.array(z.object({ host: z.string(), prompt: z.boolean() })).parse(rows);
  return new Map(known.map(({ host, prompt }) => [host, prompt]));
}

// Everything an attempt needs. An endpoint's deliveries go where its merchant says now, so that a corrected address
// helps what already waits. An order's own callback_url is signed with the live secrets (two during a rotation) of
// the client that made the order or, when it has none, of the merchant's newest active client of the mode.
const READ_QUEUED = `
  SELECT d.id, d.mode, coalesce(r.address, d.address) AS address, d.attempt_count AS "attemptCount",
         d.attempts_before AS "attemptsBefore", e.id AS "eventId", e.name AS "eventName", e.body,
         r.id AS "receiverId", r.secret_ciphertext AS "receiverCiphertext", r.encryption_key_id AS "receiverKeyId",
         CASE WHEN r.previous_secret_expires_at > now() THEN r.previous_secret_ciphertext END AS "previousCiphertext",
         CASE WHEN r.previous_secret_expires_at > now() THEN r.previous_encryption_key_id END AS "previousKeyId",
         CASE WHEN r.removed_at IS NOT NULL THEN 'removed' WHEN r.disabled_at IS NOT NULL THEN 'disabled'
              WHEN r.paused_at IS NOT NULL THEN 'paused' ELSE 'active' END AS "receiverState",
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
  WHERE d.id = ANY ($1) AND d.status = 'queued'`;

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
  id: z.uuid(),
  mode: z.enum(["sandbox", "live"]),
  address: z.string(),
  attemptCount: z.int(),
  /** Attempts made before the delivery was last sent again. */
  attemptsBefore: z.int(),
  eventId: z.string(),
  eventName: z.string(),
  body: z.string(),
  receiverId: z.uuid().nullable(),
  receiverCiphertext: bytes.nullable(),
  receiverKeyId: z.string().nullable(),
  /** The secret before a rotation, while it still signs. */
  previousCiphertext: bytes.nullable(),
  previousKeyId: z.string().nullable(),
  /** `active` for an order's own callback_url. */
  receiverState: z.enum(["active", "paused", "disabled", "removed"]),
  clientSecrets: z.array(clientSecretSchema).nullable(),
});

export type QueuedDelivery = z.output<typeof queuedSchema>;

/** The deliveries of these ids that wait for a worker, by id; those that another has settled are left out. */
export async function readQueued(client: Queryable, ids: string[]): Promise<Map<string, QueuedDelivery>> {
  const { rows } = await client.query(READ_QUEUED, [ids]);
  return new Map(rows.map((row) => queuedSchema.parse(row)).map((delivery) => [delivery.id, delivery]));
}

// In the order of the rows, so that two workers take the rows of hosts and receivers in one order.
const SETTLE = `
  SELECT id, settle_attempt(id, number, status::delivery_status, "nextDelayMs", "givenUpBecause", address, host, "startedAt",
    "latencyMs", "httpStatus", "errorKind", "answerStart", "requestHeaders") AS settled
  FROM json_to_recordset($1) AS s (id uuid, number int, status text, "nextDelayMs" float8, "givenUpBecause" text, address text,
    host text, "startedAt" timestamptz, "latencyMs" int, "httpStatus" int, "errorKind" text, "answerStart" text, "requestHeaders" json)`;

const settledSchema = z.array(z.object({ id: z.uuid(), settled: z.boolean() }));

/** Why a delivery is given up. */
export type GivenUpBecause = "attempts_over" | "gone" | "receiver_disabled" | "receiver_removed";

export type Settlement = {
  deliveryId: string;
  /** The attempt's number, from 1. */
  number: number;
  status: "delivered" | "failed" | "pending";
  /** For `pending`: how long until the next attempt, in milliseconds. */
  nextDelayMs: number;
  /** For `failed`. */
  givenUpBecause: GivenUpBecause | null;
  /** Where it was sent, and to which of the merchant's endpoints, if to one. */
  address: string;
  receiverId: string | null;
  startedAt: Date;
  latencyMs: number;
  httpStatus: number | null;
  errorKind: string | null;
  answerStart: string | null;
  /** Without signatures. */
  requestHeaders: Record<string, string>;
};

/**
 * Records attempts, settles their deliveries and keeps the health of their receivers, with the entry in the merchant's
 * timeline when a streak of failures warns or ends.
 * @returns the ids of those that were not settled by another worker before.
 */
export async function settleAttempts(
  client: Queryable,
  settlements: readonly Settlement[],
): Promise<ReadonlySet<string>> {
  if (settlements.length === 0) return new Set();
  const rows = settlements
    .map(({ deliveryId, ...settlement }) => ({
      ...settlement,
      id: deliveryId,
      host: hostOf(settlement.address),
    }))
    .sort((a, b) => compare(a.host, b.host) || compare(a.receiverId ?? "", b.receiverId ?? ""));
  const answered = await client.query(SETTLE, [JSON.stringify(rows)]);
  return new Set(
    settledSchema
      .parse(answered.rows)
      .filter(({ settled }) => settled)
      .map(({ id }) => id),
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

// For an attempt that was not made, or was given up because the process ends: it does not count.
const PUT_BACK = `
  UPDATE deliveries SET status = 'pending', next_attempt_at = clock_timestamp()
  WHERE id = $1 AND status = 'queued' AND attempt_count = $2`;

/** Lets another worker make the attempt now. `attemptCount` is the count before it. */
export async function putBack(client: Queryable, deliveryId: string, attemptCount: number): Promise<void> {
  await client.query(PUT_BACK, [deliveryId, attemptCount]);
}

// For a receiver that was disabled or removed after the delivery was made.
const GIVE_UP = `
  UPDATE deliveries SET status = 'failed', given_up_because = $2, settled_at = clock_timestamp()
  WHERE id = $1 AND status = 'queued'`;

/** Ends a delivery without an attempt. */
export async function giveUp(client: Queryable, deliveryId: string, because: GivenUpBecause): Promise<void> {
  await client.query(GIVE_UP, [deliveryId, because]);
}

/** Lets a delivery wait until its paused receiver is resumed. @returns false when it was resumed meanwhile. */
export async function holdDelivery(client: Queryable, deliveryId: string): Promise<boolean> {
  const { rows } = await client.query("SELECT hold_delivery($1) AS held", [deliveryId]);
  return z.tuple([z.object({ held: z.boolean() })]).parse(rows)[0].held;
}

/**
 * Lets up to `limit` waiting deliveries of one receiver follow the state it was given: held, given up or due again.
 * @returns how many did; null when no receiver waits for it.
 */
export async function followReceiverState(client: Queryable, limit: number): Promise<number | null> {
  const { rows } = await client.query("SELECT follow_receiver_state($1) AS followed", [limit]);
  return z.tuple([z.object({ followed: z.int().nullable() })]).parse(rows)[0].followed;
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
