import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Context } from "../../../src/context.js";
import {
  CONCURRENT_AFTER_MS,
  createQueue,
  type GroupedWork,
  type GroupMode,
  MAX_GROUP_SIZE,
  MAX_QUEUED_PER_PARTITION,
  MIN_CONCURRENT_ITEMS,
  RejectedItemsError,
} from "../../../src/ledger/group-commit.js";
import { UnavailableError } from "../../../src/platform/availability.js";

type Item = { merchant: string; id: number; conflictKeys?: string[] };
type RunGroup = (items: readonly Item[]) => Promise<(string | undefined)[]>;

/**
 * Creates a queue that records its calls. Without `inGroup` or `alone`, a call runs until the test calls
 * `end`.
 */
function createTestQueue(
  options: {
    inGroup?: RunGroup;
    alone?: (item: Item) => Promise<string>;
    isKeyed?: (item: Item) => boolean;
    mode?: GroupMode;
    concurrentGroups?: number;
  } = {},
) {
  const calls: Item[][] = [];
  const singles: Item[] = [];
  const ends: (() => void)[] = [];
  const untilEnded = () => new Promise<void>((resolve) => ends.push(resolve));
  const work: GroupedWork<Item, string> = {
    partitionOf: ({ merchant }) => merchant,
    conflictKeysOf: ({ conflictKeys = [] }) => conflictKeys,
    ...(options.isKeyed && { isKeyed: options.isKeyed }),
    async runGroup(_, items) {
      calls.push([...items]);
      if (options.inGroup) return options.inGroup(items);
      await untilEnded();
      return items.map(({ id }) => `group ${id}`);
    },
    async runOne(_, item) {
      singles.push(item);
      if (options.alone) return options.alone(item);
      await untilEnded();
      return `alone ${item.id}`;
    },
  };
  const context = {} as Context;
  return {
    run: createQueue(context, work, {
      groupCommit: options.mode ?? "auto",
      concurrentGroups: options.concurrentGroups ?? 2,
    }),
    calls,
    singles,
    /** Ends every running call, and starts the next groups. */
    async end() {
      for (const end of ends.splice(0)) end();
      await nextTurn();
      await nextTurn();
    },
  };
}

afterEach(() => vi.useRealTimers());

const items = (merchant: string, count: number, from = 0): Item[] =>
  Array.from({ length: count }, (_, at) => ({ merchant, id: from + at }));

