import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { type Closing, closeOnSignal } from "../../src/guide/machines.js";

const signals = ["SIGINT", "SIGTERM"] as const;
const before = signals.flatMap((signal) => process.listeners(signal));
afterEach(() => {
  vi.restoreAllMocks();
  for (const signal of signals)
    for (const listener of process.listeners(signal))
      if (!before.includes(listener)) process.off(signal, listener);
});

it("an interrupted drill undoes its steps in reverse order, and then exits", async () => {
  const events: string[] = [];
  const stopping = new AbortController();
  vi.spyOn(process, "exit").mockImplementation(() => {
    events.push("exited");
    return undefined as never;
  });
  const closing: Closing = [
    async () => events.push("removed the folder"),
    async () => {
      await once(stopping.signal, "abort");
      events.push("stopped the machine");
    },
  ];
  const close = closeOnSignal(closing);
  const interrupt = process.listeners("SIGTERM").find((listener) => !before.includes(listener));
  interrupt?.("SIGTERM");
  // The interrupted work also closes.
  const ended = close().then(() => events.push("ended"));
  await setImmediate();
  stopping.abort();
  await ended;
  await vi.waitUntil(() => events.includes("exited"));
  expect(events.slice(0, 2)).toEqual(["stopped the machine", "removed the folder"]);
  expect(events.slice(2).sort()).toEqual(["ended", "exited"]);
});
