import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { supervise } from "../../src/supervise.js";

const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts a supervised process that a test can end. */
function supervised({ restart }: { restart?: () => Promise<void> } = {}) {
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1_000);
  const startedSeconds: number[] = [];
  const [onFailure, onAlarm, onHealthy] = [vi.fn(), vi.fn(), vi.fn()];
  const ending = new AbortController();
  let exit = (_reason: string): void => undefined;
  const process = () => {
    startedSeconds.push(seconds());
    return { exited: new Promise<string>((resolve) => (exit = resolve)), id: startedSeconds.length };
  };
  const finished = supervise(process(), {
    restart: async () => {
      await restart?.();
      return process();
    },
    signal: ending.signal,
    onFailure,
    onAlarm,
    onHealthy,
  });
  return {
    ...{ startedSeconds, onFailure, onAlarm, onHealthy, finished },
    stop: () => ending.abort(),
    /** Ends the process and waits. */
    async exit(waitMs: number) {
      exit("exited with code 1");
      await vi.advanceTimersByTimeAsync(waitMs);
    },
  };
}

describe("supervise", () => {
  it("restarts a process after a delay of 1 s that doubles up to 30 s, and after 1 s again once the process has run for a minute", async () => {
    const { exit, onFailure, startedSeconds, stop } = supervised();
    for (let failure = 0; failure < 7; failure += 1) await exit(31_000);
    expect(onFailure.mock.calls.map(([, delayMs]) => delayMs / 1_000)).toEqual([1, 2, 4, 8, 16, 30, 30]);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    await exit(1_000);
    expect(onFailure).toHaveBeenLastCalledWith("exited with code 1", 1_000);
    expect(startedSeconds).toHaveLength(9);
    stop();
  });

  it("raises one alarm at the third failure within 15 minutes, and another only after a healthy minute", async () => {
    const { exit, onAlarm, onHealthy, stop } = supervised();
    await exit(1_000);
    await exit(2_000);
    expect(onAlarm).not.toHaveBeenCalled();
    await exit(4_000);
    for (let failure = 0; failure < 3; failure += 1) await exit(30_000);
    expect(onAlarm.mock.calls).toEqual([["exited with code 1"]]);
    expect(onHealthy).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(onHealthy).toHaveBeenCalledTimes(1);
    for (let failure = 0; failure < 3; failure += 1) await exit(5_000);
    expect(onAlarm).toHaveBeenCalledTimes(2);
    stop();
  });

  it("raises no alarm for three failures over more than 15 minutes", async () => {
    const { exit, onAlarm, onHealthy, stop } = supervised();
    for (let failure = 0; failure < 3; failure += 1) await exit(500_000);
    expect(onAlarm).not.toHaveBeenCalled();
    expect(onHealthy).not.toHaveBeenCalled();
    stop();
  });

  it("counts a failed restart as a failure and retries", async () => {
    const restart = vi.fn(async () => undefined).mockRejectedValueOnce(new Error("no space left"));
    const { exit, onFailure, startedSeconds, stop } = supervised({ restart });
    await exit(3_000);
    expect(onFailure.mock.calls).toEqual([
      ["exited with code 1", 1_000],
      ["no space left", 2_000],
    ]);
    expect(startedSeconds).toEqual([0, 3]);
    stop();
  });

  it("stops immediately during a delay, and otherwise returns the running process", async () => {
    const waiting = supervised();
    await waiting.exit(0);
    waiting.stop();
    expect(await waiting.finished).toBeUndefined();
    expect(waiting.startedSeconds).toEqual([0]);

    const running = supervised();
    await running.exit(1_000);
    running.stop();
    expect(await running.finished).toMatchObject({ id: 2 });
  });
});
