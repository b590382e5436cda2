import { CHANGES_CHANNEL } from "../../../../src/platform/change-notifier.js";
import { type FaultServer, startFaultServer } from "../../../support/fault-server.js";
import { waitUntil } from "../../../support/wait-until.js";
import { openSandbox, type Sandbox } from "./sandbox.js";
import { startWorkerProcess, type WorkerProcess } from "./worker-process.js";

export type DeliveryState = {
  id: string;
  event_id: string;
  status: string;
  attempt_count: number;
  attempts_before: number;
  given_up_because: string | null;
  /** Time until the next attempt, in milliseconds. */
  wait_ms: number;
};

export type ReceiverState = {
  failures_in_row: number;
  failing_since: Date | null;
  warned_at: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
  last_success_at: Date | null;
  last_failure_kind: string | null;
  last_failure_status: number | null;
  deliveries_lag: boolean;
};

export type TimelineEntry = { kind: string; receiver_id: string | null; details: Record<string, unknown> };

/** A sandbox with a fault server, any number of workers, and helpers for delivery tests. */
export type OutboxHarness = {
  sandbox: Sandbox;
  receiver: FaultServer;
  start(environment?: Record<string, string>): Promise<WorkerProcess>;
  stopAll(): Promise<void>;
  /** Creates and pays an order, and wakes the workers. */
  createPaidOrder(callbackUrl?: string): Promise<string>;
  createPaidOrders(callbackUrls: readonly string[]): Promise<string[]>;
  /** Reads the deliveries of an order's events, oldest first. */
  deliveriesOf(orderId: string): Promise<DeliveryState[]>;
  waitForDelivery(
    orderId: string,
    what: string,
    is: (delivery: DeliveryState) => boolean,
    limitMs?: number,
  ): Promise<DeliveryState>;
  receiverOf(id: string): Promise<ReceiverState>;
  /** Reads the merchant's timeline, oldest entry first. */
  timeline(): Promise<TimelineEntry[]>;
  /** Makes a scheduled retry due now. */
  makeDue(deliveryId: string): Promise<void>;
  wake(): Promise<void>;
  execute(sql: string, parameters?: unknown[]): Promise<number>;
  /** Runs SQL without triggers and foreign keys, as when a backup is restored. */
  insertWithoutTriggers(sql: string, parameters?: unknown[]): Promise<void>;
  insertRefundEvents(orderId: string, count: number): Promise<void>;
  close(): Promise<void>;
};

export async function openOutboxHarness(): Promise<OutboxHarness> {
  const sandbox = await openSandbox();
  const receiver = await startFaultServer();
  const { pool } = sandbox.database;
  let running: WorkerProcess[] = [];
  const wake = async () => {
    await pool.query("SELECT pg_notify($1, '[]')", [CHANGES_CHANNEL]);
  };
  const deliveriesOf = async (orderId: string) =>
    (
      await pool.query<DeliveryState>(
        `SELECT d.*, (extract(epoch FROM d.next_attempt_at - clock_timestamp()) * 1000)::float8 AS wait_ms
         FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.order_id = $1 ORDER BY d.created_at`,
        [orderId],
      )
    ).rows;
  const stopAll = async () => {
    await Promise.all(running.map((item) => item.close()));
    running = [];
  };
  const restore = async (sql: string, parameters?: unknown[]) => {
    const client = await pool.connect();
    try {
      await client.query("SET ROLE NONE");
      await client.query("SET session_replication_role = replica");
      await client.query(sql, parameters);
    } finally {
      client.release(true);
    }
  };
  return {
    sandbox,
    receiver,
    async start(environment) {
      const process = await startWorkerProcess(sandbox, environment);
      running.push(process);
      return process;
    },
    stopAll,
    async createPaidOrder(callbackUrl) {
      const id = await sandbox.createOrder(callbackUrl === undefined ? {} : { callbackUrl });
      await sandbox.payOrder(id);
      await wake();
      return id;
    },
    async createPaidOrders(callbackUrls) {
      const ids = await sandbox.createPaidOrders(callbackUrls);
      await wake();
      return ids;
    },
    deliveriesOf,
    waitForDelivery: (orderId, what, is, limitMs) =>
      waitUntil(
        what,
        async () => {
          const [delivery, ...more] = await deliveriesOf(orderId);
          if (more.length > 0) throw new Error(`order ${orderId} has several deliveries`);
          return delivery && is(delivery) && delivery;
        },
        limitMs,
      ),
    async receiverOf(id) {
      const [row] = (await pool.query<ReceiverState>("SELECT * FROM receivers WHERE id = $1", [id])).rows;
      if (!row) throw new Error(`there is no receiver ${id}`);
      return row;
    },
    timeline: async () =>
      (await pool.query<TimelineEntry>("SELECT * FROM timeline_entries ORDER BY id")).rows,
    async makeDue(deliveryId) {
      await pool.query(
        "UPDATE deliveries SET next_attempt_at = clock_timestamp() WHERE id = $1 AND status = 'pending'",
        [deliveryId],
      );
      await wake();
    },
    wake,
    execute: async (sql, parameters) => (await pool.query(sql, parameters)).rowCount ?? 0,
    insertWithoutTriggers: restore,
    insertRefundEvents: (orderId, count) =>
      restore(
        `INSERT INTO events (id, mode, merchant_id, name, order_id, refund_id, body)
         SELECT 'evt_' || replace(gen_random_uuid()::text, '-', ''), mode, merchant_id, 'refund.completed', order_id, 'RF-' || nth, body
         FROM events, generate_series(1, $2) AS nth WHERE order_id = $1`,
        [orderId, count],
      ),
    async close() {
      await stopAll();
      await receiver.close();
      await sandbox.drop();
    },
  };
}
