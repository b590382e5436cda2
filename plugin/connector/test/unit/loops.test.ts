import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startSweepLoop } from "../../src/loops.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

it("the sweep loop retries a failed sweep with backoff, then returns to its interval", async () => {
  const sweptAt: number[] = [];
  const outcomes = [1, 2, 1, 0, 0];
  const began = Date.now();
  const sweep = async () => {
    sweptAt.push((Date.now() - began) / 1000);
    return { checked: 0, failed: 0, abandoned: 0, stepsFailed: outcomes[sweptAt.length - 1] ?? 0 };
  };
  const sweeping = startSweepLoop({ settings: { storeId: "demo", sweepIntervalMs: 120_000 }, sweep }, log);
  await vi.advanceTimersByTimeAsync(400_000);
  expect(sweptAt).toEqual([0, 5, 15, 35, 155, 275, 395]);
  await sweeping.close();
});
