import { describe, expect, it } from "vitest";
import { checkHistory, type Verdict } from "../../../src/history/check.js";
import type { Append, Operation, Outcome, Read } from "../../../src/history/operation.js";

/** Creates a transfer, which appends the same amount, by default 1, to each wallet. */
const transfer = (
  [start, end]: [number, number],
  element: string,
  wallets: string[] = ["A", "B"],
  more: { outcome?: Outcome; amount?: number; client?: number } = {},
): Operation => ({
  client: more.client ?? start,
  call: "payment",
  start,
  end,
  outcome: more.outcome ?? "done",
  appends: wallets.map((wallet): Append => ({ wallet, element, amount: more.amount ?? 1 })),
});

/** Creates a read of a whole statement. @param elements oldest first; each has amount 1. */
const listed = (wallet: string, elements: string[], from = 1): Read => ({
  wallet,
  newest: true,
  oldest: true,
  entries: elements.map((element, at) => ({ element, amount: 1, balance: at + from })).reverse(),
});
const read = ([start, end]: [number, number], ...reads: Read[]): Operation => ({
  client: start,
  call: "statement",
  start,
  end,
  outcome: "done",
  reads,
});

/** Returns the number of anomalies by name. */
const anomaliesOf = async (...history: Operation[]): Promise<Record<string, number>> =>
  Object.fromEntries((await checkHistory(history)).counts);
const firstOf = ({ anomalies }: Verdict): string => `${anomalies[0]?.name}: ${anomalies[0]?.text}`;

describe("a strictly serializable history", () => {
  it("may contain overlapping calls in either order", async () => {
    for (const order of [
      ["a", "b"],
      ["b", "a"],
    ])
      expect(
        await anomaliesOf(
          transfer([1, 5], "a"),
          transfer([2, 4], "b"),
          read([6, 7], listed("A", order)),
          read([6, 8], listed("B", order)),
        ),
      ).toEqual({});
  });

  it("may contain calls of unknown outcome that took effect late or never, and rejected calls without effect", async () => {
    const late = transfer([1, 2], "late", ["A", "B"], { outcome: "unknown" });
    const never = transfer([1, 2], "never", ["A", "B"], { outcome: "unknown" });
    const rejected = transfer([1, 2], "rejected", ["A", "B"], { outcome: "rejected" });
    expect(
      await anomaliesOf(
        late,
        never,
        rejected,
        read([3, 4], listed("A", [])),
        transfer([5, 6], "a"),
        read([7, 8], listed("A", ["a", "late"])),
        read([7, 8], listed("B", ["a", "late"])),
      ),
    ).toEqual({});
  });

  it("may be read in consecutive pages", async () => {
    const entries = (...elements: [string, number][]) =>
      elements.map(([element, balance]) => ({ element, amount: 1, balance }));
    const page = (read: { newest: boolean; oldest: boolean; entries: ReturnType<typeof entries> }) => ({
      wallet: "A",
      ...read,
    });
    expect(
      await anomaliesOf(
        transfer([1, 2], "a", ["A"]),
        transfer([3, 4], "b", ["A"]),
        transfer([5, 6], "c", ["A"]),
        read([7, 8], page({ newest: true, oldest: false, entries: entries(["c", 3], ["b", 2]) })),
        read([7, 8], page({ newest: false, oldest: true, entries: entries(["b", 2], ["a", 1]) })),
      ),
    ).toEqual({});
  });

  it("may contain balances that are correct at some moment during the read", async () => {
    const { undecided, counts } = await checkHistory([
      transfer([1, 2], "a"),
      transfer([3, 8], "b"),
      read([4, 5], { wallet: "A", balance: 1 }),
      read([6, 7], { wallet: "A", balance: 2 }),
      read([9, 10], listed("A", ["a", "b"]), listed("B", ["a", "b"])),
    ]);
    expect(Object.fromEntries(counts)).toEqual({});
    expect(undecided).toBe(0);
  });

  it("may contain a balance that is correct at several moments during the read; the read counts as undecided", async () => {
    const { undecided, counts } = await checkHistory([
      transfer([1, 9], "a", ["A"], { amount: 1 }),
      transfer([2, 9], "b", ["A"], { amount: -1 }),
      read([3, 8], { wallet: "A", balance: 0 }),
      read([10, 11], {
        wallet: "A",
        newest: true,
        oldest: true,
        entries: [
          { element: "b", amount: -1 },
          { element: "a", amount: 1 },
        ],
      }),
    ]);
    expect(Object.fromEntries(counts)).toEqual({});
    expect(undecided).toBe(1);
  });
});

