import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Context } from "../../../src/context.js";
import {
  createQueue,
  MAX_ITEMS,
  MAX_WAITING,
  MisfitsError,
  type SetMode,
  type SetWork,
} from "../../../src/ledger/sets.js";
import { UnavailableError } from "../../../src/platform/availability.js";

type Item = { merchant: string; id: number; claims?: string[] };
type Together = (items: readonly Item[]) => Promise<(string | undefined)[]>;

/** A queue whose calls are noted, and end when the test says so. */
function scene(
  options: {
    together?: Together;
    alone?: (item: Item) => Promise<string>;
    isKeyed?: (item: Item) => boolean;
    mode?: SetMode;
    setsAtOnce?: number;
  } = {},
) {
  const calls: Item[][] = [];
  const singles: Item[] = [];
  const ends: (() => void)[] = [];
  const untilEnded = () => new Promise<void>((resolve) => ends.push(resolve));
  const work: SetWork<Item, string> = {
    laneOf: ({ merchant }) => merchant,
    claimsOf: ({ claims = [] }) => claims,
    ...(options.isKeyed && { isKeyed: options.isKeyed }),
    async together(_, items) {
      calls.push([...items]);
      if (options.together) return options.together(items);
      await untilEnded();
      return items.map(({ id }) => `together ${id}`);
    },
    async alone(_, item) {
      singles.push(item);
      if (options.alone) return options.alone(item);
      await untilEnded();
      return `alone ${item.id}`;
    },
  };
  const context = {} as Context;
  return {
    run: createQueue(context, work, { sets: options.mode ?? "crowded", setsAtOnce: options.setsAtOnce ?? 2 }),
    calls,
    singles,
    /** Lets every call under way end. */
    async end() {
      for (const end of ends.splice(0)) end();
      await delay(0);
    },
  };
}

const items = (merchant: string, count: number, from = 0): Item[] =>
  Array.from({ length: count }, (_, at) => ({ merchant, id: from + at }));

describe("what arrives", () => {
  it("waits for the set under way where only one may be", async () => {
    const { run, calls, singles, end } = scene({ setsAtOnce: 1 });
    const done = ["a", "b", "c"].map((merchant, id) => run({ merchant, id }));
    expect([singles.length, calls.length]).toEqual([1, 0]);
    await end();
    expect(calls).toEqual([
      [
        { merchant: "b", id: 1 },
        { merchant: "c", id: 2 },
      ],
    ]);
    await end();
    expect(await Promise.all(done)).toEqual(["alone 0", "together 1", "together 2"]);
  });

  it("alone is done at once, alone", async () => {
    const { run, calls, singles, end } = scene();
    const done = run({ merchant: "a", id: 1 });
    expect(singles).toHaveLength(1);
    await end();
    expect(await done).toBe("alone 1");
    expect(calls).toEqual([]);
  });

  it("while a call of its merchant is under way goes into the next one, together", async () => {
    const { run, calls, end } = scene();
    const first = run({ merchant: "a", id: 0 });
    const others = items("a", 3, 1).map(run);
    expect(calls).toEqual([]);
    await end();
    expect(calls).toEqual([items("a", 3, 1)]);
    await end();
    expect(await Promise.all([first, ...others])).toEqual([
      "alone 0",
      "together 1",
      "together 2",
      "together 3",
    ]);
  });

  it("of other merchants goes into one set while two are under way", async () => {
    const { run, calls, end } = scene();
    const all = ["a", "b", "c", "d", "e"].map((merchant, id) => run({ merchant, id }));
    await end();
    expect(calls.map((set) => set.map(({ merchant }) => merchant))).toEqual([["c", "d", "e"]]);
    await end();
    await Promise.all(all);
  });

  it("never exceeds 64 items in a set, and the rest follows", async () => {
    const { run, calls, end } = scene();
    const all = items("a", 1 + MAX_ITEMS + 1).map(run);
    await end();
    expect(calls[0]).toHaveLength(MAX_ITEMS);
    await end();
    await end();
    expect(await Promise.all(all)).toHaveLength(MAX_ITEMS + 2);
  });

  it("of a quiet merchant has its share beside a busy one", async () => {
    const { run, calls, end } = scene({ setsAtOnce: 1 });
    const all = [...items("busy", 201), ...items("quiet", 3, 900)].map(run);
    await end();
    expect(calls[0]?.filter(({ merchant }) => merchant === "quiet")).toHaveLength(2 + 1);
    for (let round = 0; round < 8; round += 1) await end();
    expect(await Promise.all(all)).toHaveLength(204);
  });

  it("in more than one set holds is shared by the sets that may begin, lane by lane", async () => {
    const { run, calls, end } = scene();
    const merchants = ["a", "b", "c", "d"];
    const all = merchants.flatMap((merchant) => items(merchant, 41)).map(run);
    // The first ones of a and b went alone.
    await end();
    expect(calls.map((set) => new Set(set.map(({ merchant }) => merchant)).size)).toEqual([2, 2]);
    for (let round = 0; round < 6; round += 1) await end();
    expect(await Promise.all(all)).toHaveLength(4 * 41);
  });

  it("with a claim that the set has already waits for the next one", async () => {
    const { run, calls, end } = scene();
    const all = [0, 1, 2].map((id) => run({ merchant: "a", id, claims: ["one key"] }));
    for (let round = 0; round < 3; round += 1) await end();
    expect(calls).toEqual([]);
    expect(await Promise.all(all)).toEqual(["alone 0", "alone 1", "alone 2"]);
  });

  it("waits up to 512 a merchant; one more is told to come again", async () => {
    const { run, end } = scene();
    const all = items("a", 1 + MAX_WAITING).map(run);
    await expect(run({ merchant: "a", id: 9_999 })).rejects.toBeInstanceOf(UnavailableError);
    const other = run({ merchant: "b", id: 1 });
    for (let round = 0; round < 12; round += 1) await end();
    expect(await Promise.all([...all, other])).toHaveLength(MAX_WAITING + 2);
  });

  it("behind a call that takes long goes on without it", async () => {
    const { run, singles, end } = scene();
    const all = ["a", "b", "c"].map((merchant, id) => run({ merchant, id }));
    expect(singles).toHaveLength(2);
    await delay(150);
    expect(singles).toHaveLength(3);
    await end();
    await Promise.all(all);
  });

  it("goes alone where sets are off", async () => {
    const { run, calls, singles, end } = scene({ mode: "never" });
    const all = items("a", 20).map(run);
    expect(singles).toHaveLength(20);
    await end();
    await Promise.all(all);
    expect(calls).toEqual([]);
  });
});

