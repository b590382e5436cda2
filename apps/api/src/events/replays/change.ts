import {
  type CreateReplayRequest,
  defaultEventNames,
  ErrorCode,
  type EventName,
  type EventPosition,
  eventNames,
  FieldRule,
  MAX_PREVIEW_EVENTS,
  MAX_REPLAY_EVENTS,
  type PreviewReplayRequest,
} from "@tillgate/contract";
import { callOne, ledger, type ReceiverModel } from "@tillgate/database";
import { inTransaction, queryFirstRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import { recordOnConnection } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { invalidField, OperationError } from "../../errors.js";
import { readClock } from "../../platform/database-clock.js";
import { requestHash } from "../../platform/request-hash.js";
import { checkAddress, toEndpointAuditRecord } from "../endpoints/change.js";
import { type EndpointChange, type EndpointScope, requireEndpoint } from "../endpoints/read.js";
import { getReplay, type ReplayView, requireReplay } from "./read.js";

type ReplayRange = EndpointScope & {
  receiver: ReceiverModel | null;
  address: string | null;
  from: Date;
  to: Date;
  events: EventName[];
};

/** The events that a replay would send now. */
export type PreviewedReplay = {
  total: number;
  /** Whether there are more events than were counted. */
  more: boolean;
  byEvent: { event: EventName; count: number }[];
  firstAt: Date | null;
  lastAt: Date | null;
  first: ReplayedEvent[];
  /** Null if there are no events. */
  last: EventPosition | null;
};

const placedSchema = z.object({
  id: z.string(),
  name: z.enum(eventNames),
  orderId: z.string().nullable(),
  createdAt: z.date(),
  turn: z.bigint(),
  number: z.bigint(),
});
export type ReplayedEvent = z.output<typeof placedSchema>;

const countedSchema = z.object({
  event: z.enum(eventNames),
  count: z.int(),
  firstAt: z.date(),
  lastAt: z.date(),
});

const CHOSEN = `
  FROM events WHERE merchant_id = $1 AND mode = $2::mode AND created_at >= $3 AND created_at < $4 AND name = ANY ($5)`;
const COUNT = `
  SELECT name AS event, count(*)::int AS count, min(created_at) AS "firstAt", max(created_at) AS "lastAt"
  FROM (SELECT name, created_at ${CHOSEN} ORDER BY created_at DESC LIMIT $6) AS chosen GROUP BY name ORDER BY name`;
const eventsSql = (direction: "ASC" | "DESC"): string => `
  SELECT id, name, order_id AS "orderId", created_at AS "createdAt", turn, number ${CHOSEN}
  ORDER BY turn ${direction}, number ${direction} LIMIT $6`;
const [FIRST, LAST] = [eventsSql("ASC"), eventsSql("DESC")];

/** @throws OperationError ReceiverNotFound; InvalidFields for a URL that is not allowed, or a range that does not start in the past. */
export async function resolveReplayRange(
  context: Pick<Context, "config" | "database">,
  { merchantId, mode }: EndpointScope,
  { endpoint_id, callback_url, from = new Date(0), to, events }: PreviewReplayRequest,
): Promise<ReplayRange> {
  const { pool, prisma } = context.database;
  const endpoint =
    endpoint_id === undefined ? null : await requireEndpoint(prisma, { merchantId, mode }, endpoint_id);
  if (callback_url !== undefined) await checkAddress(context, mode, callback_url, "callback_url");
  const now = await readClock(pool);
  if (from >= now) throw invalidField("from", FieldRule.NotLaterThanNow.text);
  const selectedEvents = endpoint
    ? eventNames.filter((name) => endpoint.events.includes(name))
    : [...defaultEventNames];
  return {
    ...{ merchantId, mode, receiver: endpoint, from },
    address: callback_url ?? null,
    to: to ?? now,
    events: events ?? selectedEvents,
  };
}

export async function previewReplay(
  { database: { pool } }: Pick<Context, "database">,
  { merchantId, mode, from, to, events }: ReplayRange,
): Promise<PreviewedReplay> {
  const range = [merchantId, mode, from, to, events];
  const byName = await queryRows(pool, countedSchema, COUNT, [...range, MAX_REPLAY_EVENTS + 1]);
  const total = byName.reduce((sum, { count }) => sum + count, 0);
  const more = total > MAX_REPLAY_EVENTS;
  // Skipped for an empty range, because the queries in position order would scan all events outside the range.
  const first = total === 0 ? [] : await queryRows(pool, placedSchema, FIRST, [...range, MAX_PREVIEW_EVENTS]);
  const [last] = total === 0 ? [] : await queryRows(pool, placedSchema, LAST, [...range, 1]);
  const times = byName.flatMap(({ firstAt, lastAt }) => [firstAt.getTime(), lastAt.getTime()]);
  return {
    total: more ? MAX_REPLAY_EVENTS : total,
    more,
    byEvent: byName.map(({ event, count }) => ({ event, count })),
    firstAt: times.length === 0 ? null : new Date(Math.min(...times)),
    lastAt: times.length === 0 ? null : new Date(Math.max(...times)),
    first,
    last: last ? { turn: last.turn, number: last.number } : null,
  };
}

/** Unique constraints that a second concurrent replay to the same target violates. */
const ONE_REPLAY_CONSTRAINTS = ["replays_one_an_endpoint", "replays_one_an_address"];

async function rejectSecondReplay<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (
      error instanceof Error &&
      "constraint" in error &&
      ONE_REPLAY_CONSTRAINTS.includes(String(error.constraint))
    )
      throw new OperationError(ErrorCode.ReplayUnderWay);
    throw error;
  }
}

