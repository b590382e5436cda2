import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { startLoop } from "@tillgate/service";
import type pg from "pg";
import type { Logger } from "pino";
import { claimDeliveries, FIRST_TURN } from "./claim-deliveries.js";
import { type DeliverOptions, deliver, type PreparedDelivery } from "./deliver.js";
import {
  CAREFUL_TIMES,
  LEASE_SLACK_MS,
  type LeaseClass,
  LOOK_EVERY_MS,
  LOOK_REST_A_QUEUE_MS,
  LOOK_REST_MS,
  PLACE_MS,
  POSTPONE_MS,
} from "./limits.js";
import { postpone, readLeased } from "./queries.js";
import { startSettler } from "./settle-together.js";

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
export function startDeliveryWorker({ atOnce, ...options }: DeliveryWorkerOptions): DeliveryWorker {
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
