import { type EventPlace, eventNames, type ListEventsQuery } from "@tillgate/contract";
import { z } from "zod";
import type { Context } from "../../context.js";
import type { Client } from "../authenticate-client.js";

/** An event of a merchant, with the body as its deliveries send it. */
export type EventOfMerchant = {
  id: string;
  name: (typeof eventNames)[number];
  orderId: string | null;
  body: string;
  createdAt: Date;
};

/** Events in the order of their places, and the place behind them. */
export type EventPage = { events: EventOfMerchant[]; next: EventPlace; hasMore: boolean };

// Only events of transactions below the oldest one that still runs: all of these are over, so that nothing can appear
// before a place that was told. The horizon and the rows are of one snapshot, being of one statement.
const LIST = `
  WITH horizon AS (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS turn),
  page AS (
    SELECT e.id, e.name, e.order_id AS "orderId", e.body, e.created_at AS "createdAt", e.turn, e.number FROM events e
    WHERE e.merchant_id = $1 AND e.mode = $2 AND e.turn < (SELECT turn FROM horizon)
      AND (e.turn, e.number) > ($3::bigint, $4::bigint) AND ($5::text[] IS NULL OR e.name = ANY ($5))
    ORDER BY e.turn, e.number LIMIT $6)
  SELECT h.turn AS horizon, page.* FROM horizon h LEFT JOIN page ON true ORDER BY page.turn, page.number`;

const rowsSchema = z
  .array(
    z.union([
      z.object({
        horizon: z.bigint(),
        id: z.string(),
        name: z.enum(eventNames),
        orderId: z.string().nullable(),
        body: z.string(),
        createdAt: z.date(),
        turn: z.bigint(),
        number: z.bigint(),
      }),
      z.object({ horizon: z.bigint(), id: z.null() }),
    ]),
  )
  .min(1);

/** Before every event. */
const START: EventPlace = { turn: 0n, number: 0n };
/** Behind every event that a place can name: with it a list has no rows, and tells where it ends now. */
const NOW: EventPlace = { turn: 2n ** 62n, number: 0n };

/**
 * A merchant's events of one mode, the oldest first, behind a place. Followed from place to place no event is missed or
 * told twice, in whatever order transactions commit.
 */
export async function listEvents(
  { database: { pool } }: Pick<Context, "database">,
  { merchantId, mode }: Pick<Client, "merchantId" | "mode">,
  { after, types, per_page }: Pick<ListEventsQuery, "after" | "types" | "per_page">,
): Promise<EventPage> {
  const place = after === undefined ? START : (after ?? NOW);
  const { rows } = await pool.query(LIST, [
    merchantId,
    mode,
    place.turn,
    place.number,
    types ?? null,
    per_page + 1,
  ]);
  const read = rowsSchema.parse(rows);
  const found = read.flatMap((row) => (row.id === null ? [] : row));
  const events = found.slice(0, per_page);
  const last = events.at(-1);
  const hasMore = found.length > per_page;
  const horizon: EventPlace = { turn: read[0]?.horizon ?? 0n, number: 0n };
  const behind = after && after.turn > horizon.turn ? after : horizon;
  return { events, hasMore, next: hasMore && last ? { turn: last.turn, number: last.number } : behind };
}