describe("a queued item", () => {
  it("waits for the running item if only one group may run at a time", async () => {
    const { run, calls, singles, end } = createTestQueue({ concurrentGroups: 1 });
    const first = run({ merchant: "a", id: 0 });
    await nextTurn();
    const others = ["b", "c"].map((merchant, at) => run({ merchant, id: at + 1 }));
    await nextTurn();
    expect([singles.length, calls.length]).toEqual([1, 0]);
    await end();
    expect(calls).toEqual([
      [
        { merchant: "b", id: 1 },
        { merchant: "c", id: 2 },
      ],
    ]);
    await end();
    expect(await Promise.all([first, ...others])).toEqual(["alone 0", "group 1", "group 2"]);
  });

  it("runs immediately and alone if nothing is running", async () => {
    const { run, calls, singles, end } = createTestQueue();
    const done = run({ merchant: "a", id: 1 });
    await nextTurn();
    expect(singles).toHaveLength(1);
    await end();
    expect(await done).toBe("alone 1");
    expect(calls).toEqual([]);
  });

  it("shares a group with items that arrive in the same turn of the event loop", async () => {
    const { run, calls, singles, end } = createTestQueue();
    const all = items("a", 3).map(run);
    await nextTurn();
    expect([calls, singles]).toEqual([[items("a", 3)], []]);
    await end();
    expect(await Promise.all(all)).toEqual(["group 0", "group 1", "group 2"]);
  });

  it("waits for the next group while an item of its merchant is running", async () => {
    const { run, calls, end } = createTestQueue();
    const first = run({ merchant: "a", id: 0 });
    await nextTurn();
    const others = items("a", 3, 1).map(run);
    await nextTurn();
    expect(calls).toEqual([]);
    await end();
    expect(calls).toEqual([items("a", 3, 1)]);
    await end();
    expect(await Promise.all([first, ...others])).toEqual(["alone 0", "group 1", "group 2", "group 3"]);
  });

  it("waits up to 10 ms for a running item, and then starts in a group with other merchants' items", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { run, calls, end } = createTestQueue();
    const first = run({ merchant: "a", id: 0 });
    await nextTurn();
    const others = [...items("b", 16, 1), ...items("c", 15, 17)].map(run);
    vi.advanceTimersByTime(CONCURRENT_AFTER_MS - 1);
    await nextTurn();
    expect(calls).toEqual([]);
    vi.advanceTimersByTime(1);
    await nextTurn();
    expect(calls.map((group) => group.length)).toEqual([31]);
    await end();
    await Promise.all([first, ...others]);
  });

  it("is processed in the next group, which starts as soon as the running item ends", async () => {
    const { run, calls, end } = createTestQueue();
    const first = run({ merchant: "a", id: 0 });
    await nextTurn();
    const others = ["b", "c"].map((merchant, at) => run({ merchant, id: at + 1 }));
    await end();
    expect(calls.map((group) => group.map(({ merchant }) => merchant))).toEqual([["b", "c"]]);
    await end();
    await Promise.all([first, ...others]);
  });

  it("does not wait for a running item once 32 items are queued", async () => {
    const { run, calls, end } = createTestQueue();
    const first = run({ merchant: "a", id: 0 });
    await nextTurn();
    const others = items("b", MIN_CONCURRENT_ITEMS, 1).map(run);
    await nextTurn();
    expect(calls.map((group) => group.length)).toEqual([32]);
    await end();
    await Promise.all([first, ...others]);
  });

  it("waits for the next group if the current group already has 64 items", async () => {
    const { run, calls, end } = createTestQueue();
    const all = items("a", MAX_GROUP_SIZE + 1).map(run);
    await nextTurn();
    expect(calls[0]).toHaveLength(MAX_GROUP_SIZE);
    await end();
    await end();
    expect(await Promise.all(all)).toHaveLength(MAX_GROUP_SIZE + 1);
  });

  it("waits at most 10 ms for the group of a busy merchant", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { run, calls, end } = createTestQueue();
    const all = [...items("busy", 201), ...items("quiet", 3, 900)].map(run);
    await nextTurn();
    expect(calls.flat().filter(({ merchant }) => merchant === "quiet")).toEqual([]);
    vi.advanceTimersByTime(CONCURRENT_AFTER_MS);
    await nextTurn();
    expect(calls.at(-1)).toEqual(items("quiet", 3, 900));
    for (let round = 0; round < 8; round += 1) await end();
    expect(await Promise.all(all)).toHaveLength(204);
  });

  it("is in the first group even if a busy merchant queued more items before it than a group can contain", async () => {
    const { run, calls, end } = createTestQueue({ concurrentGroups: 1 });
    const all = [...items("busy", 201), ...items("quiet", 3, 900)].map(run);
    await nextTurn();
    expect(calls[0]?.filter(({ merchant }) => merchant === "quiet")).toHaveLength(3);
    for (let round = 0; round < 8; round += 1) await end();
    expect(await Promise.all(all)).toHaveLength(204);
  });

  it("is grouped with its merchant's items if more items are queued than one group can contain", async () => {
    const { run, calls, end } = createTestQueue();
    const merchants = ["a", "b", "c", "d"];
    const all = merchants.flatMap((merchant) => items(merchant, 41)).map(run);
    await nextTurn();
    expect(calls.map((set) => new Set(set.map(({ merchant }) => merchant)).size)).toEqual([2, 2]);
    for (let round = 0; round < 6; round += 1) await end();
    expect(await Promise.all(all)).toHaveLength(4 * 41);
  });

  it("does not share a group with another item that has the same conflict key", async () => {
    const { run, calls, end } = createTestQueue();
    const all = [0, 1, 2].map((id) => run({ merchant: "a", id, conflictKeys: ["one key"] }));
    await nextTurn();
    for (let round = 0; round < 3; round += 1) await end();
    expect(calls).toEqual([]);
    expect(await Promise.all(all)).toEqual(["alone 0", "alone 1", "alone 2"]);
  });

  it("is rejected as unavailable if 512 items of its merchant are queued", async () => {
    const { run, end } = createTestQueue();
    const all = items("a", MAX_QUEUED_PER_PARTITION).map(run);
    await expect(run({ merchant: "a", id: 9_999 })).rejects.toBeInstanceOf(UnavailableError);
    const other = run({ merchant: "b", id: 1 });
    for (let round = 0; round < 12; round += 1) await end();
    expect(await Promise.all([...all, other])).toHaveLength(MAX_QUEUED_PER_PARTITION + 1);
  });

  it("starts after at most 100 ms even if the maximum number of groups is running", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { run, singles, end } = createTestQueue();
    const all: Promise<string>[] = [];
    for (const [id, merchant] of ["a", "b", "c"].entries()) {
      all.push(run({ merchant, id }));
      await nextTurn();
      vi.advanceTimersByTime(CONCURRENT_AFTER_MS);
      await nextTurn();
    }
    expect(singles).toHaveLength(2);
    vi.advanceTimersByTime(100);
    await nextTurn();
    expect(singles).toHaveLength(3);
    await end();
    await Promise.all(all);
  });

  it("runs alone if group commit is off", async () => {
    const { run, calls, singles, end } = createTestQueue({ mode: "never" });
    const all = items("a", 20).map(run);
    expect(singles).toHaveLength(20);
    await end();
    await Promise.all(all);
    expect(calls).toEqual([]);
  });
});

