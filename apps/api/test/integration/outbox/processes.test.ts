import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { MAX_CONCURRENT_ATTEMPTS } from "../../../src/events/outbox/limits.js";
import { claimDeliveries, ROUND_ROBIN_START } from "../../../src/events/outbox/worker.js";
import { type FaultServer, startFaultServer } from "../../support/fault-server.js";
import { waitUntil } from "../../support/wait-until.js";
import { openSandbox, type Sandbox } from "./support/sandbox.js";
import { readDelivery, startWorkerProcess } from "./support/worker-process.js";

let sandbox: Sandbox;
let receiver: FaultServer;
let running: { close(): Promise<void> }[] = [];
let child: ChildProcess | undefined;

beforeAll(async () => {
  sandbox = await openSandbox();
  receiver = await startFaultServer();
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await Promise.all(running.map((item) => item.close()));
  running = [];
});
afterAll(async () => {
  await receiver.close();
  await sandbox.drop();
});

async function startProcess(environment?: Record<string, string>) {
  const process = await startWorkerProcess(sandbox, environment);
  running.push(process);
  return process;
}

async function createPaidOrder(address: string): Promise<string> {
  const id = await sandbox.createOrder({ callbackUrl: address });
  await sandbox.payOrder(id);
  return id;
}

const waitForStatus = (orderId: string, status: string, limitMs?: number) =>
  waitUntil(
    `the delivery is ${status}`,
    async () => {
      const delivery = await readDelivery(sandbox, orderId);
      return delivery.status === status && delivery;
    },
    limitMs,
  );

/** Leases all due deliveries, like a worker that dies before sending them. */
const claimAsDeadWorker = (leaseMs: number) =>
  claimDeliveries(sandbox.database.pool, {
    worker: randomUUID(),
    leaseMs,
    slots: 100,
    unresponsiveSlots: 100,
    turns: ROUND_ROBIN_START,
  });

describe("worker processes", () => {
  it("share deliveries and send each once", async () => {
    await Promise.all([startProcess(), startProcess(), startProcess()]);
    const address = receiver.urlOf("/slow");
    const orders = await Promise.all(Array.from({ length: 60 }, () => createPaidOrder(address)));
    for (const order of orders) await waitForStatus(order, "delivered", 20_000);
    const received = receiver.requestsTo("/slow");
    expect(received).toHaveLength(orders.length);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(orders.length);
    expect(received.every(({ concurrentDuplicates }) => concurrentDuplicates === 0)).toBe(true);
  });

  it("do not let an unresponsive receiver delay another receiver", async () => {
    const dead = await startFaultServer();
    try {
      const { context } = await startProcess({
        TILLGATE_DELIVERIES_AT_ONCE: "20",
        // Longer than the test waits for the other deliveries.
        TILLGATE_DELIVERY_TIMEOUT_MS: "60000",
      });
      for (let i = 0; i < 30; i += 1) await createPaidOrder(dead.urlOf("/hang"));
      context.changes.notify("any");
      await waitUntil("the hanging receiver has a delivery", () => dead.received.length > 0);
      const healthy = await Promise.all(
        Array.from({ length: 20 }, () => createPaidOrder(receiver.urlOf("/ok?healthy"))),
      );
      for (const order of healthy) context.changes.notify(order);
      for (const order of healthy) await waitForStatus(order, "delivered");
      // A new host gets one delivery at a time.
      expect(dead.received).toHaveLength(MAX_CONCURRENT_ATTEMPTS.first.lane);
    } finally {
      await dead.close();
    }
  });

  it("release deliveries in progress within 5 s of shutdown, for other processes to send", async () => {
    const leaving = await startProcess();
    const order = await createPaidOrder(receiver.urlOf("/hang?leaving"));
    leaving.context.changes.notify(order);
    await waitUntil("the attempt is in progress", () => receiver.requestsTo("/hang?leaving")[0]);
    const started = performance.now();
    await leaving.close();
    running = [];
    expect(performance.now() - started).toBeLessThan(4_500);
    expect(await readDelivery(sandbox, order)).toMatchObject({
      status: "queued",
      leased_until: null,
      attempt_count: 0,
    });
    await startProcess();
    await waitUntil("another process sends the event", () => receiver.requestsTo("/hang?leaving")[1]);
  });
});

describe("a delivery leased by a worker", () => {
  it("is taken over when the lease of a crashed worker expires, not before", async () => {
    const order = await createPaidOrder(receiver.urlOf("/ok?leased"));
    const { id } = await readDelivery(sandbox, order);
    const { deliveries } = await claimAsDeadWorker(2_000);
    expect(deliveries.map((delivery) => delivery.id)).toContain(id);
    await startProcess();
    const leased = performance.now();
    const received = await waitUntil("the event is received", () => receiver.requestsTo("/ok?leased")[0]);
    expect(received.at - leased).toBeGreaterThan(1_000);
    await waitForStatus(order, "delivered");
    expect(receiver.requestsTo("/ok?leased")).toHaveLength(1);
  });

  it("is recorded once even if an attempt ends after its lease has expired", async () => {
    const order = await createPaidOrder(receiver.urlOf("/hang-once?late"));
    const late = await startProcess({ TILLGATE_DELIVERY_TIMEOUT_MS: "3000" });
    late.context.changes.notify(order);
    await waitUntil("the first worker has sent the event", () => receiver.requestsTo("/hang-once?late")[0]);
    await sandbox.database.pool.query(
      "UPDATE deliveries SET leased_until = clock_timestamp() WHERE id = $1",
      [(await readDelivery(sandbox, order)).id],
    );
    const delivered = await waitForStatus(order, "delivered");
    expect(delivered.attempt_count).toBe(1);
    await late.close();
    running = [];
    expect(await readDelivery(sandbox, order)).toMatchObject({ status: "delivered", attempt_count: 1 });
  });

  it("is sent again with the same ID and body if the worker is killed before recording the attempt", async () => {
    const order = await createPaidOrder(receiver.urlOf("/hang-once"));
    child = fork(path.join(import.meta.dirname, "support/killed-worker.ts"), {
      execArgv: ["--import", "tsx"],
      env: { ...process.env, ...sandbox.environment },
    });
    const first = await waitUntil(
      "the worker has sent the event",
      () => receiver.requestsTo("/hang-once")[0],
      25_000,
    );
    child.kill("SIGKILL");
    expect(await readDelivery(sandbox, order)).toMatchObject({ status: "queued", attempt_count: 0 });
    await sandbox.database.pool.query(
      "UPDATE deliveries SET leased_until = clock_timestamp() WHERE leased_until IS NOT NULL",
    );
    await startProcess();
    await waitForStatus(order, "delivered", 20_000);
    const second = receiver.requestsTo("/hang-once")[1];
    expect(second?.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(second?.body.equals(first.body)).toBe(true);
  });
});
