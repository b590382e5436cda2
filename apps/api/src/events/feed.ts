import { setTimeout as sleep } from "node:timers/promises";
import {
  type CursorPage,
  ErrorCode,
  type EventPosition,
  eventNames,
  type ListEventsQuery,
} from "@tillgate/contract";
import { callOne, type EventModel, ledger } from "@tillgate/database";
import { queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import type { Client } from "../identity/credentials/authenticate.js";
import { invalidCursor } from "../pagination/keyset-page.js";
import type { Listener } from "../platform/listener.js";
import { reserveSlot } from "../platform/slots.js";
import { type ListedDelivery, listDeliveriesOfEvent, type Page, toPage } from "./deliveries/list.js";
import type { EndpointScope } from "./endpoints/read.js";

export type EventOfMerchant = {
  id: string;
  name: (typeof eventNames)[number];
  orderId: string | null;
  body: string;
  createdAt: Date;
};

/** Events in position order, and the position after them. */
export type EventPage = { events: EventOfMerchant[]; next: EventPosition; hasMore: boolean };

/** How long an unrelated transaction can hold back a committed event before the floor is raised, in milliseconds. */
const HELD_BACK_MS = 1_000;

// Returns only events of transactions below the horizon; all these transactions have ended. The horizon is the server's oldest running transaction;
// $7 can raise it. `held` is the newest event at or above the horizon that is older than HELD_BACK_MS. The cursor after a page is the position of an
// event, never the horizon: after a crash or failover, a server can reassign the ID of a transaction that wrote nothing.
const LIST = `
  WITH horizon AS (SELECT greatest(pg_snapshot_xmin(pg_current_snapshot())::text::bigint, $7::bigint) AS turn),
  page AS (
    SELECT e.id, e.name, e.order_id AS "orderId", e.body, e.created_at AS "createdAt", e.turn, e.number FROM events e
    WHERE e.merchant_id = $1 AND e.mode = $2 AND e.turn < (SELECT turn FROM horizon)
      AND (e.turn, e.number) > ($3::bigint, $4::bigint) AND e.name = ANY ($5::text[])
    ORDER BY e.turn, e.number LIMIT $6),
  newest AS (
    SELECT e.turn, e.number FROM events e
    WHERE e.merchant_id = $1 AND e.mode = $2 AND e.turn < (SELECT turn FROM horizon)
    ORDER BY e.turn DESC, e.number DESC LIMIT 1),
  held AS (
    SELECT max(e.turn) AS turn FROM events e
    WHERE e.merchant_id = $1 AND e.mode = $2 AND e.turn >= (SELECT turn FROM horizon) AND ($8 OR (e.turn, e.number) > ($3, $4))
      AND e.created_at < clock_timestamp() - interval '${HELD_BACK_MS} milliseconds')
  SELECT newest.turn AS "newestTurn", newest.number AS "newestNumber", held.turn AS "heldBack", page.*
  FROM held LEFT JOIN newest ON true LEFT JOIN page ON true
  ORDER BY page.turn, page.number`;

const contextSchema = z.object({
  newestTurn: z.bigint().nullable(),
  newestNumber: z.bigint().nullable(),
  heldBack: z.bigint().nullable(),
});
/** A page without events is one row without an ID. */
const rowSchema = z.union([
  contextSchema.extend({
    id: z.string(),
    name: z.enum(eventNames),
    orderId: z.string().nullable(),
    body: z.string(),
    createdAt: z.date(),
    turn: z.bigint(),
    number: z.bigint(),
  }),
  contextSchema.extend({ id: z.null() }),
]);

const START_POSITION: EventPosition = { turn: 0n, number: 0n };
/** A list that starts at this position is empty, and returns the current end as its cursor. */
const END_POSITION: EventPosition = { turn: 2n ** 62n, number: 0n };

/** Minimum interval between log lines about a transaction that holds back events, in milliseconds. */
const WARN_EVERY_MS = 60_000;

/**
 * Raises the event floor. Returns a horizon that, unlike the horizon of {@link LIST}, is held back only by transactions that wrote events.
 * @param above turn of a held-back event.
 */
async function readHorizon(
  { database: { pool }, memory, log }: EventContext,
  above: bigint,
): Promise<bigint> {
  // Three statements, each committed before the next: raise the floor, find the transactions below it, read the rows.
  await callOne(pool, ledger.raiseEventFloor, { turn: above });
  const { turn, process } = await callOne(pool, ledger.eventHorizon, {});
  if (turn <= above && performance.now() - memory.heldBackLoggedAt > WARN_EVERY_MS) {
    memory.heldBackLoggedAt = performance.now();
    log.warn(
      { event: "events_held_back", process },
      "events are held back: a transaction that wrote events is still open (see pg_stat_activity for its process)",
    );
  }
  return turn;
}

type EventContext = Pick<Context, "database" | "memory" | "log">;

/** Lists a page of events. A reader that follows the cursors misses no event and gets none twice, in whatever order transactions commit. */
async function listEvents(
  context: EventContext,
  { merchantId, mode }: Pick<Client, "merchantId" | "mode">,
  { after, types, per_page }: Pick<ListEventsQuery, "after" | "types" | "per_page">,
): Promise<EventPage> {
  const position = after === undefined ? START_POSITION : (after ?? END_POSITION);
  const readPage = (horizon: bigint | null) =>
    queryRows(context.database.pool, rowSchema, LIST, [
      merchantId,
      mode,
      position.turn,
      position.number,
      types,
      per_page + 1,
      horizon,
      position === END_POSITION,
    ]);
  let rows = await readPage(null);
  const heldBack = rows[0]?.heldBack ?? null;
  if (heldBack !== null) rows = await readPage(await readHorizon(context, heldBack));
  const [first] = rows;
  if (!first) throw new Error("the query for a page of events returned no rows");
  const returned = rows.flatMap((row) => (row.id === null ? [] : row));
  const events = returned.slice(0, per_page);
  const last = events.at(-1);
  const hasMore = returned.length > per_page;
  const newest: EventPosition = { turn: first.newestTurn ?? 0n, number: first.newestNumber ?? 0n };
  const end = after && isBefore(newest, after) ? after : newest;
  return { events, hasMore, next: hasMore && last ? { turn: last.turn, number: last.number } : end };
}

const isBefore = (first: EventPosition, other: EventPosition): boolean =>
  first.turn < other.turn || (first.turn === other.turn && first.number < other.number);

/** Interval at which a long poll reads again without a notification, because notifications may be lost. */
const POLL_MS = 500;
/** Pause after each read, because a busy system sends change notifications continuously. */
const READ_PAUSE_MS = 100;
/** Maximum per merchant and mode in one process. Further long polls return immediately. */
export const MAX_LONG_POLLS = 20;

/** Resolves early if aborted. */
const waitIdle = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

/** Waits up to `query.wait` seconds for an event, unless {@link MAX_LONG_POLLS} is reached. @param disconnected aborts the wait. */
export async function awaitEvents(
  context: Context,
  listener: Listener,
  client: Client,
  { query, disconnected }: { query: ListEventsQuery; disconnected: AbortSignal },
): Promise<EventPage> {
  const caller = `${client.mode} ${client.merchantId}`;
  const releaseSlot = query.wait > 0 ? reserveSlot(context.memory.longPolls, caller, MAX_LONG_POLLS) : null;
  if (!releaseSlot) return listEvents(context, client, query);
  const endsAt = performance.now() + query.wait * 1_000;
  let notified = new AbortController();
  const unsubscribe = listener.onAnyChange(() => notified.abort());
  try {
    let after = query.after;
    for (;;) {
      notified = new AbortController();
      const page = await listEvents(context, client, { ...query, after });
      const leftMs = endsAt - performance.now();
      if (page.events.length > 0 || leftMs <= 0 || disconnected.aborted) return page;
      after = page.next;
      await waitIdle(Math.min(READ_PAUSE_MS, leftMs), disconnected);
      await waitIdle(
        Math.max(0, Math.min(POLL_MS, leftMs) - READ_PAUSE_MS),
        AbortSignal.any([disconnected, notified.signal]),
      );
    }
  } finally {
    unsubscribe();
    releaseSlot();
  }
}

/** @throws OperationError InvalidFields for a `before` that is not in the list. */
export async function browseEvents(
  { database: { prisma } }: Context,
  { merchantId, mode }: EndpointScope,
  { before, per_page }: CursorPage,
): Promise<Page<EventModel>> {
  const cursor =
    before === undefined ? null : await prisma.event.findFirst({ where: { id: before, merchantId, mode } });
  if (before !== undefined && !cursor) throw invalidCursor("before");
  const rows = await prisma.event.findMany({
    where: {
      merchantId,
      mode,
      ...(cursor
        ? {
            turn: { lte: cursor.turn },
            OR: [{ turn: { lt: cursor.turn } }, { number: { lt: cursor.number } }],
          }
        : {}),
    },
    orderBy: [{ turn: "desc" }, { number: "desc" }],
    take: per_page + 1,
  });
  return toPage(rows, per_page);
}

/** @throws OperationError EventNotFound. */
export async function getEvent(
  context: Context,
  { merchantId, mode }: EndpointScope,
  id: string,
): Promise<{ event: EventModel; deliveries: ListedDelivery[] }> {
  const event = await context.database.prisma.event.findFirst({ where: { id, merchantId, mode } });
  if (!event) throw new OperationError(ErrorCode.EventNotFound);
  return { event, deliveries: await listDeliveriesOfEvent(context, id) };
}
