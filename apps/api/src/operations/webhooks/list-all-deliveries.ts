import { firstRowOf, rowsOf } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { isIssuedId } from "../../ids/issued-id.js";
import { inOrder, notAPlace } from "../../readers/find-keyed-page.js";
import {
  type DeliveriesAsked,
  type ListedDelivery,
  type Page,
  pageOf,
  WITH_EVENT,
} from "./list-deliveries.js";
import type { ReceiverScope } from "./receiver.js";

/** Deliveries of so many of the newest events are looked at, so that a rare failure costs no more in a long list. */
const MAX_EVENTS = 20_000;

const PLACE = `
  SELECT e.turn, e.number FROM deliveries d JOIN events e ON e.id = d.event_id
  WHERE d.id = $1 AND e.merchant_id = $2 AND e.mode = $3`;
/**
 * `OFFSET 0` keeps the deliveries of an event a look into their index, event by event until the page is full: otherwise the plan for what is
 * behind a place reads the deliveries of all merchants.
 */
const LIST = `
  SELECT d.id FROM (
    SELECT id, turn, number FROM events
    WHERE merchant_id = $1 AND mode = $2 AND ($3::bigint IS NULL OR (turn, number) <= ($3, $4::bigint))
    ORDER BY turn DESC, number DESC LIMIT $8) AS e
  CROSS JOIN LATERAL (
    SELECT id FROM deliveries WHERE event_id = e.id AND ($6::text IS NULL OR status::text = $6)
      AND ($5::uuid IS NULL OR (e.turn, e.number) < ($3, $4) OR id < $5) OFFSET 0) AS d
  ORDER BY e.turn DESC, e.number DESC, d.id DESC LIMIT $7`;

const placeSchema = z.object({ turn: z.bigint(), number: z.bigint() });
const idSchema = z.object({ id: z.string() });

/**
 * The deliveries of a merchant to all its endpoints and to the orders' own addresses, of the newest event first.
 * @throws OperationError InvalidFields for a `before` that is not in the list.
 */
export async function listAllDeliveries(
  { database: { pool, prisma } }: Context,
  { merchantId, mode }: ReceiverScope,
  { before, per_page, status, placeField }: DeliveriesAsked,
): Promise<Page<ListedDelivery>> {
  const place =
    before !== undefined && isIssuedId(before)
      ? await firstRowOf(pool, placeSchema, PLACE, [before, merchantId, mode])
      : undefined;
  if (before !== undefined && !place) throw notAPlace(placeField ?? "before");
  const found = await rowsOf(pool, idSchema, LIST, [
    ...[merchantId, mode, place?.turn ?? null, place?.number ?? null, place ? before : null],
    ...[status ?? null, per_page + 1, MAX_EVENTS],
  ]);
  const ids = found.map(({ id }) => id);
  const rows = await prisma.delivery.findMany({ where: { id: { in: ids } }, include: WITH_EVENT });
  return pageOf(inOrder(ids, rows), per_page);
}
