import { callOne, ledger } from "@tillgate/database";
import { inTransaction, queryOneRow } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";
import type { Config } from "../config.js";
import { PARTITION_RETENTION_DAYS } from "../events/outbox/limits.js";

export const PRUNE_INTERVAL_MS = 600_000;
/** Pause between transactions, so that pruning does not slow down payments. */
export const PRUNE_PAUSE_MS = 100;
/** Rows of each kind that are deleted per transaction. */
const PRUNE_BATCH = 1_000;
/** Retention after a row's expiry; for settled digests, after their creation. */
const EXPIRED_RETENTION_DAYS = 7;

/** Retention of ledger proofs and backup reports, in days. */
const PROOF_RETENTION_DAYS = 90;
/** Short, because unconfirmed bulk payouts contain personal data. */
const UNCONFIRMED_RETENTION_DAYS = 30;

// Only one process prunes at a time. The lock is released at the end of the transaction.
const PRUNE_LOCK = "SELECT pg_try_advisory_xact_lock(hashtext('tillgate pruning')) AS locked";

// Keeps attempts of pending deliveries, however old, because they explain why the delivery is pending.
const PRUNE_ATTEMPTS = `
  DELETE FROM attempts WHERE id IN (
    SELECT a.id FROM attempts a JOIN deliveries d ON d.id = a.delivery_id
    WHERE a.started_at < now() - $1 * interval '1 day' AND d.status IN ('delivered', 'failed')
    ORDER BY a.started_at LIMIT $2)`;

/** Returns SQL that deletes a batch of old rows. @param time the column that a row's age is counted from. */
const deleteOld = (table: string, key: string, time: string, only = "true"): string => `
  DELETE FROM ${table} WHERE ${key} IN (
    SELECT ${key} FROM ${table} WHERE ${time} < now() - $1 * interval '1 day' AND ${only} ORDER BY ${time} LIMIT $2)`;

const PRUNE_TIMELINES = deleteOld("timeline_entries", "id", "created_at");
const PRUNE_LANES = deleteOld("delivery_lanes", "id", "changed_at");
const PRUNE_LOOKUP_TOKENS = deleteOld("lookup_tokens", "id", "expires_at");
const PRUNE_SESSIONS = deleteOld("wallet_sessions", "id", "expires_at");
const PRUNE_CONSOLE_SESSIONS = deleteOld("console_sessions", "id", "expires_at");
const PRUNE_CONSOLE_LINKS = deleteOld("console_links", "id", "expires_at");
const PRUNE_DIGESTS = deleteOld("digest_mails", "id", "created_at", "status <> 'waiting'");
const PRUNE_DEVICES = deleteOld("wallet_devices", "id", "expires_at");
const PRUNE_QUOTES = deleteOld("quotes", "id", "expires_at", "used_at IS NULL");
const PRUNE_SHOPPER_QUOTES = deleteOld("shopper_quotes", "id", "expires_at", "used_at IS NULL");
const PRUNE_CONVERSIONS = deleteOld("conversions", "id", "expires_at", "used_at IS NULL");
const PRUNE_CHALLENGES = deleteOld("payment_challenges", "id", "expires_at");
const PRUNE_TEST_CONTROLS = deleteOld("test_controls", "id", "expires_at");
const PRUNE_REPLAYS = deleteOld("replays", "id", "ended_at");
// Keeps the newest row, however old, because an alert on its age would otherwise stop if no further rows are written.
const PRUNE_PROOFS = deleteOld(
  "ledger_proofs",
  "id",
  "requested_at",
  "finished_at < (SELECT max(finished_at) FROM ledger_proofs)",
);
const PRUNE_BACKUP_REPORTS = deleteOld(
  "backup_reports",
  "id",
  "finished_at",
  "finished_at < (SELECT max(finished_at) FROM backup_reports)",
);
const PRUNE_BULK_PAYOUTS = deleteOld("payout_batches", "id", "created_at", "confirmed_at IS NULL");

// Deletes in order of ID, which is also the order of time, so no index on the time is needed.
const PRUNE_REQUESTS = `
  DELETE FROM api_requests WHERE id IN (
    SELECT id FROM (SELECT id, at FROM api_requests ORDER BY id LIMIT $2) AS oldest WHERE at < now() - $1 * interval '1 day')`;

type PruneOptions = {
  pool: pg.Pool;
  config: Pick<Config, "attemptRetentionDays" | "eventRetentionDays" | "requestRetentionDays">;
  batch?: number;
};

const lockSchema = z.object({ locked: z.boolean() });

/** `more`: a batch was full, so there may be more to delete. */
export type Pruned = { deleted: number; more: boolean };

/**
 * Deletes a batch of old rows of each kind, unless another process is pruning. Used quotes, orders, refunds, payouts and the ledger are never
 * deleted.
 */
export async function prune({ pool, config, batch = PRUNE_BATCH }: PruneOptions): Promise<Pruned> {
  return inTransaction(pool, async (client) => {
    const { locked } = await queryOneRow(client, lockSchema, PRUNE_LOCK);
    if (!locked) return { deleted: 0, more: false };
    const counts = [
      await callOne(client, ledger.pruneEvents, { days: config.eventRetentionDays, limit: batch }),
    ];
    for (const [statement, days] of [
      [PRUNE_ATTEMPTS, config.attemptRetentionDays],
      [PRUNE_TIMELINES, config.eventRetentionDays],
      [PRUNE_REPLAYS, config.eventRetentionDays],
      [PRUNE_LANES, PARTITION_RETENTION_DAYS],
      [PRUNE_REQUESTS, config.requestRetentionDays],
      [PRUNE_LOOKUP_TOKENS, EXPIRED_RETENTION_DAYS],
      [PRUNE_SESSIONS, EXPIRED_RETENTION_DAYS],
      [PRUNE_CONSOLE_SESSIONS, EXPIRED_RETENTION_DAYS],
      [PRUNE_CONSOLE_LINKS, EXPIRED_RETENTION_DAYS],
      [PRUNE_DIGESTS, EXPIRED_RETENTION_DAYS],
      [PRUNE_DEVICES, EXPIRED_RETENTION_DAYS],
      [PRUNE_QUOTES, EXPIRED_RETENTION_DAYS],
      [PRUNE_SHOPPER_QUOTES, EXPIRED_RETENTION_DAYS],
      [PRUNE_CONVERSIONS, EXPIRED_RETENTION_DAYS],
      [PRUNE_CHALLENGES, EXPIRED_RETENTION_DAYS],
      [PRUNE_TEST_CONTROLS, EXPIRED_RETENTION_DAYS],
      [PRUNE_BULK_PAYOUTS, UNCONFIRMED_RETENTION_DAYS],
      [PRUNE_PROOFS, PROOF_RETENTION_DAYS],
      [PRUNE_BACKUP_REPORTS, PROOF_RETENTION_DAYS],
    ] as const)
      counts.push((await client.query(statement, [days, batch])).rowCount ?? 0);
    return {
      deleted: counts.reduce((sum, count) => sum + count, 0),
      more: counts.some((count) => count === batch),
    };
  });
}
