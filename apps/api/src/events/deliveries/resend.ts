import { type AuditAction, ErrorCode, type Mode } from "@tillgate/contract";
import { inTransaction, queryFirstRow, queryOneRow } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";
import { type AuditRecord, changeWithAuditOnConnection, recordOnConnection } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { readClock } from "../../platform/database-clock.js";
import { toEndpointAuditRecord } from "../endpoints/change.js";
import { type EndpointChange, requireEndpoint } from "../endpoints/read.js";

export type ResendDelivery = Pick<EndpointChange, "merchantId" | "mode" | "dryRun"> & { deliveryId: string };

/** `alreadyScheduled`: the delivery was already due, or held for its paused endpoint, so this call changed nothing. */
export type ResentDelivery = { deliveryId: string; alreadyScheduled: boolean };

// Of two concurrent calls, only one updates the row. Brings a later retry forward. The retry schedule restarts; attempt numbers continue.
const RESEND = `
  UPDATE deliveries SET status = 'queued', attempts_before = attempt_count, next_attempt_at = clock_timestamp(),
    in_backlog = false, settled_at = NULL, given_up_because = NULL
  WHERE id = $1 AND (status IN ('failed', 'delivered') OR status = 'pending' AND next_attempt_at > clock_timestamp())
    AND NOT EXISTS (SELECT FROM receivers r WHERE r.id = receiver_id AND (r.disabled_at IS NOT NULL OR r.removed_at IS NOT NULL))`;

const READ = `
  SELECT e.id AS "eventId", (r.disabled_at IS NOT NULL OR r.removed_at IS NOT NULL) IS TRUE AS inactive
  FROM deliveries d JOIN events e ON e.id = d.event_id LEFT JOIN receivers r ON r.id = d.receiver_id
  WHERE d.id = $1 AND e.merchant_id = $2 AND e.mode = $3::mode`;

const foundSchema = z.object({ eventId: z.string(), inactive: z.boolean() });

/** Writes the audit record of a batch of resent deliveries, in the batch's transaction. */
export type RecordResent = (connection: Pick<pg.ClientBase, "query">, deliveries: number) => Promise<void>;

/**
 * Schedules a delivery to be sent now, even if it has already succeeded.
 * @throws OperationError DeliveryNotFound; ReceiverInactive if its endpoint is disabled or removed.
 */
export async function resendDelivery(
  context: Pick<Context, "database" | "changes">,
  { merchantId, mode, deliveryId, dryRun }: ResendDelivery,
  record: RecordResent = async () => {},
): Promise<ResentDelivery> {
  if (!z.uuid().safeParse(deliveryId).success) throw new OperationError(ErrorCode.DeliveryNotFound);
  const { eventId, isDue } = await changeWithAuditOnConnection(context, { dryRun }, async (connection) => {
    const delivery = await queryFirstRow(connection, foundSchema, READ, [deliveryId, merchantId, mode]);
    if (!delivery) throw new OperationError(ErrorCode.DeliveryNotFound);
    if (delivery.inactive) throw new OperationError(ErrorCode.ReceiverInactive);
    const { rowCount } = await connection.query(RESEND, [deliveryId]);
    if (rowCount === 1) await record(connection, 1);
    return { eventId: delivery.eventId, isDue: rowCount === 1 };
  });
  if (isDue && !dryRun) context.changes.notify(eventId);
  return { deliveryId, alreadyScheduled: !isDue };
}

/** Deliveries per transaction. Few enough that their locks do not delay payments. */
const BATCH = 500;
export const MAX_RESENT = 10_000;

export type ResendDeliveries = {
  merchantId: string;
  mode: Mode;
  /** One endpoint. Default: all endpoints and every callback_url. */
  receiverId?: string | undefined;
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  /** `all` includes delivered events, for a shop that lost them. */
  what?: "failed" | "all" | undefined;
  /** Limits the call to deliveries settled by this time, so that repeated calls resend none twice. Default: now for `all`; no limit for `failed`. */
  asOf?: Date | undefined;
};

export type ResentDeliveries = {
  resent: number;
  /** Deliveries left unchanged because their endpoint is disabled or removed. */
  skipped: number;
  /** Whether another call may have more to resend. */
  more: boolean;
};

const FAILED = "d.status = 'failed'";
const SETTLED = "d.status IN ('failed', 'delivered')";
const chosenDeliveriesSql = (isChosen: string): string => `
  FROM events e JOIN deliveries d ON d.event_id = e.id LEFT JOIN receivers r ON r.id = d.receiver_id
  WHERE e.merchant_id = $1 AND e.mode = $2::mode AND e.created_at >= $3 AND e.created_at < $4
    AND ${isChosen} AND ($6::timestamptz IS NULL OR d.settled_at <= $6) AND ($5::uuid IS NULL OR d.receiver_id = $5)`;
