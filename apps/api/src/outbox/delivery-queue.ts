import type pg from "pg";
import type { Db, JobInsert, PgBoss } from "pg-boss";
import { hostOf } from "./host-of.js";
import {
  DELIVERIES_PER_HOST,
  JOB_RETRIES,
  JOB_RETRY_SECONDS,
  JOB_SLACK_SECONDS,
  RETRIES_PER_HOST,
} from "./limits.js";
import type { ClaimedDelivery } from "./queries.js";

/** The queue of deliveries that are due now. A job's id is its delivery's id, so no delivery has two jobs. */
export const DELIVERY_QUEUE = "deliver";

/** A job as it was fetched: the count says which attempt at it this is, so that a late worker ends nobody else's. */
export type ClaimedJob = { id: string; retryCount: number };

/** Tier of deliveries that have failed before. */
const RETRY_TIER = "retry";

/** How many jobs of one receiver's host may be active, over all processes. */
export const HOST_CONCURRENCY = { default: DELIVERIES_PER_HOST, tiers: { [RETRY_TIER]: RETRIES_PER_HOST } };

/** Makes the queue; harmless when it exists. */
export async function createDeliveryQueue(boss: PgBoss): Promise<void> {
  await boss.createQueue(DELIVERY_QUEUE, { retryLimit: JOB_RETRIES, retryDelay: JOB_RETRY_SECONDS });
}

/**
 * The job of a claimed delivery: grouped by the receiver's host, first attempts before retries.
 * @param timeoutMs how long the attempt may take; a job that takes much longer is given to another worker.
 */
export function deliveryJob(delivery: ClaimedDelivery, timeoutMs: number): JobInsert {
  const isRetry = delivery.tries > 0;
  return {
    id: delivery.id,
    priority: isRetry ? 0 : 1,
    expireInSeconds: Math.ceil(timeoutMs / 1_000) + JOB_SLACK_SECONDS,
    group: { id: hostOf(delivery.address), ...(isRetry && { tier: RETRY_TIER }) },
  };
}

/** Inserts jobs in the transaction of `client`. A delivery that has a job keeps it. */
export async function insertJobs(boss: PgBoss, client: pg.ClientBase, jobs: JobInsert[]): Promise<void> {
  await boss.insert(DELIVERY_QUEUE, jobs, { db: asBossDatabase(client) });
}

/** Removes jobs in the transaction of `client`; a job given with its attempt only while that attempt holds it. */
export async function removeJobs(
  boss: PgBoss,
  client: pg.ClientBase,
  jobs: string[] | ClaimedJob[],
): Promise<void> {
  if (jobs.length > 0) await boss.deleteJob(DELIVERY_QUEUE, jobs, { db: asBossDatabase(client) });
}

const asBossDatabase = (client: pg.ClientBase): Db => ({
  executeSql: (text, values) => client.query(text, values ? [...values] : undefined),
});
