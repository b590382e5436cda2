import type pg from "pg";
import { z } from "zod";
import type { Hints } from "../notifications/hints.js";

/** How many orders one call expires: short transactions, and other processes get their share. */
const EXPIRE_BATCH = 100;

// Orders whose time is over, skipping those that somebody else is changing.
const EXPIRE_DUE = "SELECT expire_due_orders AS id FROM expire_due_orders($1)";
// How long until the next pending order is due, by the database's clock; negative when one is due already.
const NEXT_DUE = `
  SELECT ceil(extract(epoch FROM min(expires_at) - clock_timestamp()) * 1000)::float8 AS "inMs" FROM orders WHERE status = 'PENDING'`;

type ExpireOrdersOptions = { pool: pg.Pool; hints: Pick<Hints, "changed"> };

/** Expires all orders that are due, in batches, and hints at each. @returns how many this call expired. */
export async function expireOrders({ pool, hints }: ExpireOrdersOptions): Promise<number> {
  let expired = 0;
  for (;;) {
    const { rows } = await pool.query(EXPIRE_DUE, [EXPIRE_BATCH]);
    const ids = z.array(z.object({ id: z.string() })).parse(rows);
    for (const { id } of ids) hints.changed(id);
    expired += ids.length;
    if (ids.length < EXPIRE_BATCH) return expired;
  }
}

/** How long until the next pending order is due, in milliseconds; undefined when none is pending. */
export async function untilNextDue(pool: pg.Pool): Promise<number | undefined> {
  const { rows } = await pool.query(NEXT_DUE);
  const [{ inMs }] = z.tuple([z.object({ inMs: z.number().nullable() })]).parse(rows);
  return inMs ?? undefined;
}