describe("a cycle", () => {
  it("of appends in two orders is reported as G0", async () => {
    expect(
      await anomaliesOf(
        transfer([1, 9], "a"),
        transfer([1, 9], "b"),
        read([10, 11], listed("A", ["a", "b"])),
        read([10, 11], listed("B", ["b", "a"])),
      ),
    ).toEqual({ G0: 1 });
  });

  it("of two calls that read each other's append is reported as G1c", async () => {
    const both = transfer([1, 9], "a", ["A"]);
    expect(
      await anomaliesOf(
        { ...both, reads: [listed("B", ["b"])] },
        { ...transfer([1, 9], "b", ["B"]), reads: [listed("A", ["a"])] },
        read([10, 11], listed("A", ["a"]), listed("B", ["b"])),
      ),
    ).toEqual({ G1c: 1 });
  });

  it("of a read that missed half of a transfer is reported as G-single", async () => {
    expect(
      await anomaliesOf(
        transfer([1, 9], "a"),
        read([1, 9], listed("A", ["a"]), listed("B", [])),
        read([10, 11], listed("A", ["a"]), listed("B", ["a"])),
      ),
    ).toEqual({ "G-single": 1 });
  });

  it("of two calls that missed each other's append is reported as G2", async () => {
    expect(
      await anomaliesOf(
        { ...transfer([1, 9], "a", ["A"]), reads: [listed("B", [])] },
        { ...transfer([1, 9], "b", ["B"]), reads: [listed("A", [])] },
        read([10, 11], listed("A", ["a"]), listed("B", ["b"])),
      ),
    ).toEqual({ G2: 1 });
  });

  it("of two reads that saw two transfers in opposite orders is reported as G2", async () => {
    expect(
      await anomaliesOf(
        transfer([1, 9], "a", ["A"]),
        transfer([1, 9], "b", ["B"]),
        read([2, 9], listed("A", ["a"]), listed("B", [])),
        read([2, 9], listed("A", []), listed("B", ["b"])),
        read([10, 11], listed("A", ["a"]), listed("B", ["b"])),
      ),
    ).toEqual({ G2: 1 });
  });

  it("of appends that contradicts real time is reported as G0-realtime", async () => {
    expect(
      await anomaliesOf(
        transfer([1, 2], "a", ["A"]),
        transfer([3, 4], "b", ["A"]),
        read([5, 6], listed("A", ["b", "a"])),
      ),
    ).toEqual({ "G0-realtime": 1 });
  });

  it("of a read of an append that was sent later is reported as G1c-realtime", async () => {
    expect(
      await anomaliesOf(
        read([1, 2], listed("A", ["a"])),
        transfer([3, 4], "a", ["A"]),
        read([5, 6], listed("A", ["a"])),
      ),
    ).toEqual({ "G1c-realtime": 1 });
  });

  it("of a read that missed an acknowledged append is reported as a stale read with both calls", async () => {
    const verdict = await checkHistory([
      transfer([0, 1], "a", ["A"]),
      transfer([2, 3], "b", ["A"]),
      read([4, 5], listed("A", ["a"])),
      read([6, 7], listed("A", ["a", "b"])),
    ]);
    expect(firstOf(verdict)).toBe(`stale read (G-single-realtime): 2 calls precede each other
  T1 = statement of client 4, 0.0040 s to 0.0050 s, done
  T2 = payment of client 2, 0.0020 s to 0.0030 s, done
  T1 before T2: it did not read "b" of A, which T2 appended
  T2 before T1: it completed 1.000 ms before T1 was sent`);
  });

  it("of a stale balance is reported, even if the balance was correct earlier", async () => {
    expect(
      await anomaliesOf(
        transfer([1, 2], "a", ["A"]),
        transfer([3, 4], "b", ["A"]),
        read([5, 6], { wallet: "A", balance: 1 }),
        read([7, 8], listed("A", ["a", "b"])),
      ),
    ).toEqual({ "stale read (G-single-realtime)": 1 });
  });

  it("is found among 200 calls, and reported with the two calls that contradict each other", async () => {
    const calls = Array.from({ length: 200 }, (_, at) => transfer([at * 2, at * 2 + 1], `e${at}`, ["A"]));
    const elements = calls.map((_, at) => `e${at}`);
    const verdict = await checkHistory([
      ...calls,
      read([500, 501], listed("A", elements.slice(0, 1))),
      read([502, 503], listed("A", elements)),
    ]);
    expect(Object.fromEntries(verdict.counts)).toEqual({ "stale read (G-single-realtime)": 1 });
    expect(firstOf(verdict)).toContain("2 calls precede each other (the shortest among 200 calls");
  });
});

