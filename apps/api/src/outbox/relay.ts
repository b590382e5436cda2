import type pg from "pg";
import type { PgBoss } from "pg-boss";
import { DELIVERY_QUEUE, deliveryJob, insertJobs, removeJobs } from "./delivery-queue.js";
import { hostOf } from "./host-of.js";
import { FOLLOW_BATCH, RELAY_BATCH, SWEEP_AFTER_SECONDS, SWEEP_BATCH } from "./limits.js";
import { claimDue, followReceiverState, readHosts, requeueLost } from "./queries.js";
import { inTransaction } from "./transaction.js";

export type RelayOptions = {
  pool: pg.Pool;
  boss: PgBoss;
  /** How long one attempt may take, in milliseconds. */
  timeoutMs: number;
};

/**
 * Moves due deliveries into the queue: marking them and inserting their jobs is one transaction per batch, so that a
 * crash leaves either both or neither. Any number of relays share the work.
 * @returns how many were moved.
 */
export async function relayDue({ pool, boss, timeoutMs }: RelayOptions): Promise<number> {
  let moved = 0;
  for (;;) {
    const batch = await inTransaction(pool, async (client) => {
      const claimed = await claimDue(client, RELAY_BATCH);
      if (claimed.length > 0) {
        const hosts = await readHosts(client, [...new Set(claimed.map(({ address }) => hostOf(address)))]);
        const jobs = claimed.map((delivery) =>
          deliveryJob(delivery, hosts.get(hostOf(delivery.address)), timeoutMs),
        );
        await insertJobs(boss, client, jobs);
      }
      return claimed.length;
    });
    moved += batch;
    if (batch < RELAY_BATCH) return moved;
  }
}

/** Lets the waiting deliveries of receivers whose state has changed follow it, in short transactions. @returns how many did. */
export async function followReceivers(pool: pg.Pool): Promise<number> {
  let all = 0;
  for (;;) {
    const followed = await followReceiverState(pool, FOLLOW_BATCH);
    if (followed === null) return all;
    all += followed;
  }
}

export type SweepOptions = { pool: pg.Pool; boss: PgBoss; afterSeconds?: number };

/**
 * Puts queued deliveries without a live job back before the relay, and clears away what is left of their jobs.
 * @returns how many were put back.
 */
export async function sweepLost({
  pool,
  boss,
  afterSeconds = SWEEP_AFTER_SECONDS,
}: SweepOptions): Promise<number> {
  return inTransaction(pool, async (client) => {
    const ids = await requeueLost(client, { queue: DELIVERY_QUEUE, afterSeconds, limit: SWEEP_BATCH });
    await removeJobs(boss, client, ids);
    return ids.length;
  });
}
