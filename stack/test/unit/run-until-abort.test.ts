import { afterEach, describe, expect, it, vi } from "vitest";
import { runUntilAbort } from "../../src/run-until-abort.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs `start`, which can abort the signal. @returns the exit code and the printed lines. */
async function runAndStop(
  start: (stopping: AbortController) => ReturnType<Parameters<typeof runUntilAbort>[1]>,
) {
  const printed: unknown[] = [];
  for (const method of ["log", "error"] as const)
    vi.spyOn(console, method).mockImplementation((line) => printed.push(line));
  const stopping = new AbortController();
  return { code: await runUntilAbort(stopping.signal, () => start(stopping)), printed };
}

describe("a system that runs until a signal", () => {
  it("ends with exit code 0 when it is stopped", async () => {
    const stop = vi.fn(async () => undefined);
    const result = await runAndStop(async (stopping) => {
      stopping.abort();
      return { stop };
    });
    expect(result).toEqual({ code: 0, printed: ["Stopping…", "Stopped."] });
    expect(stop).toHaveBeenCalledOnce();
  });

  it("ends with exit code 1 and prints the error when it cannot be stopped", async () => {
    const error = new Error("the database does not stop");
    const result = await runAndStop(async (stopping) => {
      stopping.abort();
      return { stop: () => Promise.reject(error) };
    });
    expect(result).toEqual({ code: 1, printed: ["Stopping…", error] });
  });

  it("ends with exit code 0 when it is stopped while it starts", async () => {
    const result = await runAndStop(async (stopping) => {
      stopping.abort();
      throw new Error("aborted");
    });
    expect(result).toEqual({ code: 0, printed: ["Stopped before startup finished."] });
  });

  it("ends with exit code 0 when there is nothing to run", async () => {
    expect(await runAndStop(async () => undefined)).toEqual({ code: 0, printed: [] });
  });

  it("ends with exit code 1 and prints the error when it cannot be started", async () => {
    const error = new Error("no database");
    expect(await runAndStop(() => Promise.reject(error))).toEqual({ code: 1, printed: [error] });
  });
});
