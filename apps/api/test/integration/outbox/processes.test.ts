import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startQueue } from "../../../src/jobs/queue.js";
import { DELIVERY_QUEUE } from "../../../src/outbox/delivery-queue.js";
import { relayDue } from "../../../src/outbox/relay.js";
import { type FaultServer, startFaultServer } from "../../support/fault-server.js";
import { until } from "../../support/until.js";
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
  await Promise.all(running.map((one) => one.close()));
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

async function payTo(address: string): Promise<string> {
  const id = await sandbox.createOrder({ callbackUrl: address });
  await sandbox.payOrder(id);
  return id;
}

const settled = (orderId: string, status: string, limitMs?: number) =>
  until(
    `the delivery is ${status}`,
    async () => {
      const delivery = await readDelivery(sandbox, orderId);
      return delivery.status === status && delivery;
    },
    limitMs,
  );

/** Lets the time pass after which jobs of a dead worker are given to another. */
const ageJobs = () =>
  sandbox.database.pool.query(
    "UPDATE pgboss.job SET started_on = started_on - interval '1 hour' WHERE state = 'active'",
  );

describe("several worker processes", () => {
  it("share the work and never send one delivery at the same moment or twice", async () => {
    await Promise.all([startProcess(), startProcess(), startProcess()]);
    const address = receiver.address("/slow");
    const orders = await Promise.all(Array.from({ length: 60 }, () => payTo(address)));
    for (const order of orders) await settled(order, "delivered", 20_000);
    const received = receiver.at("/slow");
    expect(received).toHaveLength(orders.length);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(orders.length);
    expect(received.every(({ sameAtOnce }) => sameAtOnce === 0)).toBe(true);
  });

  it("do not let a receiver that hangs delay another receiver", async () => {
    const dead = await startFaultServer();
    try {
      const { context } = await startProcess({
        TILLGATE_DELIVERIES_AT_ONCE: "20",
        TILLGATE_DELIVERY_TIMEOUT_MS: "5000",
      });
      for (let i = 0; i < 30; i += 1) await payTo(dead.address("/hang"));
      context.hints.changed("any");
      await until("the dead receiver holds its share", () => dead.received.length >= 4);
      const started = performance.now();
      const healthy = await Promise.all(
        Array.from({ length: 20 }, () => payTo(receiver.address("/ok?healthy"))),
      );
      for (const order of healthy) context.hints.changed(order);
      for (const order of healthy) await settled(order, "delivered");
      expect(performance.now() - started).toBeLessThan(3_000);
      expect(dead.received).toHaveLength(4);
    } finally {
      await dead.close();
    }
  });

  it("put deliveries under way back when they are asked to end, within 5 s, for others to send", async () => {
    const leaving = await startProcess();
    const order = await payTo(receiver.address("/hang?leaving"));
    leaving.context.hints.changed(order);
    await until("the attempt is under way", () => receiver.at("/hang?leaving")[0]);
    const started = performance.now();
    await leaving.close();
    running = [];
    expect(performance.now() - started).toBeLessThan(4_500);
    expect(await readDelivery(sandbox, order)).toMatchObject({ status: "pending", attempt_count: 0 });
    await startProcess();
    await until("another process sends it", () => receiver.at("/hang?leaving")[1]);
  });
});

describe("after a crash", () => {
  it("a delivery that is queued without a job is found and sent", async () => {
    const order = await payTo(receiver.address("/ok?lost"));
    await sandbox.database.pool.query(
      "UPDATE deliveries SET status = 'queued', next_attempt_at = now() - interval '1 minute' WHERE id = $1",
      [(await readDelivery(sandbox, order)).id],
    );
    await startProcess();
    await settled(order, "delivered");
    expect(receiver.at("/ok?lost")).toHaveLength(1);
  });

  it("a delivery whose job has ended without it is found and sent", async () => {
    const order = await payTo(receiver.address("/ok?ended"));
    const boss = await startQueue({ databaseUrl: sandbox.url, log: sandbox.context().log });
    await relayDue({ pool: sandbox.database.pool, boss, timeoutMs: 1_000 });
    const { id } = await readDelivery(sandbox, order);
    await boss.cancel(DELIVERY_QUEUE, id);
    await boss.stop({ graceful: false });
    await sandbox.database.pool.query(
      "UPDATE deliveries SET next_attempt_at = now() - interval '1 minute' WHERE id = $1",
      [id],
    );
    await startProcess();
    await settled(order, "delivered");
    expect(receiver.at("/ok?ended")).toHaveLength(1);
  });

  it("a job that a dead worker took goes to another worker", async () => {
    const order = await payTo(receiver.address("/ok?taken"));
    const boss = await startQueue({ databaseUrl: sandbox.url, log: sandbox.context().log });
    await relayDue({ pool: sandbox.database.pool, boss, timeoutMs: 1_000 });
    const taken = await boss.fetch(DELIVERY_QUEUE, { batchSize: 100 });
    expect(taken.map(({ id }) => id)).toContain((await readDelivery(sandbox, order)).id);
    await boss.stop({ graceful: false });
    await ageJobs();
    await startProcess();
    await settled(order, "delivered", 20_000);
    expect(receiver.at("/ok?taken")).toHaveLength(1);
  });

  it("a worker that is killed between sending and recording loses nothing: the same id and bytes come again", async () => {
    const order = await payTo(receiver.address("/hang-once"));
    child = fork(path.join(import.meta.dirname, "support/killed-worker.ts"), {
      execArgv: ["--import", "tsx"],
      env: { ...process.env, ...sandbox.environment },
    });
    const first = await until("the doomed worker has sent it", () => receiver.at("/hang-once")[0], 25_000);
    child.kill("SIGKILL");
    expect(await readDelivery(sandbox, order)).toMatchObject({ status: "queued", attempt_count: 0 });
    await ageJobs();
    await startProcess();
    await settled(order, "delivered", 20_000);
    const second = receiver.at("/hang-once")[1];
    expect(second?.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(second?.body.equals(first.body)).toBe(true);
  });
});
