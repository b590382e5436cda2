import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { RETRY_STEPS_MS } from "../../../src/events/outbox/retry-schedule.js";
import { countOf } from "../../support/counts.js";
import { waitUntil } from "../../support/wait-until.js";
import { type OutboxHarness, openOutboxHarness } from "./support/harness.js";

let engine: OutboxHarness;
let child: ChildProcess | undefined;
beforeAll(async () => {
  engine = await openOutboxHarness();
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await engine.stopAll();
});
afterAll(() => engine.close());

function startKillableWorker(): ChildProcess {
  child = fork(path.join(import.meta.dirname, "support/killed-worker.ts"), {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, ...engine.sandbox.environment },
  });
  return child;
}

const endLeases = () =>
  engine.execute("UPDATE deliveries SET leased_until = clock_timestamp() WHERE leased_until IS NOT NULL");

const delivered = ({ status }: { status: string }) => status === "delivered";
const idsAt = (at: string) =>
  engine.receiver.requestsTo(at).map(({ headers }) => String(headers["webhook-id"]));

describe("crash of a worker", () => {
  it("loses no event between commit and send: the next process sends the event", async () => {
    // No worker runs while the payments commit, as if the worker died after each commit.
    const orders = [
      await engine.createPaidOrder(engine.receiver.urlOf("/ok?unsent")),
      await engine.createPaidOrder(engine.receiver.urlOf("/ok?unsent")),
    ];
    await engine.start();
    for (const order of orders) await engine.waitForDelivery(order, "the event is delivered", delivered);
    expect(new Set(idsAt("/ok?unsent")).size).toBe(2);
    expect(idsAt("/ok?unsent")).toHaveLength(2);
  });

  it("loses no retry (kill -9): the interrupted attempt is repeated with the same ID and number", async () => {
    const order = await engine.createPaidOrder(engine.receiver.urlOf("/hang-at-second"));
    await engine.start();
    const failed = await engine.waitForDelivery(
      order,
      "the first attempt has failed",
      (d) => d.attempt_count === 1 && d.status === "pending",
    );
    await engine.stopAll();
    const doomed = startKillableWorker();
    await engine.makeDue(failed.id);
    await waitUntil(
      "the worker makes its second attempt",
      () => engine.receiver.requestsTo("/hang-at-second")[1],
      25_000,
    );
    doomed.kill("SIGKILL");
    expect((await engine.deliveriesOf(order))[0]).toMatchObject({ status: "queued", attempt_count: 1 });
    await endLeases();
    await engine.start();
    expect(await engine.waitForDelivery(order, "the event is delivered", delivered, 20_000)).toMatchObject({
      attempt_count: 2,
    });
    expect(engine.receiver.requestsTo("/hang-at-second")).toHaveLength(3);
    expect(new Set(idsAt("/hang-at-second")).size).toBe(1);
  });
});

describe("retry schedule", () => {
  it("has eleven attempts over 76 hours, each within 20 % of its step, before the delivery is abandoned", async () => {
    await engine.start();
    const order = await engine.createPaidOrder(engine.receiver.urlOf("/500?schedule"));
    let hours = 0;
    for (const [index, step] of RETRY_STEPS_MS.entries()) {
      const waiting = await engine.waitForDelivery(
        order,
        `attempt ${index + 1} has failed`,
        (d) => d.attempt_count === index + 1 && d.status === "pending",
      );
      // Less than two seconds have passed since the retry was scheduled.
      expect(waiting.wait_ms).toBeGreaterThan(step * 0.8 - 2_000);
      expect(waiting.wait_ms).toBeLessThanOrEqual(step * 1.2);
      hours += step / 3_600_000;
      // No attempt is made before the step has passed, which `makeDue` simulates.
      expect(engine.receiver.requestsTo("/500?schedule")).toHaveLength(index + 1);
      await engine.makeDue(waiting.id);
    }
    expect(Math.round(hours)).toBe(76);
    expect(
      await engine.waitForDelivery(order, "the delivery has failed", ({ status }) => status === "failed"),
    ).toMatchObject({
      attempt_count: 11,
      given_up_because: "attempts_over",
    });
    expect(engine.receiver.requestsTo("/500?schedule")).toHaveLength(11);
  });
});

describe("a burst", () => {
  const EVENTS = countOf({ full: 10_000, reduced: 500 });
  const SECONDS = countOf({ full: 600, reduced: 60 });

  it(
    `is delivered by two workers within bounded memory, each of its ${EVENTS} events once`,
    async () => {
      const order = await engine.createPaidOrder(engine.receiver.urlOf("/ok?burst"));
      // Inserted with their deliveries: creating this many refunds would take longer than the burst.
      await engine.insertRefundEvents(order, EVENTS - 1);
      await engine.execute(
        `INSERT INTO deliveries (mode, event_id, credential_id, address)
         SELECT v.mode, v.id, o.credential_id, o.callback_url FROM events v JOIN orders o ON o.id = v.order_id
         WHERE v.order_id = $1 AND v.name = 'refund.completed'`,
        [order],
      );
      const before = process.memoryUsage().heapUsed;
      await Promise.all([engine.start(), engine.start()]);
      let most = 0;
      await waitUntil(
        "every event of the burst is delivered",
        async () => {
          most = Math.max(most, process.memoryUsage().heapUsed - before);
          const { rows } = await engine.sandbox.database.pool.query<{ left: number }>(
            "SELECT count(*)::int AS left FROM deliveries WHERE address = $1 AND status <> 'delivered'",
            [engine.receiver.urlOf("/ok?burst")],
          );
          return rows[0]?.left === 0;
        },
        SECONDS * 1_000,
      );
      const ids = idsAt("/ok?burst");
      expect(ids).toHaveLength(EVENTS);
      expect(new Set(ids).size).toBe(EVENTS);
      expect(
        engine.receiver
          .requestsTo("/ok?burst")
          .every(({ concurrentDuplicates }) => concurrentDuplicates === 0),
      ).toBe(true);
      // Includes what the receiver stores: a few KiB per event.
      expect(most).toBeLessThan(100_000_000 + EVENTS * 20_000);
    },
    SECONDS * 1_000 + 30_000,
  );
});

describe("49 receivers", () => {
  it("get their events while a fiftieth receiver does not respond", async () => {
    const addresses = Array.from({ length: 49 }, (_, n) => engine.receiver.urlOf(`/ok?of-fifty-${n}`));
    await engine.start({ TILLGATE_DELIVERY_TIMEOUT_MS: "15000" });
    const lost = [];
    for (let i = 0; i < 5; i += 1) lost.push(await engine.createPaidOrder(`${deadHost()}/hang?dead`));
    await waitUntil(
      "the hanging receiver has a delivery",
      () => engine.receiver.requestsTo("/hang?dead").length > 0,
    );
    const orders = await Promise.all(addresses.map((address) => engine.createPaidOrder(address)));
    for (const order of orders) await engine.waitForDelivery(order, "the event arrives", delivered, 14_000);
    for (const order of lost)
      expect((await engine.deliveriesOf(order))[0]).toMatchObject({ status: "queued", attempt_count: 0 });
  }, 40_000);
});

/** Returns the URL of the same server under another host name. */
const deadHost = (): string => engine.receiver.urlOf("").replace("127.0.0.1", "localhost");
