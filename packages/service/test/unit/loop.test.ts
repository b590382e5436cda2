import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Loop, startLoop } from "../../src/loop.js";

let loop: Loop;
const error = vi.fn();
beforeEach(() => {
  vi.useFakeTimers();
  error.mockClear();
});
afterEach(async () => {
  await loop.close();
  vi.useRealTimers();
});

const start = (run: () => Promise<number | undefined>, restMs = 0) => {
  loop = startLoop({ name: "relay", intervalMs: 1_000, restMs, run, log: { error } });
};

it("startLoop runs immediately, then at its interval, or sooner if a run requests it", async () => {
  const run = vi.fn(async (): Promise<number | undefined> => undefined);
  start(run);
  await vi.advanceTimersByTimeAsync(0);
  expect(run).toHaveBeenCalledTimes(1);
  run.mockResolvedValueOnce(100);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(run).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(100);
  expect(run).toHaveBeenCalledTimes(3);
});

it("startLoop runs once more after two wakes during a run", async () => {
  let finish = () => {};
  const run = vi.fn(() => new Promise<undefined>((resolve) => (finish = () => resolve(undefined))));
  start(run);
  loop.wake();
  loop.wake();
  finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(run).toHaveBeenCalledTimes(2);
  finish();
  await vi.advanceTimersByTimeAsync(10);
  expect(run).toHaveBeenCalledTimes(2);
  loop.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(run).toHaveBeenCalledTimes(3);
  finish();
});

it("startLoop keeps the minimum time between runs, even if it is woken more often", async () => {
  const run = vi.fn(async (): Promise<number | undefined> => undefined);
  start(run, 10);
  await vi.advanceTimersByTimeAsync(0);
  for (let i = 0; i < 9; i += 1) {
    loop.wake();
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(500);
  expect(run).toHaveBeenCalledTimes(2);
  loop.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(run).toHaveBeenCalledTimes(3);
});

it("startLoop logs a failed run and waits the full interval despite wakes", async () => {
  const run = vi.fn(
    async (): Promise<number | undefined> => Promise.reject(new Error("the database is away")),
  );
  start(run);
  await vi.advanceTimersByTimeAsync(0);
  expect(error).toHaveBeenCalledOnce();
  for (let i = 0; i < 5; i += 1) {
    loop.wake();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(500);
  expect(run).toHaveBeenCalledTimes(2);
});

it("startLoop waits for the current run on close and does not start another", async () => {
  let finish = () => {};
  const run = vi.fn(() => new Promise<undefined>((resolve) => (finish = () => resolve(undefined))));
  start(run);
  loop.wake();
  let closed = false;
  const closing = loop.close().then(() => {
    closed = true;
  });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(closed).toBe(false);
  finish();
  await closing;
  expect(run).toHaveBeenCalledTimes(1);
});
