import type { Mode } from "@tillgate/contract";
import { inTransaction, oneRowOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { readClock } from "../../readers/database-clock.js";
import type { RecordResent } from "./resend-delivery.js";

/** How many deliveries one transaction makes due: short locks, and payments come first. */
const BATCH = 500;
/** How many one call makes due; `more` says when there are others. */
export const MAX_RESENT = 10_000;

export type ResendFailed = {
  merchantId: string;
  mode: Mode;
  /** One receiver; left out, all of them and every callback_url. */
  receiverId?: string | undefined;
  /** Of events from this moment on … */
  from: Date;
  /** … and before this one. */
  to: Date;
  /** `all`: also what was delivered, for a receiver that lost it. */
  what?: "failed" | "all" | undefined;
  /** Settled until this moment: what several calls with one moment send, they send once. Left out: now. */
  asOf?: Date | undefined;
};

export type ResentFailed = {
  resent: number;
  /** Left unchanged, because their receiver is disabled or removed. */
  skipped: number;
  /** Whether there are more to be sent again by another call. */
  more: boolean;
};

const FAILED = "d.status = 'failed'";
const SETTLED = "d.status IN ('failed', 'delivered')";
const chosen = (isChosen: string): string => `
  FROM events e JOIN deliveries d ON d.event_id = e.id LEFT JOIN receivers r ON r.id = d.receiver_id
  WHERE e.merchant_id = $1 AND e.mode = $2::mode AND e.created_at >= $3 AND e.created_at < $4
    AND ${isChosen} AND ($6::timestamptz IS NULL OR d.settled_at <= $6) AND ($5::uuid IS NULL OR d.receiver_id = $5)`;
const INACTIVE = "(r.disabled_at IS NOT NULL OR r.removed_at IS NOT NULL) IS TRUE";

// Oldest first, and behind new events. A row that another transaction holds is skipped; the next call finds it if it has
// failed then.
const resend = (isChosen: string): string => `
  UPDATE deliveries SET status = 'queued', attempts_before = attempt_count, next_attempt_at = clock_timestamp(),
    in_backlog = true, settled_at = NULL, given_up_because = NULL
  WHERE status IN ('failed', 'delivered') AND id IN (
    SELECT d.id ${chosen(isChosen)} AND NOT ${INACTIVE} ORDER BY e.created_at LIMIT $7 FOR NO KEY UPDATE OF d SKIP LOCKED)`;
const skippedSchema = z.object({ skipped: z.int() });
const skipped = (isChosen: string): string =>
  `SELECT count(*)::int AS skipped ${chosen(isChosen)} AND ${INACTIVE}`;

/**
 * Sends again every delivery of the range that was given up, or all that are settled, in independent batches. If stopped in the middle, a second
 * call goes on with the rest, and never sends a waiting one twice.
 * @param record called for each batch, in its transaction.
 * @throws RangeError when the range does not begin before it ends.
 */
export async function resendFailed(
  { database: { pool }, hints }: Pick<Context, "database" | "hints">,
  { merchantId, mode, receiverId, from, to, what, asOf }: ResendFailed,
  record: RecordResent = async () => {},
): Promise<ResentFailed> {
  if (!(from < to)) throw new RangeError("The range must begin before it ends.");
  const isChosen = what === "all" ? SETTLED : FAILED;
  // One that was given up is sent once by being sent; one that was delivered is soon delivered again.
  const settledBefore = asOf ?? (what === "all" ? await readClock(pool) : null);
  const range = [merchantId, mode, from, to, receiverId ?? null, settledBefore];
  let resent = 0;
  let last = BATCH;
  while (last === BATCH && resent < MAX_RESENT) {
    last = await inTransaction(pool, async (connection) => {
      const { rowCount } = await connection.query(resend(isChosen), [...range, BATCH]);
      if (rowCount) await record(connection, rowCount);
      return rowCount ?? 0;
    });
    resent += last;
    if (last > 0) hints.changed(merchantId);
  }
  const left = await oneRowOf(pool, skippedSchema, skipped(isChosen), range);
  return { resent, skipped: left.skipped, more: last === BATCH };
}
