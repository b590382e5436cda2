import { afterAll, beforeAll, expect, it } from "vitest";
import { waitUntil } from "../../support/wait-until.js";
import { openSandbox, type Sandbox } from "../outbox/support/sandbox.js";
import { startWorkerProcess, type WorkerProcess } from "../outbox/support/worker-process.js";

const ORDERS = 1_000;
const DUE_IN_SECONDS = 4;
/** Limit in milliseconds on a machine that creates {@link REFERENCE_ORDERS} orders in {@link REFERENCE_MS}. */
const LIMIT_MS = 2_000;
const REFERENCE_ORDERS = 100;
const REFERENCE_MS = 200;

let sandbox: Sandbox;
let processes: WorkerProcess[] = [];

beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(async () => {
  await Promise.all(processes.map((item) => item.close()));
  await sandbox.drop();
});

/**
 * Measures the time in milliseconds to create {@link REFERENCE_ORDERS} orders sequentially, which depends on
 * the machine's current speed.
 */
async function measureOrderCreation(): Promise<number> {
  const startedAt = performance.now();
  for (let n = 0; n < REFERENCE_ORDERS; n += 1) await sandbox.createOrder({ expiresInSeconds: 3_600 });
  return performance.now() - startedAt;
}

it("a thousand orders that are due at the same time each expire once, with a notification, within 2 s scaled to the machine's speed, despite two workers", async () => {
  processes = [await startWorkerProcess(sandbox), await startWorkerProcess(sandbox)];
  const { pool } = sandbox.database;
  // Inserted directly, so that all are due at the same moment.
  await pool.query(
    `INSERT INTO orders (id, token, mode, merchant_id, credential_id, amount, currency, payment_method, callback_url, created_at, expires_at)
     SELECT 'ord_due_' || n, 'token_due_' || n, c.mode, c.merchant_id, c.id, 4150, 'EUR', 'both', NULL, now(), now() + $3 * interval '1 second'
     FROM credentials c, generate_series(1, $2) n WHERE c.client_id = $1`,
    [sandbox.access.merchant.client_id, ORDERS, DUE_IN_SECONDS],
  );
  const notified = new Set<string>();
  for (let n = 1; n <= ORDERS; n += 1)
    processes[0]?.listener.subscribe(`ord_due_${n}`, () => notified.add(`ord_due_${n}`));

  const before = await measureOrderCreation();
  await waitUntil(
    "all orders have expired",
    async () => {
      const { rowCount } = await pool.query(
        "SELECT FROM orders WHERE status = 'PENDING' AND id LIKE 'ord_due_%' LIMIT 1",
      );
      return rowCount === 0;
    },
    25_000,
  );
  const reference = Math.max(before, await measureOrderCreation());
  const { rows } = await pool.query<{
    orders: number;
    events: number;
    latest_ms: number;
    earliest_ms: number;
  }>(
    `SELECT count(DISTINCT o.id)::int AS orders, count(e.id)::int AS events,
            max(extract(epoch FROM e.created_at - o.expires_at) * 1000)::float8 AS latest_ms,
            min(extract(epoch FROM e.created_at - o.expires_at) * 1000)::float8 AS earliest_ms
     FROM orders o JOIN events e ON e.order_id = o.id AND e.name = 'pos.order.expired' WHERE o.status = 'EXPIRED'`,
  );
  const [result] = rows;
  expect(result).toMatchObject({ orders: ORDERS, events: ORDERS });
  expect(result?.earliest_ms).toBeGreaterThanOrEqual(0);
  // Scaled by the machine's speed.
  expect(result?.latest_ms).toBeLessThan(LIMIT_MS * Math.max(1, reference / REFERENCE_MS));
  await waitUntil("every order has a notification", () => notified.size === ORDERS);
});

it("the workers that expire orders also attempt to deliver the event to the order's callback_url", async () => {
  const id = await sandbox.createOrder({ callbackUrl: "http://127.0.0.1:1024/closed", expiresInSeconds: 1 });
  await waitUntil("the delivery is attempted", async () => {
    const { rowCount } = await sandbox.database.pool.query(
      `SELECT FROM attempts a JOIN deliveries d ON d.id = a.delivery_id JOIN events e ON e.id = d.event_id
       WHERE e.order_id = $1 AND e.name = 'pos.order.expired'`,
      [id],
    );
    return rowCount === 1;
  });
});