const INSERT_REPLAY = `
  INSERT INTO replays (merchant_id, mode, receiver_id, credential_id, address, events, from_time, to_time, last_turn, last_number,
    skip_failed, total, idempotency_key, request_hash)
  VALUES ($1, $2::mode, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
  ON CONFLICT (merchant_id, mode, idempotency_key) DO NOTHING RETURNING id`;
const EARLIER_REPLAY = `
  SELECT id, request_hash AS "requestHash" FROM replays WHERE merchant_id = $1 AND mode = $2::mode AND idempotency_key = $3`;

const idSchema = z.object({ id: z.uuid() });
const earlierSchema = idSchema.extend({ requestHash: z.instanceof(Buffer) });

type KeyedRequest = { key: string; hash: Buffer };

async function findEarlierReplay(
  context: Pick<Context, "database">,
  { merchantId, mode }: EndpointScope,
  { key, hash }: KeyedRequest,
): Promise<ReplayView | undefined> {
  const earlier = await queryFirstRow(context.database.pool, earlierSchema, EARLIER_REPLAY, [
    merchantId,
    mode,
    key,
  ]);
  if (!earlier) return undefined;
  if (!earlier.requestHash.equals(hash)) throw new OperationError(ErrorCode.IdempotencyKeyReused);
  return getReplay(context, { merchantId, mode }, earlier.id);
}

/** @returns undefined if an earlier call with the same idempotency key has already started a replay. */
const insertReplay = (
  { database: { pool } }: Pick<Context, "database">,
  input: ReplayRange & Pick<EndpointChange, "by"> & { skipFailed: boolean; keyed: KeyedRequest | undefined },
  { total, last }: Pick<Awaited<ReturnType<typeof previewReplay>>, "total" | "last">,
): Promise<string | undefined> =>
  rejectSecondReplay(() =>
    inTransaction(pool, async (client) => {
      const {
        merchantId,
        mode,
        receiver: endpoint,
        address,
        events,
        from,
        to,
        by,
        skipFailed,
        keyed,
      } = input;
      const signer = address !== null && "credentialId" in by ? by.credentialId : null;
      const inserted = await queryFirstRow(client, idSchema, INSERT_REPLAY, [
        ...[merchantId, mode, endpoint?.id ?? null, signer, address, events, from, to],
        ...[last?.turn ?? 0n, last?.number ?? 0n, skipFailed, total, keyed?.key ?? null, keyed?.hash ?? null],
      ]);
      if (!inserted) return undefined;
      await callOne(client, ledger.advanceReplay, { replay: inserted.id });
      await recordOnConnection(
        client,
        toEndpointAuditRecord({ merchantId, mode, by }, endpoint?.id ?? inserted.id, "receiver.replay", {
          ...{ mode, replay: inserted.id, from: from.toISOString(), to: to.toISOString() },
          events: total,
        }),
      );
      return inserted.id;
    }),
  );

