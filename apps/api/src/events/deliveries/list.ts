import { type CursorPage, ErrorCode } from "@tillgate/contract";
import type { Prisma, TimelineEntryModel } from "@tillgate/database";
import { queryFirstRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { findIdsByTime } from "../../pagination/ids-by-time.js";
import { type CursorField, invalidCursor, sortByIds } from "../../pagination/keyset-page.js";
import { isIssuedId } from "../../platform/ids.js";
import { type EndpointScope, requireEndpoint } from "../endpoints/read.js";

const WITH_EVENT = { event: { select: { name: true } } } satisfies Prisma.DeliveryInclude;

export type ListedDelivery = Prisma.DeliveryGetPayload<{ include: typeof WITH_EVENT }>;

/** `next` is the cursor of the next page; null on the last page. */
export type Page<Item> = { items: Item[]; next: string | null };

/** @param rows the rows of the page and, if there is a next page, one more row. */
export function toPage<Item extends { id: unknown }>(rows: Item[], perPage: number): Page<Item> {
  const items = rows.slice(0, perPage);
  const last = items.at(-1);
  return { items, next: rows.length > perPage && last ? String(last.id) : null };
}

type DeliveryListRequest = CursorPage & { status?: "failed" | undefined; cursorField?: CursorField };

/** @throws OperationError ReceiverNotFound, InvalidFields for a `before` that is not a delivery of this endpoint. */
export async function listDeliveries(
  { database: { pool, prisma } }: Context,
  scope: EndpointScope,
  { receiverId, before, per_page, status, cursorField }: DeliveryListRequest & { receiverId: string },
): Promise<Page<ListedDelivery>> {
  await requireEndpoint(prisma, scope, receiverId);
  const cursor =
    before !== undefined && isIssuedId(before)
      ? await prisma.delivery.findFirst({ where: { id: before, receiverId } })
      : null;
  if (before !== undefined && !cursor) throw invalidCursor(cursorField ?? "before");
  const ids = await findIdsByTime(pool, {
    table: "deliveries",
    where: status === undefined ? "receiver_id = $1" : `receiver_id = $1 AND status = '${status}'`,
    values: [receiverId],
    before,
    most: per_page + 1,
  });
  const rows = await prisma.delivery.findMany({ where: { id: { in: ids } }, include: WITH_EVENT });
  return toPage(sortByIds(ids, rows), per_page);
}

/** Attempts shown per delivery. A delivery that is resent often can have more. */
export const MAX_ATTEMPTS_SHOWN = 100;

const WITH_ATTEMPTS = {
  ...WITH_EVENT,
  attempts: { orderBy: { number: "desc" }, take: MAX_ATTEMPTS_SHOWN },
} satisfies Prisma.DeliveryInclude;

export type DeliveryWithAttempts = Prisma.DeliveryGetPayload<{ include: typeof WITH_ATTEMPTS }>;

/** Reads a delivery with its newest {@link MAX_ATTEMPTS_SHOWN} attempts. @throws OperationError DeliveryNotFound. */
export async function getDelivery(
  { database: { prisma } }: Context,
  { merchantId, mode }: EndpointScope,
  id: string,
): Promise<DeliveryWithAttempts> {
  const delivery = isIssuedId(id)
    ? await prisma.delivery.findFirst({
        where: { id, mode, event: { merchantId, mode } },
        include: WITH_ATTEMPTS,
      })
    : null;
  if (!delivery) throw new OperationError(ErrorCode.DeliveryNotFound);
  return delivery;
}

/** Lists an event's deliveries: at most one per endpoint, one to the order's callback_url, and one per replay to a URL. */
export const listDeliveriesOfEvent = (
  { database: { prisma } }: Context,
  eventId: string,
): Promise<ListedDelivery[]> =>
  prisma.delivery.findMany({
    where: { eventId },
    include: WITH_EVENT,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });

/** Events searched per page, which bounds the cost of finding a rare failure. */
const MAX_EVENTS = 20_000;

const CURSOR = `
  SELECT e.turn, e.number FROM deliveries d JOIN events e ON e.id = d.event_id
  WHERE d.id = $1 AND e.merchant_id = $2 AND e.mode = $3`;
/** `OFFSET 0` forces index lookups event by event. Otherwise the plan for a later page would read the deliveries of all merchants. */
const LIST = `
  SELECT d.id FROM (
    SELECT id, turn, number FROM events
    WHERE merchant_id = $1 AND mode = $2 AND ($3::bigint IS NULL OR (turn, number) <= ($3, $4::bigint))
    ORDER BY turn DESC, number DESC LIMIT $8) AS e
  CROSS JOIN LATERAL (
    SELECT id FROM deliveries WHERE event_id = e.id AND ($6::text IS NULL OR status::text = $6)
      AND ($5::uuid IS NULL OR (e.turn, e.number) < ($3, $4) OR id < $5) OFFSET 0) AS d
  ORDER BY e.turn DESC, e.number DESC, d.id DESC LIMIT $7`;

const cursorSchema = z.object({ turn: z.bigint(), number: z.bigint() });
const idSchema = z.object({ id: z.string() });

/**
 * Lists a merchant's deliveries. Each page searches at most {@link MAX_EVENTS} events, so a filtered list can end early.
 * @throws OperationError InvalidFields for an unknown `before`.
 */
export async function listAllDeliveries(
  { database: { pool, prisma } }: Context,
  { merchantId, mode }: EndpointScope,
  { before, per_page, status, cursorField }: DeliveryListRequest,
): Promise<Page<ListedDelivery>> {
  const cursor =
    before !== undefined && isIssuedId(before)
      ? await queryFirstRow(pool, cursorSchema, CURSOR, [before, merchantId, mode])
      : undefined;
  if (before !== undefined && !cursor) throw invalidCursor(cursorField ?? "before");
  const page = await queryRows(pool, idSchema, LIST, [
    ...[merchantId, mode, cursor?.turn ?? null, cursor?.number ?? null, cursor ? before : null],
    ...[status ?? null, per_page + 1, MAX_EVENTS],
  ]);
  const ids = page.map(({ id }) => id);
  const rows = await prisma.delivery.findMany({ where: { id: { in: ids } }, include: WITH_EVENT });
  return toPage(sortByIds(ids, rows), per_page);
}

/** Number that fits into a bigint. */
const NUMBER = /^\d{1,18}$/;

/** @throws OperationError InvalidFields for a `before` that is not a number. */
export async function listTimeline(
  { database: { prisma } }: Context,
  { merchantId, mode }: EndpointScope,
  { before, per_page }: CursorPage,
): Promise<Page<TimelineEntryModel>> {
  if (before !== undefined && !NUMBER.test(before)) throw invalidCursor("before");
  const rows = await prisma.timelineEntry.findMany({
    where: { merchantId, mode, ...(before === undefined ? {} : { id: { lt: BigInt(before) } }) },
    orderBy: { id: "desc" },
    take: per_page + 1,
  });
  return toPage(rows, per_page);
}
