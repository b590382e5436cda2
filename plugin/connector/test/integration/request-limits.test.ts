import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RequestLimiter } from "../../src/http/request-limit.js";
import { openRecords } from "../../src/records/open-records.js";
import { type Bench, setUp } from "./fakes/set-up.js";

const PER_ADDRESS = 12;
const PER_ORDER = 5;
let bench: Bench;
beforeAll(async () => {
  const limits = { perAddress: PER_ADDRESS, perOrder: PER_ORDER };
  bench = await setUp({}, { limits, trustedProxies: ["127.0.0.1", "::1"] });
  for (let id = 1; id <= 9; id += 1) bench.store.add({ id });
  bench.store.fault = (call) => {
    calls.push(call.path);
    return false;
  };
});
afterAll(() => bench.close());

const calls: string[] = [];
const from = (address: string) => ({ "x-forwarded-for": address, "content-type": "application/json" });
const read = (id: number, address: string, key = "wrong") =>
  bench.call(`/v1/stores/demo/payments/${id}?order_key=${key}`, { headers: from(address) });
const start = (id: number, address: string) =>
  bench.call("/v1/stores/demo/payments", {
    method: "POST",
    headers: from(address),
    body: JSON.stringify({ order_id: id, order_key: "wrong" }),
  });
const many = async <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> => {
  const done: T[] = [];
  for (let index = 0; index < count; index += 1) done.push(await work(index));
  return done;
};
const statuses = (responses: { status: number }[]) => responses.map(({ status }) => status);
const times = (count: number, status: number) => Array.from({ length: count }, () => status);

describe("the request limit", () => {
  it("counts an order's payment starts and status reads together", async () => {
    calls.length = 0;
    const responses = await many(PER_ORDER + 3, (index) =>
      (index % 2 === 0 ? read : start)(1, "203.0.113.1"),
    );
    expect(statuses(responses)).toEqual([...times(PER_ORDER, 404), ...times(3, 429)]);
    expect(calls).toHaveLength(PER_ORDER);
    const last = responses.at(-1);
    expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(last?.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(last?.body).toMatchObject({ message: { code: 429 }, type: "error" });
  });

  it("doesn't let one client exhaust another client's limit for the same order", async () => {
    await many(PER_ORDER + 1, () => read(2, "203.0.113.2"));
    expect((await read(2, "203.0.113.2")).status).toBe(429);
    const { order_key } = bench.store.order(2);
    expect((await read(2, "203.0.113.3", order_key)).body.message).toMatchObject({ code: 404 });
  });

  it("limits the requests of one address across all orders", async () => {
    calls.length = 0;
    const responses = await many(PER_ADDRESS + 2, (index) => read(index + 100, "203.0.113.4"));
    expect(statuses(responses)).toEqual([...times(PER_ADDRESS, 404), ...times(2, 429)]);
    expect(calls).toHaveLength(PER_ADDRESS);
  });

  it("counts an IPv6 /64 network as one address, and an IPv4-mapped address as its IPv4 address", async () => {
    const responses = await many(PER_ADDRESS + 1, (index) => read(index + 200, `2001:db8:0:1::${index + 1}`));
    expect(responses.at(-1)?.status).toBe(429);
    expect((await read(3, "2001:db8:0:2::1")).status).toBe(404);
    await many(PER_ORDER, () => read(4, "203.0.113.5"));
    expect((await read(4, "::ffff:203.0.113.5")).status).toBe(429);
  });

  it("doesn't count Tillgate's webhooks", async () => {
    const deliveries = await many(PER_ADDRESS + 3, () =>
      bench.call("/v1/stores/demo/webhook", { method: "POST", headers: from("203.0.113.6"), body: "{}" }),
    );
    expect(statuses(deliveries)).toEqual(times(PER_ADDRESS + 3, 401));
  });

  it("ignores X-Forwarded-For unless it comes from a trusted proxy", async () => {
    const other = await setUp({}, { limits: { perAddress: PER_ADDRESS, perOrder: PER_ORDER } });
    try {
      const responses = await many(PER_ADDRESS + 1, (index) =>
        other.call(`/v1/stores/demo/payments/${index + 1}?order_key=x`, {
          headers: from(`203.0.113.${index}`),
        }),
      );
      expect(responses.at(-1)?.status).toBe(429);
    } finally {
      await other.close();
    }
  });
});

describe.each(["PostgreSQL", "SQLite"])("request counts in %s", (kind) => {
  it("are shared across connections and reset in the next window", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "tillgate-limits-"));
    const { connectionString = "" } = bench.database.options;
    const url = kind === "SQLite" ? `file:${path.join(folder, "records.db")}` : connectionString;
    const open = () => openRecords({ url, onConnectionError: () => undefined });
    const [one, other] = [await open(), await open()];
    try {
      const counts = await Promise.all(
        [one, other, one, other].map((records) => records.requests.count(`twice ${kind}`, 60_000)),
      );
      expect(counts.map(({ count }) => count).sort()).toEqual([1, 2, 3, 4]);
      for (const { leftMs } of counts) expect(leftMs).toBeGreaterThan(50_000);
      await one.requests.count(`short ${kind}`, 1);
      await expect.poll(async () => (await other.requests.count(`short ${kind}`, 1)).count).toBe(1);
      await one.requests.prune();
      expect((await one.requests.count(`twice ${kind}`, 60_000)).count).toBe(5);
      const limiters = [one, other].map(
        ({ requests }) => new RequestLimiter(requests, { perAddress: 3, perOrder: 9 }),
      );
      const subject = { storeId: "demo", orderId: null };
      const waits: number[] = [];
      for (let round = 0; round < 3; round += 1)
        for (const limiter of limiters) waits.push(await limiter.waitMs(`198.51.100.1${kind}`, subject));
      expect(waits.map((wait) => wait > 0)).toEqual([false, false, false, true, true, true]);
    } finally {
      for (const records of [one, other]) await records.close();
      await rm(folder, { recursive: true });
    }
  });
});
