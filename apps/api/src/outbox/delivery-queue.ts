import type pg from "pg";
import type { Db, JobInsert, PgBoss } from "pg-boss";
import { hostOf } from "./host-of.js";
import {
  DELIVERIES_PER_HOST,
  JOB_RETRIES,
  JOB_RETRY_SECONDS,
  JOB_SLACK_SECONDS,
  RETRIES_PER_HOST,
  SUSPECTS_PER_MERCHANT,
  UNKNOWN_PER_MERCHANT,
} from "./limits.js";
import type { ClaimedDelivery } from "./queries.js";

/** The queue of deliveries that are due now. A job's id is its delivery's id, so no delivery has two jobs. */
export const DELIVERY_QUEUE = "deliver";

/** A job as it was fetched: the count says which attempt at it this is, so that a late worker ends nobody else's. */
export type ClaimedJob = { id: string; retryCount: number };

/** Tiers within a group: deliveries to a prompt host that failed before, and those to hosts that hung. */
const RETRY_TIER = "retry";
const SUSPECT_TIER = "suspect";

/** From this priority on, a job goes to a prompt host. */
const PROMPT_PRIORITY = 2;

/**
 * Two lanes in one queue, told apart by priority. Jobs to hosts known to be prompt are grouped by host; all others,
 * to hosts that nobody heard of or that hung, by merchant, so that one merchant with a thousand dead hosts holds as few
 * places as one with a single dead host. Each lane has places of its own in every worker.
 */
export const LANES = {
  prompt: {
    minPriority: PROMPT_PRIORITY,
    groupConcurrency: { default: DELIVERIES_PER_HOST, tiers: { [RETRY_TIER]: RETRIES_PER_HOST } },
  },
  careful: {
    maxPriority: PROMPT_PRIORITY - 1,
    groupConcurrency: { default: UNKNOWN_PER_MERCHANT, tiers: { [SUSPECT_TIER]: SUSPECTS_PER_MERCHANT } },
  },
} as const;
export type Lane = keyof typeof LANES;

/** Makes the queue; harmless when it exists. */
export async function createDeliveryQueue(boss: PgBoss): Promise<void> {
  await boss.createQueue(DELIVERY_QUEUE, { retryLimit: JOB_RETRIES, retryDelay: JOB_RETRY_SECONDS });
}

/**
 * The job of a claimed delivery: in each lane, what has never failed comes first.
 * @param prompt whether its host is; undefined: nobody has heard of it.
 * @param timeoutMs how long the attempt may take; a job that takes much longer is given to another worker.
 */
export function deliveryJob(
  delivery: ClaimedDelivery,
  prompt: boolean | undefined,
  timeoutMs: number,
): JobInsert {
  const base = { id: delivery.id, expireInSeconds: Math.ceil(timeoutMs / 1_000) + JOB_SLACK_SECONDS };
  const isRetry = delivery.tries > 0;
  if (prompt) {
    const group = { id: `host ${hostOf(delivery.address)}`, ...(isRetry && { tier: RETRY_TIER }) };
    return { ...base, priority: PROMPT_PRIORITY + (isRetry ? 0 : 1), group };
  }
  const isSuspect = prompt === false;
  const group = { id: `merchant ${delivery.owner}`, ...(isSuspect && { tier: SUSPECT_TIER }) };
  return { ...base, priority: isSuspect ? 0 : 1, group };
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
