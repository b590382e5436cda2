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

it("runs at once, then by its interval, or sooner when a run asks for it", async () => {
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

it("a wake during a run is not lost, and many wakes are one more run", async () => {
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

it("rests between the starts of two runs, however often it is woken meanwhile", async () => {
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

it("a failed run is logged and waits out the interval, whatever wakes it", async () => {
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

it("close waits for the run that is under way and starts no other", async () => {
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
