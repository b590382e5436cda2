import { callOne, ledger } from "@tillgate/database";
import type pg from "pg";
import { BOUNDS, type LeaseClass } from "./limits.js";

/** Where a worker's turns continue: one claim answers it and the next one takes it. */
export type Turns = { from: string; after: string; carefulAfter: string };
export const FIRST_TURN: Turns = {
  from: "00000000-0000-0000-0000-000000000000",
  after: "00000000-0000-0000-0000-000000000000",
  carefulAfter: "00000000-0000-0000-0000-000000000000",
};

export type ClaimDeliveries = {
  /** The claimer: a name that is unique to this process. */
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
  /** How many queues have waiting deliveries. */
  queues: number;
  /** Whether more waits than was leased. */
  hasMore: boolean;
};

/**
 * Leases due deliveries, in turn over their queues and within the bounds of all processes. The answer is small, and a
 * second statement reads the rest: a stalled process must not hold up the claims of the others.
 */
export async function claimDeliveries(
  pool: Pick<pg.Pool, "query">,
  { worker, leaseMs, places, carefulPlaces, turns, bounds = BOUNDS }: ClaimDeliveries,
): Promise<Claimed> {
  const claimed = await callOne(pool, ledger.claimDeliveries, {
    worker,
    leaseMs,
    places,
    carefulPlaces,
    ...turns,
    bounds: JSON.stringify(bounds),
  });
  const { ids, classes } = claimed;
  return {
    deliveries: ids.map((id, place) => ({ id, class: classes[place] ?? "careful" })),
    turns: {
      from: claimed.next_from,
      after: claimed.next_after,
      carefulAfter: claimed.next_careful_after,
    },
    queues: claimed.visited,
    hasMore: claimed.has_more,
  };
}
