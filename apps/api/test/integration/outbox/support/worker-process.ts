import type { Context } from "../../../../src/context.js";
import { startWorkers } from "../../../../src/jobs/workers.js";
import { type Listener, startListener } from "../../../../src/platform/listener.js";
import type { Sandbox } from "./sandbox.js";

export type WorkerProcess = { context: Context; listener: Listener; close(): Promise<void> };

/** Starts the workers of one process. Several calls simulate several processes. */
export async function startWorkerProcess(
  sandbox: Sandbox,
  environment?: Record<string, string>,
): Promise<WorkerProcess> {
  const context = sandbox.context(environment);
  const listener = startListener({ directUrl: sandbox.url, log: context.log });
  const workers = await startWorkers(context, listener);
  return {
    context,
    listener,
    async close() {
      await workers.close();
      await listener.close();
    },
  };
}

export type DeliveryRow = {
  id: string;
  status: string;
  attempt_count: number;
  leased_until: Date | null;
  /** Time until the next attempt, in milliseconds. */
  wait_ms: number;
  event_id: string;
};

export async function readDelivery(sandbox: Sandbox, orderId: string): Promise<DeliveryRow> {
  const { rows } = await sandbox.database.pool.query<DeliveryRow>(
    `SELECT d.id, d.status, d.attempt_count, d.event_id, d.leased_until, (extract(epoch FROM d.next_attempt_at - clock_timestamp()) * 1000)::float8 AS wait_ms
     FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.order_id = $1`,
    [orderId],
  );
  const [row] = rows;
  if (!row) throw new Error(`order ${orderId} has no delivery`);
  return row;
}
