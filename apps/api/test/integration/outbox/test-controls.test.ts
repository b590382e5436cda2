import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { clearTestControls, createTestControl } from "../../../src/sandbox/test-controls.js";
import type { ReceivedWebhook } from "../../support/fault-server.js";
import { type OutboxHarness, openOutboxHarness } from "./support/harness.js";
import type { WorkerProcess } from "./support/worker-process.js";

let engine: OutboxHarness;
let worker: WorkerProcess;
let merchantId: string;
beforeAll(async () => {
  engine = await openOutboxHarness();
  worker = await engine.start();
  const clientId = engine.sandbox.access.merchant.client_id;
  ({ merchantId } = await engine.sandbox.database.prisma.credential.findFirstOrThrow({
    where: { clientId },
  }));
});
afterEach(async () => {
  await clearTestControls(worker.context, merchantId);
});
afterAll(() => engine.close());

type Control = Parameters<typeof createTestControl>[2];
const createControl = (control: Control["control"], { count = 1, seconds = 30 } = {}) =>
  createTestControl(worker.context, merchantId, { control, count, seconds });

const receivedAt = (path: string) => engine.receiver.requestsTo(path);
const delivered = (status: string) => (delivery: { status: string }) => delivery.status === status;

function isGenuine(received: ReceivedWebhook): boolean {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  const headers = Object.fromEntries(names.map((name) => [name, String(received.headers[name])]));
  try {
    new Webhook(engine.sandbox.access.merchant.client_secret, { format: "raw" }).verify(
      String(received.body),
      headers,
    );
    return true;
  } catch {
    return false;
  }
}

it("test control delivery_twice sends one webhook twice with the same ID", async () => {
  await createControl("delivery_twice");
  const id = await engine.createPaidOrder(engine.receiver.urlOf("/ok?twice"));
  await engine.waitForDelivery(id, "the event is delivered", delivered("delivered"));
  const ids = receivedAt("/ok?twice").map(({ headers }) => headers["webhook-id"]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);

  const next = await engine.createPaidOrder(engine.receiver.urlOf("/ok?once"));
  await engine.waitForDelivery(next, "the event is delivered", delivered("delivered"));
  expect(receivedAt("/ok?once")).toHaveLength(1);
});

it("test control delivery_never abandons a delivery without an attempt, and records the reason", async () => {
  await createControl("delivery_never");
  const id = await engine.createPaidOrder(engine.receiver.urlOf("/ok?never"));
  const delivery = await engine.waitForDelivery(id, "the delivery has failed", delivered("failed"));
  expect(delivery).toMatchObject({ given_up_because: "test_control", attempt_count: 0 });
  expect(receivedAt("/ok?never")).toEqual([]);
});

it("test control delivery_badly_signed sends an invalid signature first, then a valid one", async () => {
  await createControl("delivery_badly_signed");
  const id = await engine.createPaidOrder(engine.receiver.urlOf("/fails-twice?signed"));
  for (const attempts of [1, 2]) {
    const failed = await engine.waitForDelivery(
      id,
      "the attempt has failed",
      (item) => item.attempt_count === attempts,
    );
    await engine.makeDue(failed.id);
  }
  await engine.waitForDelivery(id, "the event is delivered", delivered("delivered"));
  expect(receivedAt("/fails-twice?signed").map(isGenuine)).toEqual([false, true, true]);
});

it("test control delivery_late delays a delivery by the given time, or until the controls are cleared", async () => {
  await createControl("delivery_late", { seconds: 300 });
  const id = await engine.createPaidOrder(engine.receiver.urlOf("/ok?late"));
  const held = await engine.waitForDelivery(id, "the delivery waits", ({ wait_ms }) => wait_ms > 10_000);
  expect(held.wait_ms).toBeLessThanOrEqual(300_000);
  expect([held.status, held.attempt_count, receivedAt("/ok?late").length]).toEqual(["pending", 0, 0]);
  await clearTestControls(worker.context, merchantId);
  await engine.wake();
  await engine.waitForDelivery(id, "the event is delivered", delivered("delivered"));
  expect(receivedAt("/ok?late")).toHaveLength(1);
});

it("test control delivery_reversed holds an event until the receiver's next event has been sent", async () => {
  await createControl("delivery_reversed", { seconds: 300 });
  const address = engine.receiver.urlOf("/ok?reversed");
  const first = await engine.createPaidOrder(address);
  await engine.waitForDelivery(first, "the delivery waits", ({ status }) => status === "pending");
  const second = await engine.createPaidOrder(address);
  await engine.waitForDelivery(first, "the event is delivered", delivered("delivered"));
  const orders = receivedAt("/ok?reversed").map(({ body }) => JSON.parse(String(body)).data.order_id);
  expect(orders).toEqual([second, first]);
});

it("test control delivery_reversed sends the event after the maximum wait if no other event follows", async () => {
  await createControl("delivery_reversed", { seconds: 1 });
  const id = await engine.createPaidOrder(engine.receiver.urlOf("/ok?alone"));
  await engine.waitForDelivery(id, "the event is delivered", delivered("delivered"));
});

it("test controls do not affect other merchants", async () => {
  await engine.execute(
    "INSERT INTO test_controls (merchant_id, control, remaining, seconds) SELECT id, 'delivery_never', 1, 30 FROM merchants WHERE id <> $1",
    [merchantId],
  );
  const id = await engine.createPaidOrder(engine.receiver.urlOf("/ok?foreign"));
  await engine.waitForDelivery(id, "the event is delivered", delivered("delivered"));
});

it("a live delivery with a test control is rejected by the database", async () => {
  const id = await engine.createPaidOrder(engine.receiver.urlOf("/ok?live"));
  await engine.waitForDelivery(id, "the event is delivered", delivered("delivered"));
  await expect(
    engine.insertWithoutTriggers(
      `INSERT INTO deliveries (mode, event_id, credential_id, address, merchant_id, queue_id, lane_id, test_control, controlled_at, held_seconds)
       SELECT 'live', d.event_id, d.credential_id, d.address, d.merchant_id, d.queue_id, d.lane_id, 'delivery_never', now(), 1
       FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.order_id = $1`,
      [id],
    ),
  ).rejects.toMatchObject({ constraint: "deliveries_controlled_in_sandbox" });
});
