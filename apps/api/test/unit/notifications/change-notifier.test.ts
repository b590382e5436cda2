import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  createChangeNotifier,
  createNotificationPayloads,
  parseNotificationPayload,
} from "../../../src/platform/change-notifier.js";

describe("change notifier", () => {
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
    return { changes: createChangeNotifier({ pool: { query }, log: { warn } }), query, warn };
  };

  it("sends all changes within 10 ms in one notification, which contains each order once", async () => {
    const { changes, query } = start();
    changes.notify("ord_1");
    changes.notify("ord_2");
    changes.notify("ord_1");
    expect(query).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10);
    expect(query.mock.calls.map(([, parameters]) => parameters)).toEqual([
      ["tillgate_changes", '["ord_1","ord_2"]'],
    ]);
    changes.notify("ord_3");
    await vi.advanceTimersByTimeAsync(10);
    expect(query).toHaveBeenCalledTimes(2);
  });

  it("logs changes that cannot be sent, and does not throw", async () => {
    const { changes, warn } = start(vi.fn(async () => Promise.reject(new Error("the database is away"))));
    changes.notify("ord_1");
    await vi.advanceTimersByTimeAsync(10);
    await changes.close();
    expect(warn).toHaveBeenCalledOnce();
  });

  it("sends pending changes on close, and waits until they are sent", async () => {
    let sent = () => {};
    const { changes, query } = start(
      vi.fn(() => new Promise<undefined>((resolve) => (sent = () => resolve(undefined)))),
    );
    changes.notify("ord_1");
    let closed = false;
    const closing = changes.close().then(() => {
      closed = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(query).toHaveBeenCalledOnce();
    expect(closed).toBe(false);
    sent();
    await closing;
  });
});

describe("change notification payloads", () => {
  it("stay below PostgreSQL's limit of 8000 bytes and lose no ID", () => {
    const ids = Array.from({ length: 2_000 }, (_, n) => `ord_${"é".repeat(n % 40)}${n}`);
    const payloads = createNotificationPayloads(ids);
    expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8_000);
    expect(payloads.flatMap((payload) => parseNotificationPayload(payload))).toEqual(ids);
  });

  it("are treated as a change to everything if they are not lists of IDs", () => {
    for (const payload of [undefined, "", "ord_1", "{}", "[1]", "null"])
      expect(parseNotificationPayload(payload)).toBeNull();
  });
});
