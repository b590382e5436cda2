import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { callOne, ledger } from "@tillgate/database";
import { startLoop } from "@tillgate/service";
import type pg from "pg";
import type { Logger } from "pino";
import type { Context } from "../../context.js";
import type { Listener } from "../../platform/listener.js";
import { guardedConnector } from "./address-guard.js";
import { type DeliverOptions, deliver, type PreparedDelivery } from "./deliver.js";
import {
  BOUNDS,
  CAREFUL_TIMES,
  FOLLOW_BATCH,
  FOLLOW_REST_MS,
  LEASE_SLACK_MS,
  type LeaseClass,
  LOOK_EVERY_MS,
  LOOK_REST_A_QUEUE_MS,
  LOOK_REST_MS,
  PLACE_MS,
  POSTPONE_MS,
} from "./limits.js";
import { followReceiverState, postpone, readLeased } from "./queries.js";
import { startSettler } from "./settle-together.js";

export const FIRST_TURN: Turns = {
  from: "00000000-0000-0000-0000-000000000000",
  after: "00000000-0000-0000-0000-000000000000",
  carefulAfter: "00000000-0000-0000-0000-000000000000",
};

/** How long deliveries under way may go on when the process ends, in milliseconds; then they are put back. */
const FINISH_MS = 2_500;

export type DeliveryWorkerOptions = Omit<DeliverOptions, "abandon" | "log" | "settler" | "worker"> & {
  pool: pg.Pool;
  /** Places: how many deliveries this process sends at the same time, as long as they are answered. */
  atOnce: number;
  log: Pick<Logger, "info" | "warn" | "error">;
};

export type DeliveryWorker = {
  /** Looks for due deliveries at once. */
  wake(): void;
  close(): Promise<void>;
};

/**
 * Sends due deliveries. They are leased for free places and end one by one. Receivers that do not answer have separate
 * places, and any other attempt gives up its place when it takes long. So a hanging receiver blocks no other.
 */
function startDeliveryWorker({ atOnce, ...options }: DeliveryWorkerOptions): DeliveryWorker {
  const { pool, log, timeoutMs } = options;
  const worker = randomUUID();
  const settler = startSettler({ pool });
  const abandon = new AbortController();
  // Every delivery under way listens to it. Slow ones have no upper number that deserves a warning.
  setMaxListeners(0, abandon.signal);
  const delivering = { ...options, worker, settler, abandon: abandon.signal };
  const underWay = new Set<Promise<void>>();
  let places = atOnce;
  let carefulPlaces = atOnce * CAREFUL_TIMES;
  let turns = FIRST_TURN;
  let queues = 0;
  /** Whether the last look found more than it leased: then look again after every delivery that ends. */
  let hasMore = true;

  /** Takes a place. @returns the call that gives it back, once. */
  const takePlace = (leasedAs: LeaseClass): (() => void) => {
    const isCareful = leasedAs === "careful" || leasedAs === "slow";
    const add = (by: number) => {
      if (isCareful) carefulPlaces += by;
      else places += by;
    };
    let taken = true;
    const leave = () => {
      if (!taken) return;
      taken = false;
      add(1);
      if (hasMore) loop.wake();
    };
    add(-1);
    const patience = isCareful ? undefined : setTimeout(leave, PLACE_MS);
    return () => {
      clearTimeout(patience);
      leave();
    };
  };

  const start = (prepared: PreparedDelivery, leasedAs: LeaseClass): void => {
    const leave = takePlace(leasedAs);
    const done: Promise<void> = perform(delivering, prepared).finally(() => {
      underWay.delete(done);
      leave();
      // There is also room in its lane again, and a replay goes on with its next event.
      if (hasMore || prepared.delivery.inBacklog) loop.wake();
    });
    underWay.add(done);
  };

  /** Leases and starts deliveries for the free places. @returns whether there may be more. */
  const look = async (): Promise<boolean> => {
    const free = { places, carefulPlaces };
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
      classes.size >= Math.min(free.places, free.carefulPlaces) || [...classes.values()].includes("first")
    );
  };

  const loop = startLoop({
    name: "delivery worker",
    intervalMs: LOOK_EVERY_MS,
    restMs: () => LOOK_REST_MS + queues * LOOK_REST_A_QUEUE_MS,
    log,
    async run() {
      if (places === 0 && carefulPlaces === 0) return undefined;
      return (await look()) ? 0 : undefined;
    },
  });

  return {
    wake: loop.wake,
    async close() {
      await loop.close();
      const patience = setTimeout(() => abandon.abort(), FINISH_MS);
      await Promise.all(underWay);
      clearTimeout(patience);
    },
  };
}

type Delivering = DeliverOptions & Pick<DeliveryWorkerOptions, "pool" | "log">;

/** Reads what the attempts of leased deliveries need, all at once. A delivery that cannot be read now waits for a while. */
async function prepare(options: Delivering, ids: string[]): Promise<PreparedDelivery[]> {
  try {
    const deliveries = await readLeased(options.pool, ids, options.worker);
    const readAt = performance.now();
    return deliveries.map((delivery) => ({
      delivery,
      now: () => new Date(delivery.readAt.getTime() + performance.now() - readAt),
    }));
  } catch (error) {
    await later(options, ids, error);
    return [];
  }
}

/** Makes the attempt. If that is impossible (the database is away, a key is missing), the delivery waits. */
async function perform(options: Delivering, prepared: PreparedDelivery): Promise<void> {
  try {
    await deliver(options, prepared);
  } catch (error) {
    await later(options, [prepared.delivery.id], error);
  }
}

async function later({ pool, log, worker }: Delivering, ids: string[], error: unknown): Promise<void> {
  log.error({ err: error, deliveries: ids }, "deliveries could not be attempted or recorded");
  try {
    await postpone(pool, ids, worker, POSTPONE_MS);
  } catch (postponeError) {
    log.error({ err: postponeError, deliveries: ids }, "they stay with this worker until the lease ends");
  }
}

/**
 * Starts the sending of webhooks in this process: the delivery worker, and the job that applies receivers' states to
 * waiting deliveries.
 */
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
    connector: guardedConnector({ privateAllowed, timeoutMs }),
    privateAllowed,
    timeoutMs,
    atOnce: config.deliveriesAtOnce,
  });
  const following = startLoop({
    name: "following of receivers",
    intervalMs: LOOK_EVERY_MS,
    restMs: FOLLOW_REST_MS,
    log,
    async run() {
      if ((await followReceivers(pool)) > 0) worker.wake();
      return undefined;
    },
  });
  const endHints = listener.onAnything(() => {
    worker.wake();
    following.wake();
  });
  return {
    async close() {
      endHints();
      await Promise.all([following.close(), worker.close()]);
    },
  };
}

/** Applies changed states of receivers to their waiting deliveries, in short transactions. @returns how many did. */
async function followReceivers(pool: pg.Pool): Promise<number> {
  let all = 0;
  for (;;) {
    const followed = await followReceiverState(pool, FOLLOW_BATCH);
    if (followed === null) return all;
    all += followed;
  }
}

/** Where a worker's turns continue: one claim answers it and the next one takes it. */
export type Turns = { from: string; after: string; carefulAfter: string };

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
