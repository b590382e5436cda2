import { type KeyedPage, Refusal } from "@tillgate/contract";
import type { Prisma } from "@tillgate/database";
import type { Context } from "../../context.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { OperationError } from "../../operation-error.js";
import { inOrder, notAPlace, type PlaceField } from "../../readers/find-keyed-page.js";
import { idsByTime } from "../../readers/ids-by-time.js";
import { type ReceiverScope, requireReceiver } from "./receiver.js";

/** With the name of its event. */
export const WITH_EVENT = { event: { select: { name: true } } } satisfies Prisma.DeliveryInclude;

/** A delivery and the name of its event. */
export type ListedDelivery = Prisma.DeliveryGetPayload<{ include: typeof WITH_EVENT }>;

/** A page of a list, newest first, and where the next one begins; null on the last. */
export type Page<Item> = { items: Item[]; next: string | null };

/** Cuts off the extra row that was read to see whether there are more. */
export function pageOf<Item extends { id: unknown }>(rows: Item[], perPage: number): Page<Item> {
  const items = rows.slice(0, perPage);
  const last = items.at(-1);
  return { items, next: rows.length > perPage && last ? String(last.id) : null };
}

/** Which deliveries of a list. */
export type DeliveriesAsked = KeyedPage & { status?: "failed" | undefined; placeField?: PlaceField };

/**
 * The deliveries of one endpoint, newest first.
 * @throws OperationError ReceiverNotFound, InvalidFields for a `before` that is not in the list.
 */
export async function listDeliveries(
  { database: { pool, prisma } }: Context,
  scope: ReceiverScope,
  { receiverId, before, per_page, status, placeField }: DeliveriesAsked & { receiverId: string },
): Promise<Page<ListedDelivery>> {
  await requireReceiver(prisma, scope, receiverId);
  const place =
    before !== undefined && isIssuedId(before)
      ? await prisma.delivery.findFirst({ where: { id: before, receiverId } })
      : null;
  if (before !== undefined && !place) throw notAPlace(placeField ?? "before");
  const ids = await idsByTime(pool, {
    table: "deliveries",
    where: status === undefined ? "receiver_id = $1" : `receiver_id = $1 AND status = '${status}'`,
    values: [receiverId],
    before,
    most: per_page + 1,
  });
  const rows = await prisma.delivery.findMany({ where: { id: { in: ids } }, include: WITH_EVENT });
  return pageOf(inOrder(ids, rows), per_page);
}

/** The most attempts of a delivery that are shown, the newest first: sent again and again it may have many. */
export const MAX_ATTEMPTS_SHOWN = 100;

const WITH_ATTEMPTS = {
  ...WITH_EVENT,
  attempts: { orderBy: { number: "desc" }, take: MAX_ATTEMPTS_SHOWN },
} satisfies Prisma.DeliveryInclude;

export type DeliveryWithAttempts = Prisma.DeliveryGetPayload<{ include: typeof WITH_ATTEMPTS }>;

/** A delivery with its attempts, to an endpoint or to an order's own callback_url. @throws OperationError DeliveryNotFound. */
export async function getDelivery(
  { database: { prisma } }: Context,
  { merchantId, mode }: ReceiverScope,
  id: string,
): Promise<DeliveryWithAttempts> {
  const found = isIssuedId(id)
    ? await prisma.delivery.findFirst({
        where: { id, mode, event: { merchantId, mode } },
        include: WITH_ATTEMPTS,
      })
    : null;
  if (!found) throw new OperationError(Refusal.DeliveryNotFound);
  return found;
}

/** All deliveries of one event: at most one an endpoint, and one to the order's own callback_url. */
export const deliveriesOfEvent = (
  { database: { prisma } }: Context,
  eventId: string,
): Promise<ListedDelivery[]> =>
  prisma.delivery.findMany({
    where: { eventId },
    include: WITH_EVENT,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
