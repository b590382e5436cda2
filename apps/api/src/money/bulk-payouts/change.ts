import { type AuditAction, ErrorCode, type Mode } from "@tillgate/contract";
import { queryFirstRow, queryOneRow } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";
import { toActAuditRecord } from "../../audit/acts.js";
import { changeWithAuditOnConnection, recordOnConnection } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { ConsoleAccess } from "../../identity/console/access.js";
import { isIssuedId } from "../../platform/ids.js";

type Connection = Pick<pg.ClientBase, "query">;
type BulkPayoutRequest = { batchId: string; requestId: string };
type Access = ConsoleAccess & { mode: Mode };

// Changes of a bulk payout lock its row, so confirm, recheck and discard are serialized.
const LOCK = `
  SELECT round, discarded_at IS NOT NULL AS discarded, confirmed_at IS NOT NULL AS confirmed,
    EXISTS (SELECT FROM payout_batch_lines WHERE batch_id = $1 AND status = 'checking') AS checking,
    EXISTS (SELECT FROM payout_batch_lines WHERE batch_id = $1 AND status = 'paying') AS paying
  FROM (SELECT * FROM payout_batches WHERE id = $1 AND merchant_id = $2 AND mode = $3 FOR NO KEY UPDATE) AS locked`;
const lockedSchema = z.object({
  round: z.int(),
  discarded: z.boolean(),
  confirmed: z.boolean(),
  checking: z.boolean(),
  paying: z.boolean(),
});
type Locked = z.output<typeof lockedSchema>;

const CONFIRM = `
  WITH confirmed AS (
    UPDATE payout_batch_lines SET status = 'paying', leased_by = NULL, leased_until = NULL WHERE batch_id = $1 AND status = 'ready' RETURNING 1),
  updated AS (
    UPDATE payout_batches SET confirmed_at = clock_timestamp(), confirmed_by_id = $2, request_id = $3
    WHERE id = $1 AND EXISTS (SELECT FROM confirmed))
  SELECT count(*)::int AS lines FROM confirmed`;
const CHECK_AGAIN = `
  WITH checked AS (
    UPDATE payout_batch_lines SET status = 'checking', failure = NULL, wallet_user_id = NULL, fee = NULL, rate = NULL,
      receiver_amount = NULL, leased_by = NULL, leased_until = NULL
    WHERE batch_id = $1 AND status IN ('failed', 'ready') RETURNING 1),
  updated AS (UPDATE payout_batches SET round = round + 1 WHERE id = $1 AND EXISTS (SELECT FROM checked))
  SELECT count(*)::int AS lines FROM checked`;
const DISCARD = `
  WITH discarded AS (UPDATE payout_batches SET discarded_at = clock_timestamp() WHERE id = $1)
  SELECT count(*)::int AS lines FROM payout_batch_lines WHERE batch_id = $1`;
const linesSchema = z.object({ lines: z.int() });

/** Locks the bulk payout, runs `work`, and writes an audit record if `work` affects lines. @returns the number of affected lines. */
const changeBulkPayout = (
  context: Context,
  { merchantId, mode, by }: Access,
  { batchId, requestId }: BulkPayoutRequest,
  action: AuditAction,
  work: (connection: Connection, locked: Locked) => Promise<number>,
): Promise<number> =>
  changeWithAuditOnConnection(context, {}, async (connection) => {
    const locked = isIssuedId(batchId)
      ? await queryFirstRow(connection, lockedSchema, LOCK, [batchId, merchantId, mode])
      : undefined;
    if (!locked) throw new OperationError(ErrorCode.BatchNotFound);
    const lines = await work(connection, locked);
    const acted = { merchantId, mode, action, subject: batchId, details: { lines } };
    if (lines > 0)
      await recordOnConnection(connection, toActAuditRecord({ by, reason: null, requestId }, acted));
    return lines;
  });

const rejectChanged = (): never => {
  throw new OperationError(ErrorCode.BatchChanged);
};

/**
 * Confirms the ready lines at the displayed prices, for workers to pay.
 * @param round the displayed round. Each recheck starts a new round.
 * @throws OperationError BatchNotFound; BatchChanged if the bulk payout was discarded, has lines being checked, or is in another round.
 */
export const confirmBulkPayout = (
  context: Context,
  access: Access,
  { round, ...request }: BulkPayoutRequest & { round: number },
): Promise<number> =>
  changeBulkPayout(context, access, request, "payout_batch.confirm", async (connection, locked) => {
    if (locked.discarded || locked.checking || locked.round !== round) rejectChanged();
    const values = [request.batchId, access.by.id, request.requestId];
    return (await queryOneRow(connection, linesSchema, CONFIRM, values)).lines;
  });

/**
 * Schedules a new lookup and pricing of each failed or unconfirmed line.
 * @throws OperationError BatchNotFound; BatchChanged if the bulk payout was discarded, lines are being checked or paid, or none can be rechecked.
 */
export const recheckBulkPayout = (
  context: Context,
  access: Access,
  request: BulkPayoutRequest,
): Promise<number> =>
  changeBulkPayout(context, access, request, "payout_batch.check", async (connection, locked) => {
    if (locked.discarded || locked.checking || locked.paying) rejectChanged();
    const { lines } = await queryOneRow(connection, linesSchema, CHECK_AGAIN, [request.batchId]);
    return lines > 0 ? lines : rejectChanged();
  });

/**
 * @returns the number of discarded lines; 0 if the bulk payout was already discarded.
 * @throws OperationError BatchNotFound; BatchChanged if the bulk payout was confirmed.
 */
export const discardBulkPayout = (
  context: Context,
  access: Access,
  request: BulkPayoutRequest,
): Promise<number> =>
  changeBulkPayout(context, access, request, "payout_batch.discard", async (connection, locked) => {
    if (locked.confirmed) rejectChanged();
    if (locked.discarded) return 0;
    return (await queryOneRow(connection, linesSchema, DISCARD, [request.batchId])).lines;
  });
