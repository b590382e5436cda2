import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { MAX_ATTEMPTS_UNDER_WAY } from "../../../src/events/outbox/limits.js";
import { type FaultServer, startFaultServer } from "../../support/fault-server.js";
import { until } from "../../support/until.js";
import { type Engine, openEngine } from "./support/engine.js";

/** Within so many milliseconds a delivery came at once: looks, changes and a busy machine included. */
const AT_ONCE_MS = 2_500;

let engine: Engine;
let servers: FaultServer[] = [];

beforeAll(async () => {
  engine = await openEngine();
});
afterEach(async () => {
  await engine.stopAll();
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
  await engine.change(
    "UPDATE deliveries SET status = 'failed', settled_at = clock_timestamp() WHERE status NOT IN ('delivered', 'failed')",
  );
  await engine.change("UPDATE receivers SET removed_at = clock_timestamp() WHERE removed_at IS NULL");
  await engine.change("DELETE FROM delivery_lanes");
});
afterAll(() => engine.close());

/** Receivers with a port, and so a host, of their own. */
async function receivers(count: number): Promise<FaultServer[]> {
  const made = await Promise.all(Array.from({ length: count }, () => startFaultServer()));
  servers.push(...made);
  return made;
}
const receiver = async (): Promise<FaultServer> => {
  const [made] = await receivers(1);
  if (!made) throw new Error("there is no receiver");
  return made;
};

/** So many events to the address. */
const payMany = (count: number, address: string): Promise<string[]> =>
  engine.payMany(Array.from({ length: count }, () => address));

/** How long it takes until the receiver has one more at the path, after `act`, in milliseconds. */
async function waitAt(server: FaultServer, path: string, act: () => Promise<unknown>): Promise<number> {
  const before = server.at(path).length;
  const started = performance.now();
  await act();
  const got = await until(`one more comes to ${path}`, () => server.at(path)[before], 60_000);
  return got.at - started;
}

describe("a receiver that hangs", () => {
  it("does not delay another endpoint of its merchant that answers 500 after 3 s, nor its retry", async () => {
    await engine.start();
    const [hanging, healthy] = await receivers(2);
    if (!hanging || !healthy) throw new Error("there are too few receivers");
    const dead = await engine.sandbox.addReceiver(hanging.address("/hang"), ["pos.order.paid"]);
    await Promise.all(Array.from({ length: 40 }, () => engine.pay()));
    await until("the dead one holds what it gets", () => hanging.received.length > 0);
    await engine.change("UPDATE receivers SET events = '{pos.order.expired}' WHERE id = $1", [dead.id]);
    await engine.sandbox.addReceiver(healthy.address("/slow-500-at-first"), ["pos.order.paid"]);

    const failing = await engine.pay();
    const failed = await engine.delivery(failing, "its one 500 is recorded", (d) => d.attempt_count === 1);
    for (let i = 0; i < 5; i += 1)
      expect(await waitAt(healthy, "/slow-500-at-first", () => engine.pay())).toBeLessThan(AT_ONCE_MS);
    const retried = await engine.delivery(
      failing,
      "its retry arrives",
      ({ status }) => status === "delivered",
      failed.wait_ms + AT_ONCE_MS,
    );
    expect(retried.attempt_count).toBe(2);
  }, 90_000);

  it("does not delay another path of its host, also if neither was called before", async () => {
    await engine.start();
    const server = await receiver();
    await payMany(40, server.address("/hang"));
    await until("the dead path holds what it gets", () => server.received.length > 0);
    expect(await waitAt(server, "/ok", () => engine.pay(server.address("/ok")))).toBeLessThan(AT_ONCE_MS);
    for (let i = 0; i < 5; i += 1)
      expect(await waitAt(server, "/ok", () => engine.pay(server.address("/ok")))).toBeLessThan(AT_ONCE_MS);
  });

  it("does not delay another path of its host if several hang that responded until then", async () => {
    await engine.start();
    const server = await receiver();
    await engine.delivery(
      await engine.pay(server.address("/ok")),
      "the host has answered",
      ({ status }) => status === "delivered",
    );
    for (const path of ["/hang?1", "/hang/2", "/hang/3"]) await payMany(10, server.address(path));
    expect(await waitAt(server, "/ok", () => engine.pay(server.address("/ok")))).toBeLessThan(
      AT_ONCE_MS + 2_000,
    );
    expect(await waitAt(server, "/ok", () => engine.pay(server.address("/ok")))).toBeLessThan(AT_ONCE_MS);
  });

  it("does not delay the first event of a new host, however many hang", async () => {
    await engine.start();
    const hanging = await receivers(200);
    await engine.payMany([...hanging, ...hanging].map((server) => server.address("/hang")));
    await until("all of them hang", () => hanging.every(({ received }) => received.length > 0), 30_000);
    const fresh = await receiver();
    expect(await waitAt(fresh, "/ok", () => engine.pay(fresh.address("/ok")))).toBeLessThan(AT_ONCE_MS);
  }, 60_000);

  it("delays only itself: each gets its next attempt while hundreds hang", async () => {
    await engine.start({ TILLGATE_DELIVERY_TIMEOUT_MS: "4000" });
    const hanging = await receivers(100);
    await engine.payMany([...hanging, ...hanging, ...hanging].map((server) => server.address("/hang")));
    await until("each has got two", () => hanging.every(({ received }) => received.length >= 2), 25_000);
  }, 60_000);
});

