import { oneRowOf, type Queryable, rowsOf } from "@tillgate/service";
import { z } from "zod";

const underWaySchema = z.object({ id: z.string(), token: z.string() });
export type OrderUnderWay = z.output<typeof underWaySchema>;

/**
 * The newest order of a visitor through a link that can still be paid.
 * @param amount in minor units; any where left out
 */
export async function orderUnderWay(
  connection: Queryable,
  { linkId, visitorHash, amount }: { linkId: string; visitorHash: Buffer; amount?: bigint },
): Promise<OrderUnderWay | undefined> {
  const [found] = await rowsOf(
    connection,
    underWaySchema,
    `SELECT o.id, o.token FROM payment_link_orders u JOIN orders o ON o.id = u.order_id
     WHERE u.link_id = $1 AND u.visitor_hash = $2 AND o.status = 'PENDING' AND o.expires_at > clock_timestamp()
       AND ($3::bigint IS NULL OR o.amount = $3)
     ORDER BY u.created_at DESC LIMIT 1`,
    [linkId, visitorHash, amount ?? null],
  );
  return found;
}

/** How many orders of a visitor through a link can still be paid. */
export async function countUnderWay(
  connection: Queryable,
  { linkId, visitorHash }: { linkId: string; visitorHash: Buffer },
): Promise<number> {
  const { open } = await oneRowOf(
    connection,
    z.object({ open: z.int() }),
    `SELECT count(*)::int AS open FROM payment_link_orders u JOIN orders o ON o.id = u.order_id
     WHERE u.link_id = $1 AND u.visitor_hash = $2 AND o.status = 'PENDING' AND o.expires_at > clock_timestamp()`,
    [linkId, visitorHash],
  );
  return open;
}
