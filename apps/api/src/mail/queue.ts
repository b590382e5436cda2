import { firstRowOf } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";

/** The waits after the first failed attempt, the second, … in milliseconds: a mail server may be away over a weekend. */
export const MAIL_STEPS_MS: readonly number[] = [1, 5, 15, 60, 180, 360, 720, 1_440, 1_440].map(
  (minutes) => minutes * 60_000,
);
/** The age from which a mail is not sent any more, in hours, whether mail was configured or not. */
const MAX_AGE_HOURS = 96;

const OWN = "WHERE id = $1 AND leased_by = $2 AND status = 'waiting'";
const NO_LEASE = "leased_by = NULL, leased_until = NULL";
const claimedSchema = z.object({ id: z.uuid() });

/** The tables of mails that wait: rows of one shape. */
type MailTable = "notice_mails" | "digest_mails";
/** The worker that leases a mail. */
export type Lease = { id: string; worker: string };

export type MailQueue = ReturnType<typeof mailQueue>;

/** The mails of a table, each on its way to one person. */
export const mailQueue = (pool: pg.Pool, table: MailTable) => ({
  /**
   * Leases the mail that has waited longest. The conditional update decides the sender: of two workers one finds the row
   * locked, or leased. A crash counts as an attempt, and its lease ends.
   * @returns its id; undefined when none is due.
   */
  async claim({ worker, leaseMs }: { worker: string; leaseMs: number }): Promise<string | undefined> {
    const claim = `
      UPDATE ${table} SET attempts = attempts + 1, leased_by = $1, leased_until = clock_timestamp() + $2 * interval '1 millisecond'
      WHERE id = (
        SELECT id FROM ${table}
        WHERE status = 'waiting' AND next_attempt_at <= clock_timestamp() AND (leased_until IS NULL OR leased_until <= clock_timestamp())
        ORDER BY next_attempt_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
      RETURNING id`;
    return (await firstRowOf(pool, claimedSchema, claim, [worker, leaseMs]))?.id;
  },

  /** The mail server took it, or it is given up. @returns whether the lease was still the worker's. */
  async settle(
    { id, worker }: Lease,
    status: "sent" | "given_up",
    lastError: string | null = null,
  ): Promise<boolean> {
    const settle = `UPDATE ${table} SET status = $3::mail_status, settled_at = clock_timestamp(), last_error = $4, ${NO_LEASE} ${OWN}`;
    return (await pool.query(settle, [id, worker, status, lastError])).rowCount === 1;
  },

  /** Schedules the next attempt after `delayMs`. */
  async postpone({ id, worker }: Lease, delayMs: number, lastError: string | null): Promise<void> {
    const postpone = `
      UPDATE ${table} SET next_attempt_at = clock_timestamp() + $3 * interval '1 millisecond', last_error = $4, ${NO_LEASE} ${OWN}`;
    await pool.query(postpone, [id, worker, delayMs, lastError]);
  },

  /** Gives up old mails, so that they do not pile up where mail is not configured. @returns how many. */
  async giveUpOld(): Promise<number> {
    const drop = `
      UPDATE ${table} SET status = 'given_up', settled_at = clock_timestamp(), last_error = coalesce(last_error, 'too old'), ${NO_LEASE}
      WHERE status = 'waiting' AND created_at < clock_timestamp() - $1 * interval '1 hour'
        AND (leased_until IS NULL OR leased_until <= clock_timestamp())`;
    return (await pool.query(drop, [MAX_AGE_HOURS])).rowCount ?? 0;
  },
});