describe("a receiver", () => {
  /** What is known of the order's queue. */
  const known = async (order: string) =>
    (
      await engine.sandbox.database.pool.query<{ answers: boolean; slow_in_row: number }>(
        `SELECT l.answers, l.slow_in_row FROM delivery_lanes l JOIN deliveries d ON d.queue_id = l.id
         JOIN events e ON e.id = d.event_id WHERE e.order_id = $1`,
        [order],
      )
    ).rows[0];
  const attempted = async (address: string): Promise<string> => {
    const order = await engine.pay(address);
    await engine.delivery(order, "it is attempted", (d) => d.attempt_count === 1 && d.status !== "queued");
    return order;
  };

  it("counts as slow after three consecutive slow failures, not two, until it responds", async () => {
    await engine.start({ TILLGATE_DELIVERY_TIMEOUT_MS: "400" });
    const server = await receiver();
    expect(await known(await attempted(server.address("/500")))).toEqual({ answers: true, slow_in_row: 0 });
    await attempted(server.address("/hang?1"));
    expect(await known(await attempted(server.address("/hang?2")))).toEqual({
      answers: true,
      slow_in_row: 2,
    });
    expect(await known(await attempted(server.address("/hang?3")))).toEqual({
      answers: false,
      slow_in_row: 3,
    });
    expect(await known(await attempted(server.address("/ok")))).toEqual({ answers: true, slow_in_row: 0 });
  });

  it.each([
    { what: "a failure after 2,000 ms", kind: "status", latencyMs: 2_000, slow: 0 },
    { what: "a failure after 2,001 ms", kind: "status", latencyMs: 2_001, slow: 1 },
    { what: "a success after 14 s", kind: null, latencyMs: 14_000, slow: 0 },
    { what: "a timeout, however short", kind: "timeout", latencyMs: 100, slow: 1 },
  ])("counts as slow ($slow): $what", async ({ kind, latencyMs, slow }) => {
    const { pool } = engine.sandbox.database;
    const id = randomUUID();
    await pool.query("SELECT record_answer($1, $1, $2, $3)", [id, kind, latencyMs]);
    const lanes = await pool.query<{ slow_in_row: number }>("SELECT slow_in_row FROM delivery_lanes");
    expect(lanes.rows).toEqual([{ slow_in_row: slow }]);
  });

  it("gets new and rarely failed deliveries before the backlog of often failed ones", async () => {
    const server = await receiver();
    const address = server.address("/slow?order");
    const often = await payMany(30, address);
    await engine.change(
      `UPDATE deliveries SET attempt_count = 5, in_backlog = true, next_attempt_at = clock_timestamp() - interval '30 seconds'
       WHERE address = $1`,
      [address],
    );
    await engine.start();
    const started = performance.now();
    await engine.delivery(await engine.pay(address), "the new one arrives", (d) => d.status === "delivered");
    expect(performance.now() - started).toBeLessThan(AT_ONCE_MS);
    const states = await Promise.all(
      often.map(async (order) => (await engine.deliveriesOf(order))[0]?.status),
    );
    expect(states.filter((status) => status === "delivered").length).toBeLessThan(20);
    // Written together, they come in any order: the first one asked about may be the last.
    for (const order of often)
      await engine.delivery(order, "the backlog too", (d) => d.status === "delivered", 40_000);
  }, 60_000);
});

describe("several processes", () => {
  it("share the limit of concurrent deliveries to a receiver", async () => {
    const server = await receiver();
    await engine.start();
    await engine.delivery(
      await engine.pay(server.address("/ok")),
      "it has answered",
      (d) => d.status === "delivered",
    );
    await Promise.all([engine.start(), engine.start(), engine.start()]);
    const orders = await payMany(60, server.address("/slow"));
    for (const order of orders)
      await engine.delivery(order, "it is delivered", ({ status }) => status === "delivered", 20_000);
    expect(server.mostAtOnce).toBeLessThanOrEqual(MAX_ATTEMPTS_UNDER_WAY.prompt.lane);
    expect(server.mostAtOnce).toBeGreaterThan(1);
    await payMany(30, server.address("/hang"));
    await until("it hangs", () => server.at("/hang").length > 1);
    await Promise.all([engine.wake(), engine.wake()]);
    expect(server.mostAtOnce).toBeLessThanOrEqual(MAX_ATTEMPTS_UNDER_WAY.prompt.lane);
  });
});
