import fc from "fast-check";
import { expect, it } from "vitest";
import { checkHistory } from "../../../src/history/check.js";
import type { Operation, Outcome, Read } from "../../../src/history/operation.js";

const WALLETS = ["A", "B"] as const;
type WalletName = (typeof WALLETS)[number];
type State = Record<WalletName, string[]>;
const RUNS = process.env.TILLGATE_TEST_COUNTS === "full" ? 30_000 : 1_000;
const TIMEOUT_MS = 300_000;

/** A call. Its element is its index, and its amount a power of two, so that each balance belongs to only one list. */
type Call = {
  start: number;
  duration: number;
  outcome: Outcome;
  /** Wallets to which the call appends; empty for a read. */
  appends: readonly WalletName[];
  /** Reads the first `length` entries of each wallet, as a list or as a balance. */
  reads: readonly { wallet: WalletName; length: number; asBalance: boolean }[];
};

const call: fc.Arbitrary<Call> = fc.record({
  start: fc.nat({ max: 12 }),
  duration: fc.integer({ min: 1, max: 6 }),
  outcome: fc.constantFrom("done", "done", "done", "unknown", "rejected"),
  appends: fc.constantFrom(["A"], ["B"], ["A", "B"], ["A", "B"], [], [], []),
  reads: fc.subarray([...WALLETS]).chain((wallets) =>
    fc.tuple(
      ...wallets.map((wallet) =>
        fc.record({
          wallet: fc.constant(wallet),
          length: fc.nat({ max: 3 }),
          asBalance: fc.boolean(),
        }),
      ),
    ),
  ),
});

const amountOf = (element: string): number => 2 ** Number(element);
const sumOf = (elements: readonly string[]): number =>
  elements.reduce((sum, element) => sum + amountOf(element), 0);
const toRead = (wallet: WalletName, list: readonly string[], asBalance: boolean): Read =>
  asBalance
    ? { wallet, balance: sumOf(list) }
    : {
        wallet,
        newest: true,
        oldest: true,
        entries: list
          .map((element, at) => ({
            element,
            amount: amountOf(element),
            balance: sumOf(list.slice(0, at + 1)),
          }))
          .reverse(),
      };

/** Creates a history of these calls, in which each read sees the beginnings of the final lists. @returns also the lists that each call saw. */
function toHistory(calls: readonly Call[], final: State): { history: Operation[]; seen: State[] } {
  const seen: State[] = [];
  const history = calls.map(({ start, duration, outcome, appends, reads }, client): Operation => {
    const isRead = appends.length === 0;
    const lists: State = { A: [], B: [] };
    for (const { wallet, length } of reads) lists[wallet] = final[wallet].slice(0, length);
    seen.push(lists);
    return {
      ...{ client, call: isRead ? "read" : "transfer", start, end: start + duration },
      ...{ outcome: isRead ? "done" : outcome },
      ...(isRead
        ? { reads: reads.map(({ wallet, asBalance }) => toRead(wallet, lists[wallet], asBalance)) }
        : {
            appends: appends.map((wallet) => ({
              wallet,
              element: `${client}`,
              amount: amountOf(`${client}`),
            })),
          }),
    };
  });
  history.push({
    ...{ client: calls.length, call: "final", start: 90, end: 99, outcome: "done" },
    reads: WALLETS.map((wallet) => toRead(wallet, final[wallet], false)),
  });
  return { history, seen };
}

/** Returns whether the calls can run one at a time, in an order that respects real time, with the same responses. Tries all orders. */
function hasOrder(calls: readonly Call[], final: State, seen: readonly State[]): boolean {
  const isRead = (at: number): boolean => calls[at]?.appends.length === 0;
  const tryNext = (state: State, left: readonly number[]): boolean => {
    const mustHappen = left.filter((at) => isRead(at) || calls[at]?.outcome === "done");
    if (mustHappen.length === 0 && WALLETS.every((wallet) => `${state[wallet]}` === `${final[wallet]}`))
      return true;
    const firstEnd = Math.min(
      ...mustHappen.map((at) => (calls[at]?.start ?? 0) + (calls[at]?.duration ?? 0)),
    );
    return left.some((at) => {
      const next = calls[at];
      if (!next || next.start > firstEnd || (!isRead(at) && next.outcome === "rejected")) return false;
      if (next.reads.length > 0 && isRead(at))
        if (next.reads.some(({ wallet }) => `${state[wallet]}` !== `${seen[at]?.[wallet]}`)) return false;
      const after: State = { A: [...state.A], B: [...state.B] };
      for (const wallet of next.appends) after[wallet].push(`${at}`);
      return tryNext(
        after,
        left.filter((other) => other !== at),
      );
    });
  };
  return tryNext(
    { A: [], B: [] },
    calls.map((_, at) => at),
  );
}

/** Generates calls, and final lists with most or all of their appends in a random order. */
const situation = fc.array(call, { minLength: 2, maxLength: 6 }).chain((calls) => {
  const appended = (wallet: WalletName): string[] =>
    calls.flatMap(({ appends, outcome }, at) =>
      appends.includes(wallet) && outcome !== "rejected" ? [`${at}`] : [],
    );
  const order = fc.shuffledSubarray(
    calls.map((_, at) => `${at}`),
    { minLength: calls.length },
  );
  return fc.record({
    calls: fc.constant(calls),
    order,
    // In one run of four, the two lists have different orders.
    orderOfB: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: order }),
    missing: fc.oneof(
      { weight: 4, arbitrary: fc.constant<string[]>([]) },
      {
        weight: 1,
        arbitrary: fc.subarray(
          calls.map((_, at) => `${at}`),
          { maxLength: 2 },
        ),
      },
    ),
    byTime: fc.boolean(),
    lists: fc.constant({ A: appended("A"), B: appended("B") }),
  });
});

it(
  "the verdict on small histories is the same as after trying every order of their calls",
  async () => {
    const verdicts = { sound: 0, unsound: 0 };
    await fc.assert(
      fc.asyncProperty(situation, async ({ calls, order, orderOfB, missing, byTime, lists }) => {
        const timeOf = (element: string): number => calls[Number(element)]?.start ?? 0;
        const arrange = (elements: readonly string[], by: readonly string[]): string[] =>
          elements
            .filter((element) => !missing.includes(element) || calls[Number(element)]?.outcome === "done")
            .toSorted((one, other) =>
              byTime
                ? timeOf(one) - timeOf(other) || by.indexOf(one) - by.indexOf(other)
                : by.indexOf(one) - by.indexOf(other),
            );
        const final = { A: arrange(lists.A, order), B: arrange(lists.B, orderOfB ?? order) };
        const { history, seen } = toHistory(calls, final);
        const { counts } = await checkHistory(history);
        const isSound = hasOrder(calls, final, seen);
        verdicts[isSound ? "sound" : "unsound"] += 1;
        expect({ isSound: counts.size === 0, counts: [...counts.keys()] }).toMatchObject({ isSound });
      }),
      { numRuns: RUNS },
    );
    // Both verdicts are frequent, so that neither is right by accident.
    expect(Math.min(verdicts.sound, verdicts.unsound)).toBeGreaterThan(RUNS / 10);
  },
  TIMEOUT_MS,
);