describe("a list", () => {
  const a = transfer([1, 2], "a");
  const final = (elements: string[]) => [
    read([90, 91], listed("A", elements)),
    read([92, 93], listed("B", elements)),
  ];

  it("without an acknowledged append is reported as a lost update", async () => {
    expect(await anomaliesOf(a, ...final([]))).toEqual({ "lost update": 2 });
  });

  it("without an append that an earlier statement contained is reported as a lost update", async () => {
    const unknown = transfer([1, 2], "a", ["A"], { outcome: "unknown" });
    expect(
      await anomaliesOf(unknown, read([3, 4], listed("A", ["a"])), transfer([5, 6], "b"), ...final(["b"])),
    ).toEqual({ "lost update": 1 });
  });

  it("with an entry twice is reported as a duplicate", async () => {
    expect(
      await anomaliesOf(a, read([3, 4], listed("A", ["a", "a"])), read([5, 6], listed("B", ["a"]))),
    ).toMatchObject({ duplicate: 1 });
  });

  it("with a rejected append is reported as an aborted read", async () => {
    expect(
      await anomaliesOf(transfer([1, 2], "a", ["A", "B"], { outcome: "rejected" }), ...final(["a"])),
    ).toEqual({ "aborted read (G1a)": 2 });
  });

  it("with one side of an unacknowledged transfer is reported as half a transfer", async () => {
    expect(
      await anomaliesOf(
        transfer([1, 2], "a", ["A", "B"], { outcome: "unknown" }),
        read([3, 4], listed("A", ["a"])),
        read([5, 6], listed("B", [])),
      ),
    ).toEqual({ "half a transfer": 1 });
  });

  it("with an amount other than the one that the call sent is reported", async () => {
    expect(await anomaliesOf(transfer([1, 2], "a", ["A", "B"], { amount: 2 }), ...final(["a"]))).toEqual({
      "wrong amount": 2,
    });
  });

  it("whose balance is not the sum of its entries is reported with an incorrect running balance", async () => {
    expect(
      await anomaliesOf(
        a,
        transfer([3, 4], "b", ["A"]),
        read([5, 6], {
          ...listed("A", ["a", "b"]),
          entries: [
            { element: "b", amount: 1, balance: 1 },
            { element: "a", amount: 1, balance: 1 },
          ],
        }),
        read([5, 6], listed("B", ["a"])),
      ),
    ).toEqual({ "running balance not exact": 1 });
  });

  it("whose balance after an entry changes is reported with an incorrect running balance", async () => {
    expect(
      await anomaliesOf(
        a,
        read([3, 4], listed("A", ["a"], 7)),
        read([5, 6], listed("A", ["a"]), listed("B", ["a"])),
      ),
    ).toEqual({ "running balance not exact": 1 });
  });

  it("with a balance that it never had is reported", async () => {
    expect(await anomaliesOf(a, read([3, 4], { wallet: "A", balance: 5 }), ...final(["a"]))).toEqual({
      "running balance not exact": 1,
    });
  });

  it("that changes its order is reported", async () => {
    expect(
      await anomaliesOf(
        transfer([1, 9], "a", ["A"]),
        transfer([1, 9], "b", ["A"]),
        transfer([1, 9], "c", ["A"]),
        read([2, 3], listed("A", ["a", "b"])),
        read([10, 11], listed("A", ["a", "c", "b"])),
      ),
    ).toMatchObject({ "incompatible order": 2 });
  });

  it("whose statements do not reach back to its first entry is reported as an incomplete record", async () => {
    const page = { ...listed("A", ["a"]), oldest: false };
    expect(await anomaliesOf(transfer([1, 2], "a", ["A"]), read([3, 4], page))).toMatchObject({
      "incomplete record": 1,
    });
  });
});

