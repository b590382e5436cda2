import { DELIVERY_CONTROLS, type GivenUpReason } from "@tillgate/contract";
import { callEach, callOne, ledger } from "@tillgate/database";
import { type Queryable, queryRows } from "@tillgate/service";
import { z } from "zod";
import { hostForLog } from "./address-guard.js";

const bytes = z.instanceof(Uint8Array);

// Deliveries to an endpoint go to its current URL, so that a corrected URL also applies to waiting deliveries. A callback_url is signed with the
// active secrets of the client that created the order or, if it has none, of the merchant's newest active client in the mode.
const READ_LEASED = `
  SELECT d.id, d.mode, d.queue_id AS "queueId", clock_timestamp() AS "readAt", coalesce(r.address, d.address) AS address, d.attempt_count AS "attemptCount",
         d.attempts_before AS "attemptsBefore", d.in_backlog AS "inBacklog", e.id AS "eventId", e.name AS "eventName", e.body, coalesce(o.traceparent, y.traceparent) AS traceparent, p.id AS "replayId",
         r.id AS "receiverId", r.secret_ciphertext AS "receiverCiphertext", r.encryption_key_id AS "receiverKeyId",
         CASE WHEN r.previous_secret_expires_at > now() THEN r.previous_secret_ciphertext END AS "previousCiphertext",
         CASE WHEN r.previous_secret_expires_at > now() THEN r.previous_encryption_key_id END AS "previousKeyId",
         CASE WHEN r.removed_at IS NOT NULL THEN 'removed' WHEN r.disabled_at IS NOT NULL THEN 'disabled'
              WHEN r.paused_at IS NOT NULL THEN 'paused' ELSE 'active' END AS "receiverState",
         c.secrets AS "clientSecrets", d.test_control AS "testControl", e.merchant_id AS "merchantId",
         d.mode = 'sandbox' AND d.attempt_count = 0 AND d.test_control IS NULL AND EXISTS (
           SELECT FROM test_controls t WHERE t.merchant_id = e.merchant_id AND t.remaining > 0) AS controlled
  FROM deliveries d
  JOIN events e ON e.id = d.event_id
  LEFT JOIN orders o ON o.id = e.order_id
  LEFT JOIN payouts y ON y.id = e.payout_id
  LEFT JOIN receivers r ON r.id = d.receiver_id
  LEFT JOIN replays p ON p.delivery_id = d.id AND p.state = 'running'
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
  WHERE d.id = ANY ($1) AND d.leased_by = $2`;

const clientSecretSchema = z.object({
  credentialId: z.uuid(),
  ciphertext: z.string().transform((base64) => new Uint8Array(Buffer.from(base64, "base64"))),
  keyId: z.string(),
  /** Whether this is the old secret of a rotation. */
  ends: z.boolean(),
  /** Whether the secret has authenticated a call. */
  used: z.boolean(),
});

const leasedSchema = z.object({
  id: z.uuid(),
  mode: z.enum(["sandbox", "live"]),
  queueId: z.guid(),
  /** Database time of the read. */
  readAt: z.date(),
  address: z.string(),
  attemptCount: z.int(),
  /** Attempts before the delivery was last resent. */
  attemptsBefore: z.int(),
  /** Whether the delivery is sent after new deliveries, because it was resent in bulk or belongs to a replay. */
  inBacklog: z.boolean(),
  eventId: z.string(),
  eventName: z.string(),
  body: z.string(),
  /** Trace context of the call that created the order or payout, if it was sampled. */
  traceparent: z.string().nullable(),
  replayId: z.uuid().nullable(),
  receiverId: z.uuid().nullable(),
  receiverCiphertext: bytes.nullable(),
  receiverKeyId: z.string().nullable(),
  /** The previous secret during a rotation. */
  previousCiphertext: bytes.nullable(),
  previousKeyId: z.string().nullable(),
  /** `active` for a callback_url. */
  receiverState: z.enum(["active", "paused", "disabled", "removed"]),
  clientSecrets: z.array(clientSecretSchema).nullable(),
  testControl: z.enum(DELIVERY_CONTROLS).nullable(),
  merchantId: z.uuid(),
  /** Whether a test control may apply to the delivery's first attempt. */
  controlled: z.boolean(),
});

