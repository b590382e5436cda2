import { queryFirstRow } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";

/** Delays before retries. Their sum exceeds a weekend, in case a mail server is down that long. */
export const MAIL_STEPS_MS: readonly number[] = [1, 5, 15, 60, 180, 360, 720, 1_440, 1_440].map(
  (minutes) => minutes * 60_000,
);
/** Age beyond which an e-mail is no longer sent, in hours, whether or not e-mail was configured. */
const MAX_AGE_HOURS = 96;

const LEASED = "WHERE id = $1 AND leased_by = $2 AND status = 'waiting'";
const NO_LEASE = "leased_by = NULL, leased_until = NULL";
const claimedSchema = z.object({ id: z.uuid() });

type MailTable = "notice_mails" | "digest_mails";
export type Lease = { id: string; worker: string };

export type MailQueue = ReturnType<typeof createMailQueue>;

/** Creates the queue of the e-mails in one table. Each e-mail has one recipient. */
export const createMailQueue = (pool: pg.Pool, table: MailTable) => ({
  /** Leases the next e-mail that is due. If the worker crashes, the lease expires, and the attempt counts. @returns undefined if none is due. */
  async claim({ worker, leaseMs }: { worker: string; leaseMs: number }): Promise<string | undefined> {
    const claim = `
      UPDATE ${table} SET attempts = attempts + 1, leased_by = $1, leased_until = clock_timestamp() + $2 * interval '1 millisecond'
      WHERE id = (
        SELECT id FROM ${table}
        WHERE status = 'waiting' AND next_attempt_at <= clock_timestamp() AND (leased_until IS NULL OR leased_until <= clock_timestamp())
        ORDER BY next_attempt_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
      RETURNING id`;
    return (await queryFirstRow(pool, claimedSchema, claim, [worker, leaseMs]))?.id;
  },

  /** @returns whether the worker still held the lease. */
  async settle(
    { id, worker }: Lease,
    status: "sent" | "given_up",
    lastError: string | null = null,
  ): Promise<boolean> {
    const settle = `UPDATE ${table} SET status = $3::mail_status, settled_at = clock_timestamp(), last_error = $4, ${NO_LEASE} ${LEASED}`;
    return (await pool.query(settle, [id, worker, status, lastError])).rowCount === 1;
  },

  async postpone({ id, worker }: Lease, delayMs: number, lastError: string | null): Promise<void> {
    const postpone = `
      UPDATE ${table} SET next_attempt_at = clock_timestamp() + $3 * interval '1 millisecond', last_error = $4, ${NO_LEASE} ${LEASED}`;
    await pool.query(postpone, [id, worker, delayMs, lastError]);
  },

  /** Abandons old e-mails, so that they do not pile up if e-mail is not configured. @returns the number of abandoned e-mails. */
  async abandonOld(): Promise<number> {
    const drop = `
      UPDATE ${table} SET status = 'given_up', settled_at = clock_timestamp(), last_error = coalesce(last_error, 'too old'), ${NO_LEASE}
      WHERE status = 'waiting' AND created_at < clock_timestamp() - $1 * interval '1 hour'
        AND (leased_until IS NULL OR leased_until <= clock_timestamp())`;
    return (await pool.query(drop, [MAX_AGE_HOURS])).rowCount ?? 0;
  },
});
