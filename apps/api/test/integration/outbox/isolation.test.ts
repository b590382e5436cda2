import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { MAX_CONCURRENT_ATTEMPTS } from "../../../src/events/outbox/limits.js";
import { type FaultServer, startFaultServer } from "../../support/fault-server.js";
import { waitUntil } from "../../support/wait-until.js";
import { type OutboxHarness, openOutboxHarness } from "./support/harness.js";

/** Time limit of a prompt delivery in milliseconds, including polling, notification and a busy machine. */
const PROMPT_MS = 2_500;

let engine: OutboxHarness;
let servers: FaultServer[] = [];

beforeAll(async () => {
  engine = await openOutboxHarness();
});
afterEach(async () => {
  await engine.stopAll();
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
  await engine.execute(
    "UPDATE deliveries SET status = 'failed', settled_at = clock_timestamp() WHERE status NOT IN ('delivered', 'failed')",
  );
  await engine.execute("UPDATE receivers SET removed_at = clock_timestamp() WHERE removed_at IS NULL");
  await engine.execute("DELETE FROM delivery_lanes");
});
afterAll(() => engine.close());

/** Starts receivers on different ports, each of which counts as a separate host. */
async function startReceivers(count: number): Promise<FaultServer[]> {
  const createdCount = await Promise.all(Array.from({ length: count }, () => startFaultServer()));
  servers.push(...createdCount);
  return createdCount;
}
const startReceiver = async (): Promise<FaultServer> => {
  const [created] = await startReceivers(1);
  if (!created) throw new Error("there is no receiver");
  return created;
};

const createPaidOrders = (count: number, address: string): Promise<string[]> =>
  engine.createPaidOrders(Array.from({ length: count }, () => address));

/** Measures the time from `act` to the next request to the path, in milliseconds. */
async function measureArrival(
  server: FaultServer,
  path: string,
  act: () => Promise<unknown>,
): Promise<number> {
  const before = server.requestsTo(path).length;
  const started = performance.now();
  await act();
  const received = await waitUntil(
    `another request to ${path} arrives`,
    () => server.requestsTo(path)[before],
    60_000,
  );
  return received.at - started;
}

describe("an unresponsive receiver", () => {
  it("does not delay deliveries to another endpoint of the merchant, nor the retry of a delivery that first got a 500 response after 3 s", async () => {
    await engine.start();
    const [hanging, healthy] = await startReceivers(2);
    if (!hanging || !healthy) throw new Error("two receivers are needed");
    const dead = await engine.sandbox.addReceiver(hanging.urlOf("/hang"), ["pos.order.paid"]);
    await Promise.all(Array.from({ length: 40 }, () => engine.createPaidOrder()));
    await waitUntil("the hanging receiver has a delivery", () => hanging.received.length > 0);
    await engine.execute("UPDATE receivers SET events = '{pos.order.expired}' WHERE id = $1", [dead.id]);
    await engine.sandbox.addReceiver(healthy.urlOf("/slow-500-at-first"), ["pos.order.paid"]);

    const failing = await engine.createPaidOrder();
    const failed = await engine.waitForDelivery(
      failing,
      "the 500 response is recorded",
      (d) => d.attempt_count === 1,
    );
    for (let i = 0; i < 5; i += 1)
      expect(
        await measureArrival(healthy, "/slow-500-at-first", () => engine.createPaidOrder()),
      ).toBeLessThan(PROMPT_MS);
    const retried = await engine.waitForDelivery(
      failing,
      "the retry arrives",
      ({ status }) => status === "delivered",
      failed.wait_ms + PROMPT_MS,
    );
    expect(retried.attempt_count).toBe(2);
  }, 90_000);

  it("does not delay deliveries to another path of the host, even on the first call to both", async () => {
    await engine.start();
    const server = await startReceiver();
    await createPaidOrders(40, server.urlOf("/hang"));
    await waitUntil("the hanging path has a delivery", () => server.received.length > 0);
    expect(
      await measureArrival(server, "/ok", () => engine.createPaidOrder(server.urlOf("/ok"))),
    ).toBeLessThan(PROMPT_MS);
    for (let i = 0; i < 5; i += 1)
      expect(
        await measureArrival(server, "/ok", () => engine.createPaidOrder(server.urlOf("/ok"))),
      ).toBeLessThan(PROMPT_MS);
  });

  it("does not delay deliveries to a path of the host that has responded before, even if several other paths hang", async () => {
    await engine.start();
    const server = await startReceiver();
    await engine.waitForDelivery(
      await engine.createPaidOrder(server.urlOf("/ok")),
      "the host has responded",
      ({ status }) => status === "delivered",
    );
    for (const path of ["/hang?1", "/hang/2", "/hang/3"]) await createPaidOrders(10, server.urlOf(path));
    expect(
      await measureArrival(server, "/ok", () => engine.createPaidOrder(server.urlOf("/ok"))),
    ).toBeLessThan(PROMPT_MS + 2_000);
    expect(
      await measureArrival(server, "/ok", () => engine.createPaidOrder(server.urlOf("/ok"))),
    ).toBeLessThan(PROMPT_MS);
  });

  it("does not delay the first event to a new host, even if many receivers hang", async () => {
    await engine.start();
    const hanging = await startReceivers(200);
    await engine.createPaidOrders([...hanging, ...hanging].map((server) => server.urlOf("/hang")));
    await waitUntil("all receivers hang", () => hanging.every(({ received }) => received.length > 0), 30_000);
    const fresh = await startReceiver();
    expect(await measureArrival(fresh, "/ok", () => engine.createPaidOrder(fresh.urlOf("/ok")))).toBeLessThan(
      PROMPT_MS,
    );
  }, 60_000);

  it("does not block other unresponsive receivers: each of a hundred hanging receivers gets a second request", async () => {
    await engine.start({ TILLGATE_DELIVERY_TIMEOUT_MS: "4000" });
    const hanging = await startReceivers(100);
    await engine.createPaidOrders(
      [...hanging, ...hanging, ...hanging].map((server) => server.urlOf("/hang")),
    );
    await waitUntil(
      "each receiver has got two requests",
      () => hanging.every(({ received }) => received.length >= 2),
      25_000,
    );
  }, 60_000);
});