const INACTIVE = "(r.disabled_at IS NOT NULL OR r.removed_at IS NOT NULL) IS TRUE";

// Resends the deliveries of the oldest events first, but after new deliveries. Skips locked deliveries; the next call finds those that still match.
const resend = (isChosen: string): string => `
  UPDATE deliveries SET status = 'queued', attempts_before = attempt_count, next_attempt_at = clock_timestamp(),
    in_backlog = true, settled_at = NULL, given_up_because = NULL
  WHERE status IN ('failed', 'delivered') AND id IN (
    SELECT d.id ${chosenDeliveriesSql(isChosen)} AND NOT ${INACTIVE} ORDER BY e.created_at LIMIT $7 FOR NO KEY UPDATE OF d SKIP LOCKED)`;
const skippedSchema = z.object({ skipped: z.int() });
const skippedCountSql = (isChosen: string): string =>
  `SELECT count(*)::int AS skipped ${chosenDeliveriesSql(isChosen)} AND ${INACTIVE}`;

/**
 * Resends up to {@link MAX_RESENT} deliveries per call. After an interruption, a second call with the same `asOf` sends none of them twice.
 * @throws RangeError unless the range starts before it ends.
 */
export async function resendDeliveries(
  { database: { pool }, changes }: Pick<Context, "database" | "changes">,
  { merchantId, mode, receiverId, from, to, what, asOf }: ResendDeliveries,
  record: RecordResent = async () => {},
): Promise<ResentDeliveries> {
  if (!(from < to)) throw new RangeError("The range must start before it ends.");
  const isChosen = what === "all" ? SETTLED : FAILED;
  // An abandoned delivery no longer matches once rescheduled; a delivered event would match again after its next delivery.
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
    if (last > 0) changes.notify(merchantId);
  }
  const skippedRow = await queryOneRow(pool, skippedSchema, skippedCountSql(isChosen), range);
  return { resent, skipped: skippedRow.skipped, more: last === BATCH };
}

const recordScheduled =
  (
    change: Omit<EndpointChange, "dryRun">,
    subject: string,
    action: AuditAction & `receiver.${string}`,
    toDetails: (deliveries: number) => NonNullable<AuditRecord["details"]> = () => ({}),
  ): RecordResent =>
  (connection, deliveries) =>
    recordOnConnection(connection, toEndpointAuditRecord(change, subject, action, toDetails(deliveries)));

/** Like {@link resendDelivery}, with an audit record. */
export const resendDeliveryAs = (
  context: Context,
  input: EndpointChange & { deliveryId: string },
): Promise<ResentDelivery> =>
  resendDelivery(context, input, recordScheduled(input, input.deliveryId, "receiver.resend_delivery"));

/**
 * Like {@link resendDeliveries}, with an audit record for each batch.
 * @throws OperationError ReceiverNotFound; the errors of {@link resendDeliveries}.
 */
export async function resendDeliveriesAs(
  context: Context,
  input: Omit<EndpointChange, "dryRun"> & Omit<ResendDeliveries, "merchantId" | "mode">,
): Promise<ResentDeliveries> {
  const { merchantId, mode, receiverId, from, to, what = "failed" } = input;
  if (receiverId !== undefined) await requireEndpoint(context.database.prisma, input, receiverId);
  return resendDeliveries(
    context,
    input,
    recordScheduled(
      input,
      receiverId ?? merchantId,
      what === "all" ? "receiver.resend_all" : "receiver.resend_failed",
      (deliveries) => ({
        mode,
        from: from.toISOString(),
        to: to.toISOString(),
        deliveries,
      }),
    ),
  );
}

/** Preview of {@link resendDeliveriesAs}, ignoring its limit per call. `failed` includes `skipped`. */
type FailedCount = {
  failed: number;
  /** Failed deliveries whose endpoint is disabled or removed. */
  skipped: number;
};

const failedCountSchema = z.object({ failed: z.int(), skipped: z.int() });
const COUNT_FAILED = `
  SELECT count(*)::int AS failed, (count(*) FILTER (WHERE ${INACTIVE}))::int AS skipped ${chosenDeliveriesSql(FAILED)}`;

/** @throws OperationError ReceiverNotFound. */
export async function countFailed(
  { database: { pool, prisma } }: Context,
  input: Pick<ResendDeliveries, "merchantId" | "mode" | "receiverId" | "from" | "to">,
): Promise<FailedCount> {
  const { merchantId, mode, receiverId, from, to } = input;
  if (receiverId !== undefined) await requireEndpoint(prisma, input, receiverId);
  return queryOneRow(pool, failedCountSchema, COUNT_FAILED, [
    ...[merchantId, mode, from, to],
    ...[receiverId ?? null, null],
  ]);
}
