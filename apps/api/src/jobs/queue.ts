import { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import { createDeliveryQueue } from "../outbox/delivery-queue.js";
import { JOB_CHECK_SECONDS } from "../outbox/limits.js";

/** Connections that pg-boss may open beside the pool of the process: fetching jobs, and its upkeep. */
const BOSS_CONNECTIONS = 3;

type QueueOptions = { databaseUrl: string; log: Pick<Logger, "error" | "warn"> };

/**
 * Starts pg-boss in the api's database, in a schema of its own, and makes the queues. The first start creates the
 * schema; processes that start together wait for each other. (The package asks for Node 22; nothing that is used here
 * needs more than 20.10, which the tests of the outbox prove by running on 20.)
 */
export async function startQueue({ databaseUrl, log }: QueueOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: "tillgate queue",
    schema: "pgboss",
    max: BOSS_CONNECTIONS,
    schedule: false,
    superviseIntervalSeconds: JOB_CHECK_SECONDS,
    monitorIntervalSeconds: JOB_CHECK_SECONDS,
  });
  boss.on("error", (error) => log.error({ err: error }, "the job queue reports an error"));
  boss.on("warning", ({ message, data }) => log.warn({ data }, `the job queue warns: ${message}`));
  await boss.start();
  try {
    await createDeliveryQueue(boss);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
  return boss;
}
