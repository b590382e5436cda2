import type pg from "pg";
import { z } from "zod";
import { BOUNDS, LEASE_CLASSES, type LeaseClass } from "./limits.js";

/** Where a worker's turns go on: what one claim answers and the next is given. */
export type Turns = { from: string; after: string; carefulAfter: string };
export const FIRST_TURN: Turns = {
  from: "00000000-0000-0000-0000-000000000000",
  after: "00000000-0000-0000-0000-000000000000",
  carefulAfter: "00000000-0000-0000-0000-000000000000",
};

export type ClaimDeliveries = {
  /** Who claims: a name of this process's own. */
  worker: string;
  /** How long the claim holds, in milliseconds; when it ends, another worker may claim the same. */
  leaseMs: number;
  /** How many attempts may begin at receivers that answer or are new. */
  places: number;
  /** How many at all others. */
  carefulPlaces: number;
  turns: Turns;
  /** Default: {@link BOUNDS}. */
  bounds?: typeof BOUNDS;
};

export type Claimed = {
  deliveries: { id: string; class: LeaseClass }[];
  turns: Turns;
  /** How many queues have something that waits. */
  queues: number;
  /** Whether more waits than was leased. */
  hasMore: boolean;
};

const CLAIM = `
  SELECT ids, classes, next_from AS "from", next_after AS "after", next_careful_after AS "carefulAfter",
    visited AS queues, has_more AS "hasMore"
  FROM claim_deliveries($1, $2, $3, $4, $5, $6, $7, $8)`;

const claimedSchema = z.tuple([
  z.object({
    ids: z.array(z.uuid()),
    classes: z.array(z.enum(LEASE_CLASSES)),
    from: z.guid(),
    after: z.guid(),
    carefulAfter: z.guid(),
    queues: z.int(),
    hasMore: z.boolean(),
  }),
]);

/**
 * Leases due deliveries, in turn over their queues and within the bounds that hold over all processes. What comes back is
 * small and read by a second statement: a process that stands still must not hold up the claims of the others.
 */
export async function claimDeliveries(
  pool: Pick<pg.Pool, "query">,
  { worker, leaseMs, places, carefulPlaces, turns, bounds = BOUNDS }: ClaimDeliveries,
): Promise<Claimed> {
  const { rows } = await pool.query(CLAIM, [
    worker,
    leaseMs,
    places,
    carefulPlaces,
    turns.from,
    turns.after,
    turns.carefulAfter,
    JSON.stringify(bounds),
  ]);
  const [{ ids, classes, queues, hasMore, ...next }] = claimedSchema.parse(rows);
  return {
    deliveries: ids.map((id, place) => ({ id, class: classes[place] ?? "careful" })),
    turns: next,
    queues,
    hasMore,
  };
}
