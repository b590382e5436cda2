import { PassThrough } from "node:stream";
import { orderListResponseSchema } from "@tillgate/contract";
import { pino } from "pino";
import { expect, it } from "vitest";
import { expireOrders, readMsUntilNextExpiry } from "../../../src/jobs/expire-orders.js";
import { createOrder, getOrder, makeOverdue } from "../../support/orders.js";
import { createTestApi } from "../../support/test-api.js";

let logged = "";
const notified: string[] = [];

const { sandbox, api } = await createTestApi();

function run(): Promise<number> {
  const stream = new PassThrough();
  stream.on("data", (chunk) => {
    logged += chunk;
  });
  const { pool } = sandbox.database;
  return expireOrders({ pool, changes: { notify: (id) => notified.push(id) }, log: pino(stream) });
}

/** Makes every change of an order fail, and makes the order the first to expire. */
async function makeUnexpirable(orderId: string): Promise<void> {
  await sandbox.executeAsSuperuser(
    `SET session_replication_role = replica; UPDATE orders SET version = 2147483647, expires_at = now() - interval '1 hour' WHERE id = '${orderId}'`,
  );
}
const makeExpirable = (orderId: string) =>
  sandbox.executeAsSuperuser(
    `SET session_replication_role = replica; UPDATE orders SET version = 1 WHERE id = '${orderId}'`,
  );

it("an order that cannot be expired is logged and retried later, and does not block other orders", async () => {
  const failing = await createOrder(api);
  const others = await Promise.all(Array.from({ length: 8 }, () => createOrder(api)));
  await makeUnexpirable(failing.order_id);
  for (const { order_id } of others) await makeOverdue(sandbox, order_id);

  expect(await run()).toBe(others.length);
  expect(notified.toSorted()).toEqual(others.map(({ order_id }) => order_id).toSorted());
  for (const { order_id } of others) expect((await getOrder(api, order_id)).status).toBe("EXPIRED");
  const line = logged.split("\n").find((text) => text.includes("order_not_expired")) ?? "";
  expect(JSON.parse(line)).toMatchObject({ level: 50, orderId: failing.order_id, failures: 1 });

  // It is not retried early, and does not cause a busy loop.
  logged = "";
  expect(await run()).toBe(0);
  expect(logged).toBe("");
  expect((await readMsUntilNextExpiry(sandbox.database.pool)) ?? 1_000).toBeGreaterThan(0);

  // It fails again and backs off longer.
  const wakeUp = () =>
    sandbox.database.pool.query("UPDATE expiry_failures SET next_attempt_at = clock_timestamp()");
  await wakeUp();
  expect(await run()).toBe(0);
  const { rows } = await sandbox.database.pool.query(
    "SELECT failures, next_attempt_at - clock_timestamp() > interval '90 seconds' AS longer FROM expiry_failures",
  );
  expect(rows).toEqual([{ failures: 2, longer: true }]);

  await makeExpirable(failing.order_id);
  await wakeUp();
  expect(await run()).toBe(1);
  expect((await getOrder(api, failing.order_id)).status).toBe("EXPIRED");
});

it("GET /orders succeeds even if one of the listed orders cannot be expired", async () => {
  const failing = await createOrder(api, { reference: "sick list" });
  const due = await createOrder(api, { reference: "sick list" });
  await makeUnexpirable(failing.order_id);
  await makeOverdue(sandbox, due.order_id);
  await run();
  const { body, status } = await api.get("/orders", { reference: "sick list" });
  expect(status).toBe(200);
  const shown = new Map(
    orderListResponseSchema.parse(body).data.orders.map((order) => [order.order_id, order.status]),
  );
  expect(shown.get(due.order_id)).toBe("EXPIRED");
  await makeExpirable(failing.order_id);
  await sandbox.database.pool.query("UPDATE expiry_failures SET next_attempt_at = clock_timestamp()");
  expect(await run()).toBe(1);
});

it("a hundred orders that cannot be expired do not block the next order", async () => {
  const { rows } = await sandbox.database.pool.query(
    `INSERT INTO orders (id, token, mode, merchant_id, credential_id, amount, currency, payment_method, expires_at)
     SELECT 'POS-20260101-' || lpad(n::text, 6, '0'), 'sick' || n, mode, merchant_id, id, 100, 'EUR', 'both', now() - interval '1 minute'
     FROM credentials, generate_series(1, 100) n WHERE client_id = $1 RETURNING id`,
    [sandbox.access.merchant.client_id],
  );
  const ids = rows.map(({ id }) => `'${id}'`).join(",");
  await sandbox.executeAsSuperuser(
    `SET session_replication_role = replica; UPDATE orders SET version = 2147483647 WHERE id IN (${ids})`,
  );
  const healthy = await createOrder(api);
  await makeOverdue(sandbox, healthy.order_id);
  await run();
  await run();
  expect((await getOrder(api, healthy.order_id)).status).toBe("EXPIRED");
  await sandbox.executeAsSuperuser(
    `SET session_replication_role = replica; UPDATE orders SET version = 1 WHERE id IN (${ids})`,
  );
  await sandbox.database.pool.query("UPDATE expiry_failures SET next_attempt_at = clock_timestamp()");
  expect(await run()).toBe(100);
});