describe("a receiver", () => {
  /** Reads the stored state of the order's delivery lane. */
  const known = async (order: string) =>
    (
      await engine.sandbox.database.pool.query<{ answers: boolean; slow_in_row: number }>(
        `SELECT l.answers, l.slow_in_row FROM delivery_lanes l JOIN deliveries d ON d.queue_id = l.id
         JOIN events e ON e.id = d.event_id WHERE e.order_id = $1`,
        [order],
      )
    ).rows[0];
  const attempted = async (address: string): Promise<string> => {
    const order = await engine.createPaidOrder(address);
    await engine.waitForDelivery(
      order,
      "the delivery is attempted",
      (d) => d.attempt_count === 1 && d.status !== "queued",
    );
    return order;
  };

  it("counts as unresponsive after three consecutive slow failures, not after two, until it responds", async () => {
    await engine.start({ TILLGATE_DELIVERY_TIMEOUT_MS: "1500" });
    const server = await startReceiver();
    expect(await known(await attempted(server.urlOf("/500")))).toEqual({ answers: true, slow_in_row: 0 });
    await attempted(server.urlOf("/hang?1"));
    expect(await known(await attempted(server.urlOf("/hang?2")))).toEqual({
      answers: true,
      slow_in_row: 2,
    });
    expect(await known(await attempted(server.urlOf("/hang?3")))).toEqual({
      answers: false,
      slow_in_row: 3,
    });
    expect(await known(await attempted(server.urlOf("/ok")))).toEqual({ answers: true, slow_in_row: 0 });
  });

  it.each([
    [0, "a failure that took 2,000 ms", "status", 2_000],
    [1, "a failure that took 2,001 ms", "status", 2_001],
    [0, "a success that took 14 s", null, 14_000],
    [1, "a timeout of any length", "timeout", 100],
  ])("has %i consecutive slow failures after %s", async (slow, _what, kind, latencyMs) => {
    const { pool } = engine.sandbox.database;
    const id = randomUUID();
    await pool.query("SELECT record_response($1, $1, $2, $3)", [id, kind, latencyMs]);
    const lanes = await pool.query<{ slow_in_row: number }>("SELECT slow_in_row FROM delivery_lanes");
    expect(lanes.rows).toEqual([{ slow_in_row: slow }]);
  });

  it("gets a new delivery before its backlog of repeatedly failed deliveries", async () => {
    const server = await startReceiver();
    const address = server.urlOf("/slow?order");
    const often = await createPaidOrders(30, address);
    await engine.execute(
      `UPDATE deliveries SET attempt_count = 5, in_backlog = true, next_attempt_at = clock_timestamp() - interval '30 seconds'
       WHERE address = $1`,
      [address],
    );
    await engine.start();
    const started = performance.now();
    await engine.waitForDelivery(
      await engine.createPaidOrder(address),
      "the new event arrives",
      (d) => d.status === "delivered",
    );
    expect(performance.now() - started).toBeLessThan(PROMPT_MS);
    const states = await Promise.all(
      often.map(async (order) => (await engine.deliveriesOf(order))[0]?.status),
    );
    expect(states.filter((status) => status === "delivered").length).toBeLessThan(20);
    // Deliveries that were created together arrive in any order.
    for (const order of often)
      await engine.waitForDelivery(order, "the backlog arrives", (d) => d.status === "delivered", 40_000);
  }, 60_000);
});

describe("several processes", () => {
  it("share the limit on concurrent deliveries to a receiver", async () => {
    const server = await startReceiver();
    await engine.start();
    await engine.waitForDelivery(
      await engine.createPaidOrder(server.urlOf("/ok")),
      "the receiver has responded",
      (d) => d.status === "delivered",
    );
    await Promise.all([engine.start(), engine.start(), engine.start()]);
    const orders = await createPaidOrders(60, server.urlOf("/slow"));
    for (const order of orders)
      await engine.waitForDelivery(
        order,
        "the event is delivered",
        ({ status }) => status === "delivered",
        20_000,
      );
    expect(server.maxConcurrent).toBeLessThanOrEqual(MAX_CONCURRENT_ATTEMPTS.prompt.lane);
    expect(server.maxConcurrent).toBeGreaterThan(1);
    await createPaidOrders(30, server.urlOf("/hang"));
    await waitUntil("the hanging requests arrive", () => server.requestsTo("/hang").length > 1);
    await Promise.all([engine.wake(), engine.wake()]);
    expect(server.maxConcurrent).toBeLessThanOrEqual(MAX_CONCURRENT_ATTEMPTS.prompt.lane);
  });
});
