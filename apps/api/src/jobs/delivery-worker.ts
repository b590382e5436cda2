import { setMaxListeners } from "node:events";
import type pg from "pg";
import type { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { type DeliverOptions, deliver, type PreparedJob, prepareJobs } from "../outbox/deliver.js";
import { type ClaimedJob, DELIVERY_QUEUE, LANES, type Lane } from "../outbox/delivery-queue.js";
import { CAREFUL_SHARE, LOOK_REST_MS, SLOW_AFTER_MS } from "../outbox/limits.js";
import { startSettler } from "../outbox/settle-together.js";
import { startLoop } from "./loop.js";

/** How often jobs are looked for when nothing wakes the worker, in milliseconds. */
const POLL_MS = 1_000;
const BOTH = ["prompt", "careful"] as const satisfies readonly Lane[];
/** How long deliveries under way may go on when the process ends, in milliseconds; then they are put back. */
const FINISH_MS = 2_500;

type DeliveryWorkerOptions = Omit<DeliverOptions, "abandon" | "log" | "settler"> & {
  pool: pg.Pool;
  boss: PgBoss;
  /** Places: how many deliveries this process sends at the same time, as long as hosts are prompt. */
  atOnce: number;
  log: Pick<Logger, "info" | "warn" | "error">;
};

export type DeliveryWorker = {
  /** Looks for jobs at once. */
  wake(): void;
  close(): Promise<void>;
};

/**
 * Sends what is queued. Jobs are fetched into free places and end one by one. Hosts that are not known to be prompt have a
 * third of the places, however many there are, so the others always find theirs; and an attempt at a prompt host that
 * has taken long gives its place up, so that hosts which begin to hang hold up others for a moment only. (pg-boss's own
 * `work` would need one polling loop per place, and each of them waits out its poll after every job.)
 */
export function startDeliveryWorker({ atOnce, ...options }: DeliveryWorkerOptions): DeliveryWorker {
  const { pool, boss, log } = options;
  const settler = startSettler({ pool, boss });
  const abandon = new AbortController();
  // Every delivery under way listens to it; slow ones have no upper number that is worth a warning.
  setMaxListeners(0, abandon.signal);
  const underWay = new Set<Promise<void>>();
  const carefulPlaces = Math.max(1, Math.floor(atOnce / CAREFUL_SHARE));
  const free: Record<Lane, number> = { careful: carefulPlaces, prompt: Math.max(1, atOnce - carefulPlaces) };

  /** Where to look next; everywhere when nothing has happened since the last look. */
  const wanted = new Set<Lane>();
  const lookIn = (...lanes: readonly Lane[]): void => {
    for (const lane of lanes) wanted.add(lane);
    loop.wake();
  };

  const start = (prepared: PreparedJob, lane: Lane): void => {
    free[lane] -= 1;
    let holdsPlace = true;
    const leave = () => {
      if (!holdsPlace) return;
      holdsPlace = false;
      free[lane] += 1;
      lookIn(lane);
    };
    const patience = lane === "prompt" ? setTimeout(leave, SLOW_AFTER_MS) : undefined;
    const done: Promise<void> = perform({ ...options, settler, abandon: abandon.signal }, prepared).finally(
      () => {
        underWay.delete(done);
        clearTimeout(patience);
        leave();
        // There is also a place at the host or the merchant again.
        lookIn(lane);
      },
    );
    underWay.add(done);
  };

  // Jobs that cannot be read now are tried again later, as those that cannot be attempted.
  const prepare = async (jobs: ClaimedJob[], lane: Lane): Promise<PreparedJob[]> => {
    try {
      return await prepareJobs(pool, jobs, lane);
    } catch (error) {
      await Promise.all(jobs.map((job) => postpone(options, job, error)));
      return [];
    }
  };

  /** Starts what there is for the lane's free places. */
  const lookAt = async (lane: Lane): Promise<void> => {
    while (free[lane] > 0) {
      const jobs = await boss.fetch(DELIVERY_QUEUE, { batchSize: free[lane], ...LANES[lane] });
      if (jobs.length === 0) return;
      for (const prepared of await prepare(jobs, lane)) start(prepared, lane);
    }
  };

  const loop = startLoop({
    name: "delivery worker",
    intervalMs: POLL_MS,
    restMs: LOOK_REST_MS,
    log,
    async run() {
      const lanes = BOTH.filter((lane) => wanted.size === 0 || wanted.has(lane));
      wanted.clear();
      try {
        for (const lane of lanes) await lookAt(lane);
      } catch (error) {
        // What was to be looked for is not forgotten with the failure.
        for (const lane of lanes) wanted.add(lane);
        throw error;
      }
      return undefined;
    },
  });

  return {
    wake: () => lookIn(...BOTH),
    async close() {
      await loop.close();
      const patience = setTimeout(() => abandon.abort(), FINISH_MS);
      await Promise.all(underWay);
      clearTimeout(patience);
    },
  };
}

type Performing = DeliverOptions & Pick<DeliveryWorkerOptions, "boss" | "log">;

/** Makes the attempt. When that is impossible (the database is away, a key is missing) the job is tried again later. */
async function perform(options: Performing, prepared: PreparedJob): Promise<void> {
  try {
    await deliver(options, prepared);
  } catch (error) {
    await postpone(options, prepared.job, error);
  }
}

async function postpone(
  { boss, log }: Pick<DeliveryWorkerOptions, "boss" | "log">,
  job: ClaimedJob,
  error: unknown,
): Promise<void> {
  log.error({ err: error, delivery: job.id }, "a delivery could not be attempted or recorded");
  try {
    await boss.fail(DELIVERY_QUEUE, job, { message: "not attempted or not recorded; see the log" });
  } catch (failError) {
    log.error({ err: failError, delivery: job.id }, "its job stays with this worker until it expires");
  }
}
