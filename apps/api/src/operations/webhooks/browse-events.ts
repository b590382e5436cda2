import { type KeyedPage, Refusal } from "@tillgate/contract";
import type { EventModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError } from "../../operation-error.js";
import { notAPlace } from "../../readers/find-keyed-page.js";
import { deliveriesOfEvent, type ListedDelivery, type Page, pageOf } from "./list-deliveries.js";
import type { ReceiverScope } from "./receiver.js";

/** A merchant's events of one mode, newest first. @throws OperationError InvalidFields for a `before` that is not in the list. */
export async function browseEvents(
  { database: { prisma } }: Context,
  { merchantId, mode }: ReceiverScope,
  { before, per_page }: KeyedPage,
): Promise<Page<EventModel>> {
  const place =
    before === undefined ? null : await prisma.event.findFirst({ where: { id: before, merchantId, mode } });
  if (before !== undefined && !place) throw notAPlace("before");
  const rows = await prisma.event.findMany({
    where: {
      merchantId,
      mode,
      ...(place
        ? { turn: { lte: place.turn }, OR: [{ turn: { lt: place.turn } }, { number: { lt: place.number } }] }
        : {}),
    },
    orderBy: [{ turn: "desc" }, { number: "desc" }],
    take: per_page + 1,
  });
  return pageOf(rows, per_page);
}

/** An event and its deliveries. @throws OperationError EventNotFound. */
export async function getEvent(
  context: Context,
  { merchantId, mode }: ReceiverScope,
  id: string,
): Promise<{ event: EventModel; deliveries: ListedDelivery[] }> {
  const event = await context.database.prisma.event.findFirst({ where: { id, merchantId, mode } });
  if (!event) throw new OperationError(Refusal.EventNotFound);
  return { event, deliveries: await deliveriesOfEvent(context, id) };
}
