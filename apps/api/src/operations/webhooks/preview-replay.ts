import {
  type EventName,
  type EventPlace,
  eventNames,
  FieldRule,
  MAX_PREVIEWED,
  MAX_REPLAYED,
  type PreviewReplayRequest,
} from "@tillgate/contract";
import type { ReceiverModel } from "@tillgate/database";
import { rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { wrongField } from "../../operation-error.js";
import { readClock } from "../../readers/database-clock.js";
import { checkAddress } from "./check-address.js";
import { type ReceiverScope, requireReceiver } from "./receiver.js";

/** Which events go where, with nothing left out. */
export type ReplayRange = ReceiverScope & {
  receiver: ReceiverModel | null;
  address: string | null;
  from: Date;
  to: Date;
  events: EventName[];
};

/** What a replay would send now. */
export type PreviewedReplay = {
  total: number;
  /** Whether there are more than were counted. */
  more: boolean;
  byEvent: { event: EventName; count: number }[];
  firstAt: Date | null;
  lastAt: Date | null;
  /** The first of them, in order. */
  first: PlacedEvent[];
  /** Of the last; null without any. */
  last: EventPlace | null;
};

const placedSchema = z.object({
  id: z.string(),
  name: z.enum(eventNames),
  orderId: z.string().nullable(),
  createdAt: z.date(),
  turn: z.bigint(),
  number: z.bigint(),
});
export type PlacedEvent = z.output<typeof placedSchema>;

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
const listed = (direction: "ASC" | "DESC"): string => `
  SELECT id, name, order_id AS "orderId", created_at AS "createdAt", turn, number ${CHOSEN}
  ORDER BY turn ${direction}, number ${direction} LIMIT $6`;
const [FIRST, LAST] = [listed("ASC"), listed("DESC")];

/**
 * Reads what a request of a replay means.
 * @throws OperationError ReceiverNotFound; InvalidFields for an address that is not delivered to, or a range that is still to come.
 */
export async function replayRangeOf(
  context: Pick<Context, "config" | "database">,
  { merchantId, mode }: ReceiverScope,
  { endpoint_id, callback_url, from = new Date(0), to, events }: PreviewReplayRequest,
): Promise<ReplayRange> {
  const { pool, prisma } = context.database;
  const receiver =
    endpoint_id === undefined ? null : await requireReceiver(prisma, { merchantId, mode }, endpoint_id);
  if (callback_url !== undefined) await checkAddress(context, mode, callback_url, "callback_url");
  const now = await readClock(pool);
  if (from >= now) throw wrongField("from", FieldRule.NotLaterThanNow.text);
  const chosen = receiver ? eventNames.filter((name) => receiver.events.includes(name)) : [...eventNames];
  return {
    ...{ merchantId, mode, receiver, from },
    address: callback_url ?? null,
    to: to ?? now,
    events: events ?? chosen,
  };
}

/** Counts the events of a range and reads the first of them, up to as many as one replay sends. */
export async function previewReplay(
  { database: { pool } }: Pick<Context, "database">,
  { merchantId, mode, from, to, events }: ReplayRange,
): Promise<PreviewedReplay> {
  const range = [merchantId, mode, from, to, events];
  const byName = await rowsOf(pool, countedSchema, COUNT, [...range, MAX_REPLAYED + 1]);
  const total = byName.reduce((sum, { count }) => sum + count, 0);
  const more = total > MAX_REPLAYED;
  // An index in the order of the places would be walked past all that is not in the range.
  const first = total === 0 ? [] : await rowsOf(pool, placedSchema, FIRST, [...range, MAX_PREVIEWED]);
  const [last] = total === 0 ? [] : await rowsOf(pool, placedSchema, LAST, [...range, 1]);
  const times = byName.flatMap(({ firstAt, lastAt }) => [firstAt.getTime(), lastAt.getTime()]);
  return {
    total: more ? MAX_REPLAYED : total,
    more,
    byEvent: byName.map(({ event, count }) => ({ event, count })),
    firstAt: times.length === 0 ? null : new Date(Math.min(...times)),
    lastAt: times.length === 0 ? null : new Date(Math.max(...times)),
    first,
    last: last ? { turn: last.turn, number: last.number } : null,
  };
}
