import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { HEALTH_LIMITS } from "@tillgate/contract";
import { callOne, ledger } from "@tillgate/database";
import { startLoop } from "@tillgate/service";
import type pg from "pg";
import type { Logger } from "pino";
import type { Context } from "../../context.js";
import type { Listener } from "../../platform/listener.js";
import { createGuardedConnector } from "./address-guard.js";
import { type DeliverOptions, deliver, type PreparedDelivery } from "./deliver.js";
import {
  FOLLOW_BATCH,
  FOLLOW_IDLE_WAIT_MS,
  IDLE_WAIT_MS,
  IDLE_WAIT_PER_QUEUE_MS,
  LEASE_SLACK_MS,
  type LeaseClass,
  MAX_CONCURRENT_ATTEMPTS,
  POLL_INTERVAL_MS,
  POSTPONE_MS,
  SLOT_MS,
  UNRESPONSIVE_PER_SLOT,
} from "./limits.js";
import { applyEndpointState, postpone, readLeasedDeliveries } from "./queries.js";
import { startSettler } from "./settler.js";

export const ROUND_ROBIN_START: RoundRobin = {
  from: "00000000-0000-0000-0000-000000000000",
  after: "00000000-0000-0000-0000-000000000000",
  carefulAfter: "00000000-0000-0000-0000-000000000000",
};

/** Grace period for running attempts at shutdown, in milliseconds. Longer attempts are aborted, and their deliveries are released. */
const FINISH_MS = 2_500;

export type DeliveryWorkerOptions = Omit<DeliverOptions, "abandon" | "log" | "settler" | "worker"> & {
  pool: pg.Pool;
  /** Slots: concurrent attempts of this process at receivers that respond. */
  maxConcurrent: number;
  log: Pick<Logger, "info" | "warn" | "error">;
};

export type DeliveryWorker = {
  wake(): void;
  close(): Promise<void>;
};

/**
 * Starts a worker that sends due deliveries. Unresponsive receivers have separate slots, and a slow attempt at any other receiver frees its slot
 * early, so that no receiver blocks others.
 */
function startDeliveryWorker({ maxConcurrent, ...options }: DeliveryWorkerOptions): DeliveryWorker {
  const { pool, log, timeoutMs } = options;
  const worker = randomUUID();
  const settler = startSettler({ pool });
  const abandon = new AbortController();
  // Every running attempt adds a listener; their number is unbounded by design.
  setMaxListeners(0, abandon.signal);
  const delivering = { ...options, worker, settler, abandon: abandon.signal };
  const running = new Set<Promise<void>>();
  let freeSlots = maxConcurrent;
  let unresponsiveSlots = maxConcurrent * UNRESPONSIVE_PER_SLOT;
  let turns = ROUND_ROBIN_START;
  let queues = 0;
  /** Whether more deliveries are due than the last claim leased. If so, every finished attempt triggers a claim. */
  let hasMore = true;

  /** @returns a function that frees the slot; only its first call has an effect. */
  const takeSlot = (leasedAs: LeaseClass): (() => void) => {
    const usesUnresponsiveSlot = leasedAs === "careful" || leasedAs === "slow";
    const add = (by: number) => {
      if (usesUnresponsiveSlot) unresponsiveSlots += by;
      else freeSlots += by;
    };
    let leaseHeld = true;
    const release = () => {
      if (!leaseHeld) return;
      leaseHeld = false;
      add(1);
      if (hasMore) loop.wake();
    };
    add(-1);
    const timer = usesUnresponsiveSlot ? undefined : setTimeout(release, SLOT_MS);
    return () => {
      clearTimeout(timer);
      release();
    };
  };

  const start = (prepared: PreparedDelivery, leasedAs: LeaseClass): void => {
    const release = takeSlot(leasedAs);
    const done: Promise<void> = perform(delivering, prepared).finally(() => {
      running.delete(done);
      release();
      // The delivery's queue has capacity again, and a replay continues with its next event.
      if (hasMore || prepared.delivery.inBacklog) loop.wake();
    });
    running.add(done);
  };

  /** Leases due deliveries and starts their attempts. @returns whether more may be due. */
  const claim = async (): Promise<boolean> => {
    const free = { slots: freeSlots, unresponsiveSlots };
    const claimed = await claimDeliveries(pool, {
      worker,
      leaseMs: timeoutMs + LEASE_SLACK_MS,
      turns,
      ...free,
    });
    ({ turns, queues, hasMore } = claimed);
    const classes = new Map(claimed.deliveries.map(({ id, class: leasedAs }) => [id, leasedAs]));
    if (classes.size === 0) return false;
    for (const prepared of await prepare(delivering, [...classes.keys()]))
      start(prepared, classes.get(prepared.delivery.id) ?? "careful");
    return (
      classes.size >= Math.min(free.slots, free.unresponsiveSlots) || [...classes.values()].includes("first")
    );
  };

  const loop = startLoop({
    name: "delivery worker",
    intervalMs: POLL_INTERVAL_MS,
    restMs: () => IDLE_WAIT_MS + queues * IDLE_WAIT_PER_QUEUE_MS,
    log,
    async run() {
      if (freeSlots === 0 && unresponsiveSlots === 0) return undefined;
      return (await claim()) ? 0 : undefined;
    },
  });

  return {
    wake: loop.wake,
    async close() {
      await loop.close();
      const timer = setTimeout(() => abandon.abort(), FINISH_MS);
      await Promise.all(running);
      clearTimeout(timer);
    },
  };
}