/**
 * Starts a replay by scheduling its first delivery. The transaction that settles a delivery schedules the next delivery.
 * @returns `replayed`: whether an earlier call with the same idempotency key started the replay.
 * @throws OperationError ReceiverNotFound; ReceiverInactive for a disabled endpoint; ReplayUnderWay; IdempotencyKeyReused; InvalidFields.
 */
export async function startReplay(
  context: Pick<Context, "config" | "database" | "changes">,
  { merchantId, mode, by }: Omit<EndpointChange, "dryRun">,
  request: CreateReplayRequest,
): Promise<{ replay: ReplayView; replayed: boolean }> {
  const scope = { merchantId, mode };
  const { idempotency_key: key, skip_failed: skipFailed = false, ...requested } = request;
  const keyed =
    key === undefined
      ? undefined
      : {
          key,
          hash: requestHash({
            ...{
              endpoint_id: requested.endpoint_id,
              callback_url: requested.callback_url,
              skip_failed: String(skipFailed),
            },
            ...{
              from: requested.from?.toISOString(),
              to: requested.to?.toISOString(),
              events: requested.events?.join(),
            },
          }),
        };
  const earlier = keyed && (await findEarlierReplay(context, scope, keyed));
  if (earlier) return { replay: earlier, replayed: true };

  const range = await resolveReplayRange(context, scope, requested);
  if (range.receiver?.disabledAt) throw new OperationError(ErrorCode.ReceiverInactive);
  const preview = await previewReplay(context, range);
  if (preview.more) throw invalidField("from", FieldRule.FewerEvents.text);
  const id = await insertReplay(context, { ...range, by, skipFailed, keyed }, preview);
  const meanwhile = id === undefined && keyed ? await findEarlierReplay(context, scope, keyed) : undefined;
  if (meanwhile) return { replay: meanwhile, replayed: true };
  if (id === undefined) throw new Error("the replay was neither created nor found");
  context.changes.notify(id);
  return { replay: await getReplay(context, scope, id), replayed: false };
}

export const REPLAY_STEPS = ["cancel", "resume"] as const;
export type ReplayStep = (typeof REPLAY_STEPS)[number];

const STEPS: Record<ReplayStep, { state: ReplayView["state"]; sql: string }> = {
  cancel: {
    state: "cancelled",
    sql: `UPDATE replays SET state = 'cancelled', event_id = NULL, delivery_id = NULL, ended_at = clock_timestamp()
      WHERE id = $1 AND state IN ('running', 'stopped')`,
  },
  resume: {
    state: "running",
    sql: "UPDATE replays SET state = 'running' WHERE id = $1 AND state = 'stopped'",
  },
};

/**
 * Cancels or resumes a replay. Repeating a step changes nothing.
 * @throws OperationError ReplayNotFound, ReplayOver; when resuming also ReceiverNotFound, ReceiverInactive, ReplayUnderWay.
 */
export async function setReplayState(
  context: Pick<Context, "database" | "changes">,
  { step, replayId, ...input }: Omit<EndpointChange, "dryRun"> & { replayId: string; step: ReplayStep },
): Promise<ReplayView> {
  const { pool, prisma } = context.database;
  const { receiverId, state: earlier } = await requireReplay(prisma, input, replayId);
  if (step === "resume" && earlier === "stopped" && receiverId !== null) {
    const { disabledAt } = await requireEndpoint(prisma, input, receiverId);
    if (disabledAt) throw new OperationError(ErrorCode.ReceiverInactive);
  }
  const { state, sql } = STEPS[step];
  const updated = await rejectSecondReplay(() =>
    inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(sql, [replayId]);
      if (rowCount !== 1) return false;
      await callOne(client, ledger.advanceReplay, { replay: replayId });
      await recordOnConnection(
        client,
        toEndpointAuditRecord(input, receiverId ?? replayId, `receiver.replay_${step}`, {
          ...{ mode: input.mode, replay: replayId },
        }),
      );
      return true;
    }),
  );
  if (updated) context.changes.notify(replayId);
  const replay = await getReplay(context, input, replayId);
  if (!updated && replay.state !== state) throw new OperationError(ErrorCode.ReplayOver);
  return replay;
}
