import { firstRowOf, oneRowOf, rowsOf } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";

/** The waits after the first failed attempt, the second, … in milliseconds: a mail server may be away over a weekend. */
export const MAIL_STEPS_MS: readonly number[] = [1, 5, 15, 60, 180, 360, 720, 1_440, 1_440].map(
  (minutes) => minutes * 60_000,
);
/** The age from which a notice is not mailed any more, in hours, whether mail was configured or not. */
const MAX_AGE_HOURS = 96;
/** How many waiting deliveries are counted at most. */
export const MAX_COUNTED = 10_000;

// The conditional update decides the sender: of two workers one finds the row locked, or leased. A crash counts as an
// attempt.
const CLAIM = `
  UPDATE notice_mails SET attempts = attempts + 1, leased_by = $1, leased_until = clock_timestamp() + $2 * interval '1 millisecond'
  WHERE id = (
    SELECT id FROM notice_mails
    WHERE status = 'waiting' AND next_attempt_at <= clock_timestamp() AND (leased_until IS NULL OR leased_until <= clock_timestamp())
    ORDER BY next_attempt_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING id`;
const READ = `
  SELECT m.id, m.address AS "to", m.attempts, t.kind, t.mode, t.details, t.created_at AS "noticedAt", merchant.name AS "merchantName",
    r.id AS "receiverId", r.address AS "receiverAddress", r.removed_at IS NOT NULL AS removed, r.disabled_at IS NOT NULL AS disabled,
    r.failures_in_row > 0 AS failing,
    (SELECT count(*)::int FROM (SELECT FROM deliveries d WHERE d.receiver_id = r.id AND d.status IN ('pending', 'queued', 'held') LIMIT $2) AS counted) AS waiting
  FROM notice_mails m JOIN timeline_entries t ON t.id = m.notice_id JOIN receivers r ON r.id = t.receiver_id
    JOIN merchants merchant ON merchant.id = t.merchant_id
  WHERE m.id = $1`;
const OWN = "WHERE id = $1 AND leased_by = $2 AND status = 'waiting'";
const NO_LEASE = "leased_by = NULL, leased_until = NULL";
const SETTLE = `UPDATE notice_mails SET status = $3::mail_status, settled_at = clock_timestamp(), last_error = $4, ${NO_LEASE} ${OWN}`;
const POSTPONE = `
  UPDATE notice_mails SET next_attempt_at = clock_timestamp() + $3 * interval '1 millisecond', last_error = $4, ${NO_LEASE} ${OWN}`;
const DROP_OLD = `
  UPDATE notice_mails SET status = 'given_up', settled_at = clock_timestamp(), last_error = coalesce(last_error, 'too old'), ${NO_LEASE}
  WHERE status = 'waiting' AND created_at < clock_timestamp() - $1 * interval '1 hour'
    AND (leased_until IS NULL OR leased_until <= clock_timestamp())`;
const COUNT = "SELECT status::text, count(*)::int AS count FROM notice_mails GROUP BY status";

const noticeMailSchema = z.object({
  id: z.uuid(),
  to: z.string(),
  /** The one under way included. */
  attempts: z.int(),
  kind: z.enum(["receiver.warning", "receiver.disabled"]),
  mode: z.enum(["sandbox", "live"]),
  details: z.object({
    http_status: z.int().nullable().default(null),
    error_kind: z.string().nullable().default(null),
    reason: z.string().nullable().default(null),
    failing_since: z.string().nullable().default(null),
    disabled_from: z.string().nullable().default(null),
  }),
  noticedAt: z.date(),
  merchantName: z.string(),
  receiverId: z.uuid(),
  receiverAddress: z.string(),
  /** The endpoint now: it may have changed since the notice. */
  removed: z.boolean(),
  disabled: z.boolean(),
  failing: z.boolean(),
  /** {@link MAX_COUNTED} + 1 stands for more. */
  waiting: z.int(),
});

const claimedSchema = noticeMailSchema.pick({ id: true });
const countSchema = z.object({ status: z.enum(["waiting", "sent", "given_up"]), count: z.int() });

/** A notice on its way to one person, with the facts for the mail. */
export type NoticeMail = z.output<typeof noticeMailSchema>;

/** The worker that leases a mail. */
export type Lease = { id: string; worker: string };

/**
 * Leases the mail that has waited longest. If the worker crashes, the lease ends and another takes the mail.
 * @returns undefined when none is due.
 */
export async function claimNoticeMail(
  pool: pg.Pool,
  { worker, leaseMs }: { worker: string; leaseMs: number },
): Promise<NoticeMail | undefined> {
  const claimed = await firstRowOf(pool, claimedSchema, CLAIM, [worker, leaseMs]);
  return claimed && oneRowOf(pool, noticeMailSchema, READ, [claimed.id, MAX_COUNTED + 1]);
}

/** The mail server took it, or it is given up. @returns whether the lease was still the worker's. */
export async function settleNoticeMail(
  pool: pg.Pool,
  { id, worker }: Lease,
  status: "sent" | "given_up",
  lastError: string | null = null,
): Promise<boolean> {
  return (await pool.query(SETTLE, [id, worker, status, lastError])).rowCount === 1;
}

/** It waits for another attempt, so many milliseconds. */
export async function postponeNoticeMail(
  pool: pg.Pool,
  { id, worker }: Lease,
  delayMs: number,
  lastError: string | null,
): Promise<void> {
  await pool.query(POSTPONE, [id, worker, delayMs, lastError]);
}

/** Gives up old notices, so that they do not pile up where mail is not configured. @returns how many. */
export async function giveUpOldNoticeMails(pool: pg.Pool): Promise<number> {
  return (await pool.query(DROP_OLD, [MAX_AGE_HOURS])).rowCount ?? 0;
}

export type NoticeMailCounts = Record<z.output<typeof countSchema>["status"], number>;

/** How many mails there are of each kind, as long as the timeline keeps their notices. */
export async function countNoticeMails(pool: pg.Pool): Promise<NoticeMailCounts> {
  const rows = await rowsOf(pool, countSchema, COUNT);
  return {
    waiting: 0,
    sent: 0,
    given_up: 0,
    ...Object.fromEntries(rows.map((row) => [row.status, row.count])),
  };
}