type Delivering = DeliverOptions & Pick<DeliveryWorkerOptions, "pool" | "log">;

/** Reads leased deliveries. If that fails, postpones them all and returns an empty list. */
async function prepare(options: Delivering, ids: string[]): Promise<PreparedDelivery[]> {
  try {
    const deliveries = await readLeasedDeliveries(options.pool, ids, options.worker);
    const readAt = performance.now();
    const ownTime = Date.now();
    return deliveries.map((delivery) => {
      const now = () => new Date(delivery.readAt.getTime() + performance.now() - readAt);
      const isOff = Math.abs(ownTime - delivery.readAt.getTime()) > HEALTH_LIMITS.clockOffsetMs;
      // Either clock may be wrong, and receivers reject a signature with a wrong timestamp.
      const signingClock = isOff && delivery.attemptCount % 2 === 1 ? () => new Date() : now;
      return { delivery, now, signingClock };
    });
  } catch (error) {
    await postponeAll(options, ids, error);
    return [];
  }
}

/** Makes the attempt, or postpones the delivery if that is impossible (database unavailable, key missing). */
async function perform(options: Delivering, prepared: PreparedDelivery): Promise<void> {
  try {
    await deliver(options, prepared);
  } catch (error) {
    await postponeAll(options, [prepared.delivery.id], error);
  }
}

async function postponeAll({ pool, log, worker }: Delivering, ids: string[], error: unknown): Promise<void> {
  log.error(
    { err: error, deliveries: ids },
    "deliveries could not be attempted or recorded; they are retried later",
  );
  try {
    await postpone(pool, ids, worker, POSTPONE_MS);
  } catch (postponeError) {
    log.error(
      { err: postponeError, deliveries: ids },
      "could not postpone the deliveries; they are retried when their lease expires",
    );
  }
}

export function startOutbox(context: Context, listener: Listener): { close(): Promise<void> } {
  const { config, counters, database, keyring, log } = context;
  const { pool } = database;
  const timeoutMs = config.deliveryTimeoutMs;
  const privateAllowed = config.privateWebhookAddresses;
  const worker = startDeliveryWorker({
    pool,
    keyring,
    log,
    counters,
    connector: createGuardedConnector({ privateAllowed, timeoutMs }),
    privateAllowed,
    timeoutMs,
    maxConcurrent: config.deliveriesAtOnce,
  });
  const following = startLoop({
    name: "endpoint state job",
    intervalMs: POLL_INTERVAL_MS,
    restMs: FOLLOW_IDLE_WAIT_MS,
    log,
    async run() {
      if ((await applyEndpointStates(pool)) > 0) worker.wake();
      return undefined;
    },
  });
  const unsubscribe = listener.onAnyChange(() => {
    worker.wake();
    following.wake();
  });
  return {
    async close() {
      unsubscribe();
      await Promise.all([following.close(), worker.close()]);
    },
  };
}

async function applyEndpointStates(pool: pg.Pool): Promise<number> {
  let all = 0;
  for (;;) {
    const followed = await applyEndpointState(pool, FOLLOW_BATCH);
    if (followed === null) return all;
    all += followed;
  }
}

/** Queues from which a claim continues, so that every queue gets its turn. Each claim returns the values for the next claim. */
export type RoundRobin = { from: string; after: string; carefulAfter: string };

export type ClaimDeliveries = {
  worker: string;
  leaseMs: number;
  /** Free slots for receivers that respond or are new. */
  slots: number;
  /** Free slots for all other receivers. */
  unresponsiveSlots: number;
  turns: RoundRobin;
  /** Default: {@link MAX_CONCURRENT_ATTEMPTS}. */
  bounds?: typeof MAX_CONCURRENT_ATTEMPTS;
};

export type Claimed = {
  deliveries: { id: string; class: LeaseClass }[];
  turns: RoundRobin;
  /** Queues with waiting deliveries. */
  queues: number;
  /** Whether more deliveries are due than were leased. */
  hasMore: boolean;
};

/**
 * Leases due deliveries. Their contents are read in a separate statement, so that a process that stalls while reading does not block the
 * claims of other processes.
 */
export async function claimDeliveries(
  pool: Pick<pg.Pool, "query">,
  { worker, leaseMs, slots, unresponsiveSlots, turns, bounds = MAX_CONCURRENT_ATTEMPTS }: ClaimDeliveries,
): Promise<Claimed> {
  const claimed = await callOne(pool, ledger.claimDeliveries, {
    worker,
    leaseMs,
    places: slots,
    carefulPlaces: unresponsiveSlots,
    ...turns,
    bounds: JSON.stringify(bounds),
  });
  const { ids, classes } = claimed;
  return {
    deliveries: ids.map((id, index) => ({ id, class: classes[index] ?? "careful" })),
    turns: {
      from: claimed.next_from,
      after: claimed.next_after,
      carefulAfter: claimed.next_careful_after,
    },
    queues: claimed.visited,
    hasMore: claimed.has_more,
  };
}
