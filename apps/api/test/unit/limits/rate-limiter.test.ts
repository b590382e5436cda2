import { LRUCache } from "lru-cache";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getClientNetwork } from "../../../src/platform/client-network.js";
import { createRateLimiter, type SharedCounter, waitSeconds } from "../../../src/platform/rate-limits.js";

const WINDOW_MS = 60_000;

/** Creates an in-memory counter that rate limiters can share, and records each reservation in `draws`. */
function sharedCounter(): SharedCounter & { draws: number[] } {
  const windows = new Map<string, { points: number; endsAt: number }>();
  const draws: number[] = [];
  return {
    draws,
    async consume(key, points) {
      draws.push(points);
      const known = windows.get(key);
      const window =
        known && known.endsAt > Date.now() ? known : { points: 0, endsAt: Date.now() + WINDOW_MS };
      window.points += points;
      windows.set(key, window);
      const consumedPoints = window.points;
      const msBeforeNext = window.endsAt - Date.now();
      await Promise.resolve();
      return { consumedPoints, msBeforeNext };
    },
  };
}

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

describe("rate limiter", () => {
  it("allows exactly the limit across several processes, concurrently or one after the other", async () => {
    for (const limit of [1, 2, 30, 120, 600, 1_199]) {
      const counter = sharedCounter();
      const processes = [1, 2, 3].map(() => createRateLimiter({ counter, maxKeys: 10 }));
      const spend = (i: number) => processes[i % 3]?.consume("m", limit);
      const atOnce = await Promise.all(Array.from({ length: limit }, (_, i) => spend(i)));
      let passed = atOnce.filter((allowance) => allowance?.allowed).length;
      for (let i = 0; i < limit + 10; i++) if ((await spend(i))?.allowed) passed += 1;
      expect(passed).toBe(limit);
    }
  });

  it("reserves high limits in blocks of 1/600, without exceeding the limit", async () => {
    const counter = sharedCounter();
    const processes = [1, 2].map(() => createRateLimiter({ counter, maxKeys: 10 }));
    let passed = 0;
    for (let i = 0; i < 13_000; i++) if ((await processes[i % 2]?.consume("m", 12_000))?.allowed) passed += 1;
    expect(passed).toBeLessThanOrEqual(12_000);
    expect(passed).toBeGreaterThan(11_900);
    expect(counter.draws.length).toBeLessThanOrEqual(610);
    expect(new Set(counter.draws)).toEqual(new Set([20]));
  });

  it("rejects from memory until the window ends, then queries the counter again", async () => {
    const counter = sharedCounter();
    const limiter = createRateLimiter({ counter, maxKeys: 10 });
    for (let i = 0; i < 5; i++) await limiter.consume("m", 3);
    const requests = counter.draws.length;
    for (let i = 0; i < 100; i++) expect((await limiter.consume("m", 3)).allowed).toBe(false);
    expect(counter.draws).toHaveLength(requests);
    vi.setSystemTime(Date.now() + WINDOW_MS);
    expect(await limiter.consume("m", 3)).toMatchObject({ allowed: true, limit: 3, remaining: 2 });
  });

  it("queries the shared counter again when the limit changes", async () => {
    const limiter = createRateLimiter({ counter: sharedCounter(), maxKeys: 10 });
    for (let i = 0; i < 3; i++) await limiter.consume("m", 3);
    expect(await limiter.consume("m", 10)).toMatchObject({ allowed: true, limit: 10, remaining: 6 });
    expect((await limiter.consume("m", 2)).allowed).toBe(false);
  });

  it("rejects only the caller whose query of the counter fails, and recovers", async () => {
    const counter = sharedCounter();
    const limiter = createRateLimiter({
      counter: {
        consume: (key, points) =>
          counter.draws.length === 0 && counter.draws.push(0)
            ? Promise.reject(new Error("no database"))
            : counter.consume(key, points),
      },
      maxKeys: 10,
    });
    const [one, ...others] = await Promise.allSettled([1, 2, 3].map(() => limiter.consume("m", 5)));
    expect(one?.status).toBe("rejected");
    expect(others.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    expect((await limiter.consume("m", 5)).allowed).toBe(true);
  });

  it("stores a limited number of keys", async () => {
    const limiter = createRateLimiter({ counter: sharedCounter(), maxKeys: 50 });
    for (let i = 0; i < 500; i++) await limiter.consume(`address ${i}`, 30);
    expect(limiter.size).toBe(50);
  });
});

it("a bounded map evicts the least recently used entry", () => {
  const map = new LRUCache<string, number>({ max: 2 });
  map.set("a", 1);
  map.set("b", 2);
  expect(map.get("a")).toBe(1);
  map.set("c", 3);
  expect([map.get("a"), map.get("b"), map.get("c"), map.size]).toEqual([1, undefined, 3, 2]);
});

it.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:0:7:1:2:3:4", "2001:db8:0:7::/64"],
  ["2001:0DB8:0:0007::9", "2001:db8:0:7::/64"],
  ["::1", "0:0:0:0::/64"],
  ["unknown", "unknown"],
])("the address %s is rate limited as %s", (address, counted) => {
  expect(getClientNetwork(address)).toBe(counted);
});

it("waitSeconds is zero up to the allowed number of failures, then doubles from a second up to a minute", () => {
  expect([1, 5, 6, 7, 8, 11, 12, 13, 5_000].map((failed) => waitSeconds(failed, 5))).toEqual([
    0, 0, 1, 2, 4, 32, 60, 60, 60,
  ]);
});