export type LeasedDelivery = z.output<typeof leasedSchema>;

/** Returns only deliveries whose lease the worker still holds. */
export const readLeasedDeliveries = (
  client: Queryable,
  ids: readonly string[],
  worker: string,
): Promise<LeasedDelivery[]> => queryRows(client, leasedSchema, READ_LEASED, [ids, worker]);

export type Settlement = {
  deliveryId: string;
  /** Number of the attempt, from 1. */
  number: number;
  status: "delivered" | "failed" | "pending";
  /** For `pending`: delay until the next attempt, in milliseconds. */
  nextDelayMs: number;
  /** Why the delivery is abandoned, for `failed`. */
  givenUpBecause: GivenUpReason | null;
  /** The URL that the attempt was sent to. */
  address: string;
  queueId: string;
  startedAt: Date;
  latencyMs: number;
  httpStatus: number | null;
  errorKind: string | null;
  answerStart: string | null;
  /** The request's headers, without the signatures. */
  requestHeaders: Record<string, string>;
};

/** Records attempts. @returns the IDs of the deliveries, without those that another worker has already settled. */
export async function settleAttempts(
  client: Queryable,
  settlements: readonly Settlement[],
): Promise<ReadonlySet<string>> {
  if (settlements.length === 0) return new Set();
  // Sorted, so that two workers lock endpoints and queues in the same order.
  const sorted = settlements.toSorted((a, b) => (a.queueId < b.queueId ? -1 : a.queueId > b.queueId ? 1 : 0));
  const settledIds = await callEach(
    client,
    ledger.settleAttempt,
    sorted.map(({ deliveryId, queueId: _queueId, ...settlement }) => ({
      ...settlement,
      delivery: deliveryId,
      host: hostForLog(settlement.address),
      requestHeaders: JSON.stringify(settlement.requestHeaders),
    })),
  );
  return new Set(sorted.filter((_, at) => settledIds[at]).map(({ deliveryId }) => deliveryId));
}

const CLEAR_LEASE =
  "leased_by = NULL, leased_at = NULL, leased_until = NULL, leased_as = NULL, leased_host = NULL";

// Releases the lease of an attempt that was not made, or that was aborted at shutdown. That attempt does not count.
const RELEASE = `UPDATE deliveries SET ${CLEAR_LEASE} WHERE id = $1 AND leased_by = $2`;

export async function releaseDelivery(client: Queryable, deliveryId: string, worker: string): Promise<void> {
  await client.query(RELEASE, [deliveryId, worker]);
}

const POSTPONE = `
  UPDATE deliveries SET status = 'pending', next_attempt_at = clock_timestamp() + $3 * interval '1 millisecond', ${CLEAR_LEASE}
  WHERE id = ANY ($1) AND leased_by = $2`;

export async function postpone(
  client: Queryable,
  deliveryIds: readonly string[],
  worker: string,
  delayMs: number,
): Promise<void> {
  await client.query(POSTPONE, [deliveryIds, worker, delayMs]);
}

// Abandons a delivery that a test control drops, or whose endpoint was disabled or removed after the delivery was created.
const ABANDON = `
  UPDATE deliveries SET status = 'failed', given_up_because = $2, settled_at = clock_timestamp(), ${CLEAR_LEASE}
  WHERE id = $1 AND status = 'queued'`;

export async function abandonDelivery(
  client: Queryable,
  deliveryId: string,
  reason: GivenUpReason,
): Promise<void> {
  await client.query(ABANDON, [deliveryId, reason]);
}

/** Holds a delivery whose endpoint is paused. @returns false if the endpoint was resumed, or the delivery is no longer queued. */
export const holdDelivery = (client: Queryable, delivery: string): Promise<boolean> =>
  callOne(client, ledger.holdDelivery, { delivery });

/**
 * Updates up to `limit` waiting deliveries to their endpoint's state.
 * @returns the number of updated deliveries; null if no endpoint has deliveries to update.
 */
export const applyEndpointState = (client: Queryable, limit: number): Promise<number | null> =>
  callOne(client, ledger.followReceiverState, { limit });
