import { CHANGES_CHANNEL } from "../../../../src/platform/change-notifier.js";
import { type FaultServer, startFaultServer } from "../../../support/fault-server.js";
import { until } from "../../../support/until.js";
import { openSandbox, type Sandbox } from "./sandbox.js";
import { startWorkerProcess, type WorkerProcess } from "./worker-process.js";

/** A delivery as its row says. */
export type DeliveryState = {
  id: string;
  event_id: string;
  status: string;
  attempt_count: number;
  attempts_before: number;
  given_up_because: string | null;
  /** How long until the next attempt, in milliseconds. */
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

export type Entry = { kind: string; receiver_id: string | null; details: Record<string, unknown> };

/** A sandbox with one fault server, any number of worker processes, and what tests of deliveries ask and do. */
export type Engine = {
  sandbox: Sandbox;
  receiver: FaultServer;
  start(environment?: Record<string, string>): Promise<WorkerProcess>;
  stopAll(): Promise<void>;
  /** Makes and pays an order; its event goes to `callbackUrl`, when one is given, and to endpoints. */
  pay(callbackUrl?: string): Promise<string>;
  /** The same for many: one order for each address. */
  payMany(callbackUrls: readonly string[]): Promise<string[]>;
  /** The deliveries of an order's events, oldest first. */
  deliveriesOf(orderId: string): Promise<DeliveryState[]>;
  /** The one delivery of an order, once it is as wanted. */
  delivery(
    orderId: string,
    what: string,
    is: (delivery: DeliveryState) => boolean,
    limitMs?: number,
  ): Promise<DeliveryState>;
  receiverOf(id: string): Promise<ReceiverState>;
  /** The merchant's timeline, oldest first. */
  timeline(): Promise<Entry[]>;
  /** Makes a waiting retry due now, as if its time had come. */
  passTime(deliveryId: string): Promise<void>;
  /** Wakes the workers. */
  wake(): Promise<void>;
  change(sql: string, parameters?: unknown[]): Promise<number>;
  /** Writes rows as a restored backup does: without triggers and foreign keys. */
  restore(sql: string, parameters?: unknown[]): Promise<void>;
  /** Restores so many events of refunds of a paid order, each of a refund of its own, without deliveries. */
  restoreRefundEvents(orderId: string, count: number): Promise<void>;
  close(): Promise<void>;
};

export async function openEngine(): Promise<Engine> {
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
    await Promise.all(running.map((one) => one.close()));
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
    async pay(callbackUrl) {
      const id = await sandbox.createOrder(callbackUrl === undefined ? {} : { callbackUrl });
      await sandbox.payOrder(id);
      await wake();
      return id;
    },
    async payMany(callbackUrls) {
      const ids = await sandbox.paidOrders(callbackUrls);
      await wake();
      return ids;
    },
    deliveriesOf,
    delivery: (orderId, what, is, limitMs) =>
      until(
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
    timeline: async () => (await pool.query<Entry>("SELECT * FROM timeline_entries ORDER BY id")).rows,
    async passTime(deliveryId) {
      await pool.query(
        "UPDATE deliveries SET next_attempt_at = clock_timestamp() WHERE id = $1 AND status = 'pending'",
        [deliveryId],
      );
      await wake();
    },
    wake,
    change: async (sql, parameters) => (await pool.query(sql, parameters)).rowCount ?? 0,
    restore,
    restoreRefundEvents: (orderId, count) =>
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
