import { setMaxListeners } from "node:events";
import type { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { type DeliverOptions, deliver } from "../outbox/deliver.js";
import { type ClaimedJob, DELIVERY_QUEUE, HOST_CONCURRENCY } from "../outbox/delivery-queue.js";
import { startLoop } from "./loop.js";

/** How often jobs are looked for when nothing wakes the worker, in milliseconds. */
const POLL_MS = 1_000;
/** How long deliveries under way may go on when the process ends, in milliseconds; then they are put back. */
const FINISH_MS = 2_500;

type DeliveryWorkerOptions = Omit<DeliverOptions, "abandon" | "log"> & {
  /** How many deliveries this process sends at the same time. */
  atOnce: number;
  log: Pick<Logger, "info" | "warn" | "error">;
};

export type DeliveryWorker = {
  /** Looks for jobs at once. */
  wake(): void;
  close(): Promise<void>;
};

/**
 * Sends what is queued. Jobs are fetched into free places and end one by one, and never more per host than its share,
 * so that a receiver that hangs holds up nobody else. (pg-boss's own `work` would need one polling loop per place, and
 * each of them waits out its poll after every job.)
 */
export function startDeliveryWorker({ atOnce, ...options }: DeliveryWorkerOptions): DeliveryWorker {
  const { boss, log } = options;
  const abandon = new AbortController();
  // Every delivery under way listens to it.
  setMaxListeners(atOnce, abandon.signal);
  const underWay = new Set<Promise<void>>();

  const loop = startLoop({
    name: "delivery worker",
    intervalMs: POLL_MS,
    log,
    async run() {
      while (underWay.size < atOnce) {
        const jobs = await boss.fetch(DELIVERY_QUEUE, {
          batchSize: atOnce - underWay.size,
          groupConcurrency: HOST_CONCURRENCY,
        });
        if (jobs.length === 0) break;
        for (const job of jobs) {
          const done: Promise<void> = perform({ ...options, abandon: abandon.signal }, job).finally(() => {
            underWay.delete(done);
            // A place is free, here and at the host.
            loop.wake();
          });
          underWay.add(done);
        }
      }
      return undefined;
    },
  });

  return {
    wake: () => loop.wake(),
    async close() {
      await loop.close();
      const patience = setTimeout(() => abandon.abort(), FINISH_MS);
      await Promise.all(underWay);
      clearTimeout(patience);
    },
  };
}

/** Makes the attempt. When that is impossible (the database is away, a key is missing) the job is tried again later. */
async function perform(
  options: DeliverOptions & { boss: PgBoss; log: Pick<Logger, "info" | "warn" | "error"> },
  job: ClaimedJob,
): Promise<void> {
  const { boss, log } = options;
  try {
    await deliver(options, job);
  } catch (error) {
    log.error({ err: error, delivery: job.id }, "a delivery could not be attempted or recorded");
    try {
      await boss.fail(DELIVERY_QUEUE, job, { message: "not attempted or not recorded; see the log" });
    } catch (failError) {
      log.error({ err: failError, delivery: job.id }, "its job stays with this worker until it expires");
    }
  }
}
