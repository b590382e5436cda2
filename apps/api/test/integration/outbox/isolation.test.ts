import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SLOW_AFTER_MS } from "../../../src/outbox/limits.js";
import { type FaultServer, startFaultServer } from "../../support/fault-server.js";
import { until } from "../../support/until.js";
import { type Engine, openEngine } from "./support/engine.js";

/** Few places and long hangs: whatever hangs must not need them all. */
const PLACES = { TILLGATE_DELIVERIES_AT_ONCE: "12", TILLGATE_DELIVERY_TIMEOUT_MS: "14000" };

let engine: Engine;
let servers: FaultServer[];
const DEAD = 14;
const HEALTHY = 20;
/** Two thirds of twelve. */
const PROMPT_PLACES = 8;

beforeAll(async () => {
  engine = await openEngine();
  servers = await Promise.all(Array.from({ length: DEAD + HEALTHY }, () => startFaultServer()));
});
afterAll(async () => {
  await engine.stopAll();
  await Promise.all(servers.map((server) => server.close()));
  await engine.close();
});

const hostOf = (server: FaultServer): string => new URL(server.address("/")).host;
const know = (server: FaultServer, prompt: boolean) =>
  engine.change(
    `INSERT INTO delivery_hosts (host, prompt) VALUES ($1, $2) ON CONFLICT (host) DO UPDATE SET prompt = excluded.prompt`,
    [hostOf(server), prompt],
  );
const promptness = async (server: FaultServer) =>
  (
    await engine.sandbox.database.pool.query<{ prompt: boolean }>(
      "SELECT prompt FROM delivery_hosts WHERE host = $1",
      [hostOf(server)],
    )
  ).rows[0]?.prompt;

/** One event to each of the healthy receivers; how long all of them took, in milliseconds. */
async function deliverToHealthy(): Promise<number> {
  const started = performance.now();
  const orders = await Promise.all(servers.slice(DEAD).map((server) => engine.pay(server.address("/ok"))));
  for (const order of orders)
    await engine.delivery(order, "it is delivered", ({ status }) => status === "delivered", 8_000);
  return performance.now() - started;
}

const hanging = () => servers.slice(0, DEAD).reduce((sum, { received }) => sum + received.length, 0);

describe("receivers that hang", () => {
  it("that nobody has heard of, however many, leave the places of prompt hosts free", async () => {
    for (const server of servers.slice(DEAD)) await know(server, true);
    await engine.start(PLACES);
    for (const server of servers.slice(0, DEAD))
      for (let i = 0; i < 3; i += 1) await engine.pay(server.address("/hang"));
    // A third of twelve places, which is also what one merchant may hold.
    await until("the careful places are held", () => hanging() === 4);
    expect(await deliverToHealthy()).toBeLessThan(6_000);
    expect(hanging()).toBe(4);
    await engine.stopAll();
  });

  it("that were prompt until now give their places up after two seconds, and count as prompt no longer", async () => {
    await engine.change(
      "UPDATE deliveries SET status = 'failed', settled_at = clock_timestamp() WHERE status NOT IN ('delivered', 'failed')",
    );
    for (const server of servers) {
      server.received.length = 0;
      await know(server, true);
    }
    await engine.start({ ...PLACES, TILLGATE_DELIVERY_TIMEOUT_MS: "9000" });
    // As many prompt hosts as there are places for them begin to hang at once.
    const lost = servers.slice(0, PROMPT_PLACES);
    for (const server of lost) await engine.pay(server.address("/hang"));
    await until("every place is held by one that hangs", () => hanging() === PROMPT_PLACES);
    expect(await deliverToHealthy()).toBeLessThan(6_000);
    expect(hanging()).toBe(PROMPT_PLACES);
    await until(
      "those that hung are no longer prompt",
      async () => (await Promise.all(lost.map(promptness))).every((prompt) => prompt === false),
      15_000,
    );
    await engine.stopAll();
  }, 60_000);
});

describe("a host", () => {
  it("shows that it is prompt by its first answer, a refusal too, and loses it when it hangs", async () => {
    const [slow, refusing, fine] = servers;
    if (!slow || !refusing || !fine) throw new Error("there are too few servers");
    await engine.change("DELETE FROM delivery_hosts");
    await engine.change(
      "UPDATE deliveries SET status = 'failed', settled_at = clock_timestamp() WHERE status NOT IN ('delivered', 'failed')",
    );
    await engine.start({ TILLGATE_DELIVERY_TIMEOUT_MS: "400" });
    await engine.delivery(await engine.pay(fine.address("/ok")), "it is over", (d) => d.attempt_count === 1);
    await engine.delivery(
      await engine.pay(refusing.address("/500")),
      "it is over",
      (d) => d.attempt_count === 1,
    );
    await engine.delivery(
      await engine.pay(slow.address("/hang")),
      "it is over",
      (d) => d.attempt_count === 1,
    );
    expect(await Promise.all([fine, refusing, slow].map(promptness))).toEqual([true, true, false]);
    await engine.delivery(
      await engine.pay(fine.address("/hang")),
      "it is over",
      (d) => d.attempt_count === 1,
    );
    expect(await promptness(fine)).toBe(false);
    await engine.delivery(await engine.pay(fine.address("/ok")), "it is over", (d) => d.attempt_count === 1);
    expect(await promptness(fine)).toBe(true);
  });
});

describe("what counts as slow", () => {
  it("is the same in the worker and in the database", async () => {
    const promptAfter = async (latencyMs: number): Promise<boolean | undefined> => {
      const host = `${latencyMs}.example`;
      const { pool } = engine.sandbox.database;
      await pool.query("SELECT record_host($1, 'http_status', $2)", [host, latencyMs]);
      const { rows } = await pool.query<{ prompt: boolean }>(
        "SELECT prompt FROM delivery_hosts WHERE host = $1",
        [host],
      );
      return rows[0]?.prompt;
    };
    expect(await promptAfter(SLOW_AFTER_MS)).toBe(true);
    expect(await promptAfter(SLOW_AFTER_MS + 1)).toBe(false);
  });
});