describe("a history", () => {
  const history = (): Operation[] => [
    ...Array.from({ length: 20 }, (_, at) => transfer([at * 2, at * 2 + 1], `e${at}`)),
    read(
      [50, 51],
      listed(
        "A",
        Array.from({ length: 20 }, (_, at) => `e${at}`),
      ),
    ),
    read(
      [52, 53],
      listed(
        "B",
        Array.from({ length: 20 }, (_, at) => `e${at}`),
      ),
    ),
  ];

  it("without errors has no anomalies", async () => {
    expect(await anomaliesOf(...history())).toEqual({});
  });

  it("that lacks an acknowledged call is reported", async () => {
    expect(await anomaliesOf(...history().toSpliced(7, 1))).toEqual({ "append without a call": 2 });
  });

  it("that contains an acknowledged call twice is reported", async () => {
    const calls = history();
    expect(await anomaliesOf(...calls, ...calls.slice(7, 8))).toMatchObject({ duplicate: 2 });
  });

  it("with the appends of two calls swapped is reported", async () => {
    const calls = history();
    const [seventh, ninth] = [calls[7], calls[9]];
    if (!seventh || !ninth) throw new Error("the history is too short");
    const [first, second] = [seventh.appends ?? [], ninth.appends ?? []];
    calls[7] = { ...seventh, appends: second };
    calls[9] = { ...ninth, appends: first };
    expect(await anomaliesOf(...calls)).toEqual({ "G0-realtime": 1 });
  });
});

it("a stale read is found in a history of 100,000 operations", async () => {
  const size = 100_000;
  const wallets = ["A", "B", "C", "D"];
  const lists = new Map(wallets.map((wallet) => [wallet, [] as string[]]));
  const calls: Operation[] = [];
  for (let at = 0; at < size; at += 1) {
    const pair = [wallets[at % 4] ?? "", wallets[(at + 1 + (at % 3)) % 4] ?? ""];
    // Four calls overlap each other.
    const times: [number, number] = [at * 10, at * 10 + 35];
    if (at % 3 > 0) {
      for (const wallet of pair) lists.get(wallet)?.push(`e${at}`);
      calls.push({ ...transfer(times, `e${at}`, pair), client: at % 4 });
      continue;
    }
    const wallet = pair[0] ?? "";
    const list = lists.get(wallet) ?? [];
    const seen = at === 60_000 ? list.slice(0, -9) : list;
    const entries = seen
      .slice(-3)
      .reverse()
      .map((element, back) => ({ element, amount: 1, balance: seen.length - back }));
    calls.push(read(times, { wallet, newest: true, oldest: seen.length <= 3, entries }));
  }
  for (const [wallet, list] of lists) calls.push(read([size * 20, size * 20 + 1], listed(wallet, list)));
  const { counts, operations } = await checkHistory(calls);
  expect(operations).toBe(size + 4);
  expect(Object.fromEntries(counts)).toEqual({ "stale read (G-single-realtime)": 1 });
});