describe("a set", () => {
  it("whose item is not possible leaves it to go alone, and does the others", async () => {
    const { run } = scene({
      mode: "always",
      together: async (set) => set.map(({ id }) => (id % 2 ? undefined : `together ${id}`)),
      alone: async ({ id }) => `alone ${id}`,
    });
    expect(await Promise.all(items("a", 4).map(run))).toEqual([
      "together 0",
      "alone 1",
      "together 2",
      "alone 3",
    ]);
  });

  it("that names misfits sends them alone, the others together again, and then all of the misfit's merchant alone", async () => {
    const played = scene({
      mode: "always",
      together: async (set) => {
        const misfits = set.filter(({ id }) => id === 2);
        if (misfits.length > 0) throw new MisfitsError(new Set(misfits));
        return set.map(({ id }) => `together ${id}`);
      },
      alone: async ({ id }) => {
        if (id === 2) throw new Error("refused");
        return `alone ${id}`;
      },
    });
    const all = [...items("a", 2), ...items("b", 2, 2)].map(played.run);
    const ends = await Promise.allSettled(all);
    expect(ends.map((end) => (end.status === "fulfilled" ? end.value : "refused"))).toEqual([
      "together 0",
      "together 1",
      "refused",
      "together 3",
    ]);
    expect(await played.run({ merchant: "b", id: 7 })).toBe("alone 7");
    expect(await played.run({ merchant: "a", id: 8 })).toBe("together 8");
  });

  it.each(["55P03", "40P01", "40001", "23505"])("that the database undid by %s goes singly", async (code) => {
    const { run } = scene({
      mode: "always",
      together: () => Promise.reject(Object.assign(new Error("undone"), { code })),
      alone: async ({ id }) => `alone ${id}`,
    });
    expect(await Promise.all(items("a", 3).map(run))).toEqual(["alone 0", "alone 1", "alone 2"]);
  });

  it("that an item broke without a name sends that item's merchant alone for a while, nobody else", async () => {
    const played = scene({
      mode: "always",
      together: async (set) => {
        if (set.some(({ id }) => id === 1)) throw Object.assign(new Error("a check"), { code: "23514" });
        return set.map(({ id }) => `together ${id}`);
      },
      alone: async ({ id }) => {
        if (id === 1) throw new Error("broken");
        return `alone ${id}`;
      },
    });
    // Both merchants' first items are under way, so the next ones share a set.
    const all = [
      { merchant: "y", id: 90 },
      { merchant: "z", id: 91 },
      { merchant: "a", id: 1 },
      { merchant: "b", id: 2 },
    ].map(played.run);
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    await delay(0);
    expect(await played.run({ merchant: "a", id: 3 })).toBe("alone 3");
    expect(await played.run({ merchant: "b", id: 4 })).toBe("together 4");
  });

  it("whose commit is unknown is not done again", async () => {
    const played = scene({
      mode: "always",
      together: () => Promise.reject(Object.assign(new Error("lost"), { code: "ECONNRESET" })),
      alone: async ({ id }) => `alone ${id}`,
    });
    const ends = await Promise.allSettled(items("a", 3).map(played.run));
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(played.singles).toEqual([]);
  });

  it.each([
    { code: "57P01", again: [1] },
    { code: "08007", again: [1] },
    // No failover: it took too long, and would again.
    { code: "57014", again: [] },
  ])("whose commit is unknown by $code is asked for again behind a key only", async ({ code, again }) => {
    const played = scene({
      mode: "always",
      together: () => Promise.reject(Object.assign(new Error("lost"), { code })),
      alone: async ({ id }) => `alone ${id}`,
      isKeyed: ({ id }) => id === 1,
    });
    const ends = await Promise.allSettled(items("a", 3).map(played.run));
    expect(played.singles.map(({ id }) => id)).toEqual(again);
    expect(ends.filter(({ status }) => status === "fulfilled").length).toBe(again.length);
  });

  it("that is undone after it stopped holding others back loses no item", async () => {
    const played = scene({
      mode: "always",
      together: async (set) => {
        if (set.length < 3) return set.map(({ id }) => `together ${id}`);
        await delay(150);
        throw new MisfitsError(new Set([set[0]]));
      },
      alone: async ({ id }) => `alone ${id}`,
    });
    const first = played.run({ merchant: "z", id: 100 });
    const second = played.run({ merchant: "y", id: 101 });
    const all = items("a", 3).map(played.run);
    expect(await Promise.all([first, second, ...all])).toEqual([
      "together 100",
      "together 101",
      "alone 0",
      "together 1",
      "together 2",
    ]);
  });
});