describe("a group", () => {
  it("commits its other items if an item fails, and reruns the failed item alone", async () => {
    const { run } = createTestQueue({
      mode: "always",
      inGroup: async (set) => set.map(({ id }) => (id % 2 ? undefined : `group ${id}`)),
      alone: async ({ id }) => `alone ${id}`,
    });
    expect(await Promise.all(items("a", 4).map(run))).toEqual(["group 0", "alone 1", "group 2", "alone 3"]);
  });

  it("runs rejected items one by one, regroups the other items, and then runs new items of the rejected item's merchant one by one", async () => {
    const queue = createTestQueue({
      mode: "always",
      inGroup: async (set) => {
        const rejected = set.filter(({ id }) => id === 2);
        if (rejected.length > 0) throw new RejectedItemsError(new Set(rejected));
        return set.map(({ id }) => `group ${id}`);
      },
      alone: async ({ id }) => {
        if (id === 2) throw new Error("refused");
        return `alone ${id}`;
      },
    });
    const all = [...items("a", 2), ...items("b", 2, 2)].map(queue.run);
    const ends = await Promise.allSettled(all);
    expect(ends.map((end) => (end.status === "fulfilled" ? end.value : "refused"))).toEqual([
      "group 0",
      "group 1",
      "refused",
      "group 3",
    ]);
    expect(await queue.run({ merchant: "b", id: 7 })).toBe("alone 7");
    expect(await queue.run({ merchant: "a", id: 8 })).toBe("group 8");
  });

  it.each(["55P03", "40P01", "40001", "23505"])(
    "runs its items one by one if the database rolled it back with %s",
    async (code) => {
      const { run } = createTestQueue({
        mode: "always",
        inGroup: () => Promise.reject(Object.assign(new Error("undone"), { code })),
        alone: async ({ id }) => `alone ${id}`,
      });
      expect(await Promise.all(items("a", 3).map(run))).toEqual(["alone 0", "alone 1", "alone 2"]);
    },
  );

  it("runs at most four of each merchant's items concurrently after a failure", async () => {
    const queue = createTestQueue({
      mode: "always",
      inGroup: () => Promise.reject(Object.assign(new Error("undone"), { code: "55P03" })),
    });
    const running = [...items("a", 6), ...items("b", 1, 6)].map(queue.run);
    await queue.end();
    expect(queue.singles.map(({ id }) => id)).toEqual([0, 1, 2, 3, 6]);
    await queue.end();
    expect(queue.singles.map(({ id }) => id)).toEqual([0, 1, 2, 3, 6, 4, 5]);
    await queue.end();
    expect(await Promise.all(running)).toHaveLength(7);
  });

  it("after a failover, concurrently retries all its items that have an idempotency key", async () => {
    const queue = createTestQueue({
      mode: "always",
      inGroup: () => Promise.reject(Object.assign(new Error("lost"), { code: "57P01" })),
      isKeyed: () => true,
    });
    const running = items("a", 6).map(queue.run);
    await queue.end();
    expect(queue.singles).toHaveLength(6);
    await queue.end();
    expect(await Promise.all(running)).toHaveLength(6);
  });

  it("runs only the failing merchant's new items one by one if the failure does not identify an item", async () => {
    const queue = createTestQueue({
      mode: "always",
      inGroup: async (set) => {
        if (set.some(({ id }) => id === 1)) throw Object.assign(new Error("a check"), { code: "23514" });
        return set.map(({ id }) => `group ${id}`);
      },
      alone: async ({ id }) => {
        if (id === 1) throw new Error("broken");
        return `alone ${id}`;
      },
    });
    const all = [
      { merchant: "a", id: 1 },
      { merchant: "b", id: 2 },
    ].map(queue.run);
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    await delay(0);
    expect(await queue.run({ merchant: "a", id: 3 })).toBe("alone 3");
    expect(await queue.run({ merchant: "b", id: 4 })).toBe("group 4");
  });

  it("retries no item without an idempotency key if its outcome is unknown", async () => {
    const queue = createTestQueue({
      mode: "always",
      inGroup: () => Promise.reject(Object.assign(new Error("lost"), { code: "ECONNRESET" })),
      alone: async ({ id }) => `alone ${id}`,
    });
    const ends = await Promise.allSettled(items("a", 3).map(queue.run));
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(queue.singles).toEqual([]);
  });

  it.each([
    ["only the item with an idempotency key", "57P01", [1]],
    ["only the item with an idempotency key", "08007", [1]],
    // A statement timeout, which a retry would repeat.
    ["no item", "57014", []],
  ])("retries %s if its outcome is unknown after %s", async (_what, code, again) => {
    const queue = createTestQueue({
      mode: "always",
      inGroup: () => Promise.reject(Object.assign(new Error("lost"), { code })),
      alone: async ({ id }) => `alone ${id}`,
      isKeyed: ({ id }) => id === 1,
    });
    const ends = await Promise.allSettled(items("a", 3).map(queue.run));
    expect(queue.singles.map(({ id }) => id)).toEqual(again);
    expect(ends.filter(({ status }) => status === "fulfilled").length).toBe(again.length);
  });

  it("loses no item even if it is rolled back after other groups stopped waiting for it", async () => {
    const queue = createTestQueue({
      mode: "always",
      inGroup: async (set) => {
        if (set.length < 3) return set.map(({ id }) => `group ${id}`);
        await delay(150);
        throw new RejectedItemsError(new Set([set[0]]));
      },
      alone: async ({ id }) => `alone ${id}`,
    });
    const all = items("a", 3).map(queue.run);
    expect(await Promise.all(all)).toEqual(["alone 0", "group 1", "group 2"]);
  });
});
