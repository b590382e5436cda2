import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHints, hintPayloads, parseHintPayload } from "../../../src/platform/hints.js";

describe("hints", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const start = (
    query = vi.fn(async (_sql: string, _parameters: unknown[]): Promise<unknown> => undefined),
  ) => {
    const warn = vi.fn();
    return { hints: createHints({ pool: { query }, log: { warn } }), query, warn };
  };

  it("of 10 ms travel in one notification, each order once", async () => {
    const { hints, query } = start();
    hints.changed("ord_1");
    hints.changed("ord_2");
    hints.changed("ord_1");
    expect(query).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10);
    expect(query.mock.calls.map(([, parameters]) => parameters)).toEqual([
      ["tillgate_changes", '["ord_1","ord_2"]'],
    ]);
    hints.changed("ord_3");
    await vi.advanceTimersByTimeAsync(10);
    expect(query).toHaveBeenCalledTimes(2);
  });

  it("that cannot be sent are logged and never thrown", async () => {
    const { hints, warn } = start(vi.fn(async () => Promise.reject(new Error("the database is away"))));
    hints.changed("ord_1");
    await vi.advanceTimersByTimeAsync(10);
    await hints.close();
    expect(warn).toHaveBeenCalledOnce();
  });

  it("still collected are sent by close, which waits until they are", async () => {
    let sent = () => {};
    const { hints, query } = start(
      vi.fn(() => new Promise<undefined>((resolve) => (sent = () => resolve(undefined)))),
    );
    hints.changed("ord_1");
    let closed = false;
    const closing = hints.close().then(() => {
      closed = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(query).toHaveBeenCalledOnce();
    expect(closed).toBe(false);
    sent();
    await closing;
  });
});

describe("payloads", () => {
  it("stay below PostgreSQL's 8000 bytes and lose no id", () => {
    const ids = Array.from({ length: 2_000 }, (_, n) => `ord_${"é".repeat(n % 40)}${n}`);
    const payloads = hintPayloads(ids);
    expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8_000);
    expect(payloads.flatMap((payload) => parseHintPayload(payload))).toEqual(ids);
  });

  it("that are not lists of ids count as everything", () => {
    for (const payload of [undefined, "", "ord_1", "{}", "[1]", "null"])
      expect(parseHintPayload(payload)).toBeNull();
  });
});
