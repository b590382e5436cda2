import { ErrorCode } from "@tillgate/contract";
import { inTransaction, queryOneRow } from "@tillgate/service";
import { z } from "zod";
import { recordOnConnection } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { toEndpointAuditRecord } from "../endpoints/change.js";
import { type EndpointChange, type EndpointScope, requireEndpoint } from "../endpoints/read.js";

/** Deliveries per transaction. Few enough that their locks do not delay payments. */
const BATCH = 500;
export const MAX_SENT = 10_000;
export const MAX_COUNTED = 100_000;

/** `from` is inclusive, `to` exclusive. */
export type BackfillRange = EndpointScope & { receiverId: string; from: Date; to: Date };

/** Counts of missed events: those without a delivery (`neverSent`), and those whose delivery was abandoned (`givenUp`). */
export type BackfillCount = {
  neverSent: number;
  givenUp: number;
  first: Date | null;
  last: Date | null;
  /** Whether there may be more than were counted. */
  more: boolean;
};

const MISSED = `
  FROM receivers r
  JOIN events e ON e.merchant_id = r.merchant_id AND e.mode = r.mode AND e.name = ANY (r.events)
  LEFT JOIN deliveries d ON d.event_id = e.id AND d.receiver_id = r.id
  WHERE r.id = $1 AND e.created_at >= $2 AND e.created_at < $3`;

const COUNT = `
  SELECT count(*) FILTER (WHERE "deliveryId" IS NULL)::int AS "neverSent", count("deliveryId")::int AS "givenUp",
    min("createdAt") AS first, max("createdAt") AS last
  FROM (SELECT d.id AS "deliveryId", e.created_at AS "createdAt" ${MISSED} AND (d.id IS NULL OR d.status = 'failed')
        ORDER BY e.created_at LIMIT $4) AS missed`;

const countSchema = z.object({
  neverSent: z.int(),
  givenUp: z.int(),
  first: z.date().nullable(),
  last: z.date().nullable(),
});

/** Counts up to {@link MAX_COUNTED} missed events. @throws OperationError ReceiverNotFound. */
export async function countBackfill(
  { database: { pool, prisma } }: Pick<Context, "database">,
  { receiverId, from, to, ...scope }: BackfillRange,
): Promise<BackfillCount> {
  await requireEndpoint(prisma, scope, receiverId);
  const counts = await queryOneRow(pool, countSchema, COUNT, [receiverId, from, to, MAX_COUNTED]);
  return { ...counts, more: counts.neverSent + counts.givenUp === MAX_COUNTED };
}

// Creates deliveries in event order, to be sent after new deliveries. The unique key keeps concurrent calls from creating duplicates.
const BACKFILL_NEVER_SENT = `
  INSERT INTO deliveries (mode, event_id, receiver_id, address, in_backlog)
  SELECT e.mode, e.id, r.id, r.address, true ${MISSED} AND d.id IS NULL ORDER BY e.turn, e.number LIMIT $4
  ON CONFLICT (receiver_id, event_id) WHERE receiver_id IS NOT NULL DO NOTHING`;
const BACKFILL_EXHAUSTED = `
  UPDATE deliveries SET status = 'queued', attempts_before = attempt_count, next_attempt_at = clock_timestamp(),
    in_backlog = true, settled_at = NULL, given_up_because = NULL
  WHERE status = 'failed' AND id IN (
    SELECT d.id ${MISSED} AND d.status = 'failed' ORDER BY e.turn, e.number LIMIT $4 FOR NO KEY UPDATE OF d SKIP LOCKED)`;

async function requireEnabledEndpoint(
  { prisma }: Context["database"],
  { receiverId, ...scope }: EndpointScope & { receiverId: string },
): Promise<void> {
  const endpoint = await requireEndpoint(prisma, scope, receiverId);
  if (endpoint.disabledAt) throw new OperationError(ErrorCode.ReceiverInactive);
}

/** Counts what {@link backfill} would send, ignoring its limit per call. @throws OperationError ReceiverNotFound, ReceiverInactive. */
export async function previewBackfill(
  context: Pick<Context, "database">,
  range: BackfillRange,
): Promise<BackfillCount> {
  await requireEnabledEndpoint(context.database, range);
  return countBackfill(context, range);
}

export type BackfillResult = {
  sent: number;
  /** Whether another call may have more to send. */
  more: boolean;
};

/**
 * Sends at most {@link MAX_SENT} missed events per call. After an interruption, another call sends the remaining events.
 * @throws OperationError ReceiverNotFound; ReceiverInactive for a disabled endpoint.
 * @throws RangeError unless the range starts before it ends.
 */
export async function backfill(
  { database, changes }: Pick<Context, "database" | "changes">,
  { receiverId, from, to, by, ...scope }: BackfillRange & Pick<EndpointChange, "by">,
): Promise<BackfillResult> {
  if (!(from < to)) throw new RangeError("The range must start before it ends.");
  await requireEnabledEndpoint(database, { ...scope, receiverId });
  const range = [receiverId, from, to];
  let sent = 0;
  for (const statement of [BACKFILL_NEVER_SENT, BACKFILL_EXHAUSTED]) {
    for (let last = BATCH; last === BATCH; ) {
      if (sent >= MAX_SENT) return { sent, more: true };
      last = await inTransaction(database.pool, async (connection) => {
        const { rowCount } = await connection.query(statement, [...range, Math.min(BATCH, MAX_SENT - sent)]);
        const deliveries = rowCount ?? 0;
        if (deliveries > 0)
          await recordOnConnection(
            connection,
            toEndpointAuditRecord({ ...scope, by }, receiverId, "receiver.send_missed", {
              ...{ mode: scope.mode, from: from.toISOString(), to: to.toISOString() },
              deliveries,
            }),
          );
        return deliveries;
      });
      sent += last;
      if (last > 0) changes.notify(receiverId);
    }
  }
  return { sent, more: false };
}
