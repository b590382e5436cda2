import { expect, it } from "vitest";
import { toEdn } from "../../../src/history/edn.js";
import type { Operation } from "../../../src/history/operation.js";

async function toText(history: Operation[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of toEdn(() => history)) lines.push(line);
  return lines;
}

it("a history is exported as Elle's list transactions, in the order of the events", async () => {
  const history: Operation[] = [
    {
      ...{ client: 1, call: "payment", start: 1, end: 5, outcome: "done" },
      appends: [
        { wallet: "A", element: "a", amount: 1 },
        { wallet: "B", element: "a", amount: -1 },
      ],
    },
    { client: 2, call: "balances", start: 2, end: 6, outcome: "done", reads: [{ wallet: "A", balance: 1 }] },
    {
      ...{ client: 2, call: "top-up", start: 7, end: 8, outcome: "unknown" },
      appends: [{ wallet: "A", element: "b" }],
    },
    {
      ...{ client: 3, call: "top-up", start: 7, end: 9, outcome: "rejected" },
      appends: [{ wallet: "A", element: "c" }],
    },
    {
      ...{ client: 2, call: "statement", start: 10, end: 11, outcome: "done" },
      reads: [
        { wallet: "A", newest: true, oldest: true, entries: [{ element: "a", amount: 1 }] },
        { wallet: "B", newest: true, oldest: true, entries: [{ element: "a", amount: -1 }] },
      ],
    },
  ];
  expect(await toText(history)).toEqual([
    '{:index 0, :type :invoke, :f :txn, :process 1, :time 1000000, :call "payment", :value [[:append 0 0] [:append 1000000 1]]}',
    '{:index 1, :type :ok, :f :txn, :process 1, :time 5000000, :call "payment", :value [[:append 0 0] [:append 1000000 1]]}',
    '{:index 2, :type :invoke, :f :txn, :process 2, :time 7000000, :call "top-up", :value [[:append 0 2]]}',
    '{:index 3, :type :invoke, :f :txn, :process 3, :time 7000000, :call "top-up", :value [[:append 0 3]]}',
    '{:index 4, :type :info, :f :txn, :process 2, :time 8000000, :call "top-up", :value [[:append 0 2]]}',
    '{:index 5, :type :fail, :f :txn, :process 3, :time 9000000, :call "top-up", :value [[:append 0 3]]}',
    '{:index 6, :type :invoke, :f :txn, :process 1002, :time 10000000, :call "statement", :value [[:r 0 nil] [:r 1000000 nil]]}',
    '{:index 7, :type :ok, :f :txn, :process 1002, :time 11000000, :call "statement", :value [[:r 0 [0]] [:r 1000000 [1]]]}',
  ]);
});

it("a wallet with many entries is exported as lists of 32, and a statement reads the newest list up to its newest entry", async () => {
  const statement = (length: number, client: number): Operation => ({
    ...{ client, call: "statement", start: 100 + length, end: 101 + length, outcome: "done" },
    reads: [
      {
        wallet: "A",
        newest: true,
        oldest: true,
        entries: Array.from({ length }, (_, at) => ({ element: `e${length - at - 1}`, amount: 1 })),
      },
    ],
  });
  const history: Operation[] = [
    ...Array.from(
      { length: 33 },
      (_, at): Operation => ({
        ...{ client: 1, call: "top-up", start: at, end: at, outcome: "done" },
        appends: [{ wallet: "A", element: `e${at}` }],
      }),
    ),
    statement(31, 1),
    statement(32, 1),
    statement(33, 2),
  ];
  const first = Array.from({ length: 32 }, (_, at) => at).join(" ");
  const answers = (await toText(history)).filter((line) => line.includes(":ok") && line.includes("[:r"));
  expect(answers.map((line) => line.slice(line.indexOf(":value")))).toEqual([
    `:value [[:r 0 [${first.slice(0, -3)}]]]}`,
    `:value [[:r 0 [${first}]] [:r 1 []]]}`,
    `:value [[:r 0 [${first}]] [:r 1 [32]]]}`,
  ]);
});

it("a lost entry remains in the list in which it was read, so that Elle finds it missing later", async () => {
  const read = (start: number, ...elements: string[]): Operation => ({
    ...{ client: 2, call: "statement", start, end: start + 1, outcome: "done" },
    reads: [
      {
        wallet: "A",
        newest: true,
        oldest: true,
        entries: elements.map((element) => ({ element, amount: 1 })).reverse(),
      },
    ],
  });
  const append = (start: number, element: string): Operation => ({
    ...{ client: 1, call: "top-up", start, end: start + 1, outcome: "done" },
    appends: [{ wallet: "A", element }],
  });
  const lines = await toText([
    append(1, "a"),
    append(3, "b"),
    read(5, "a", "b"),
    append(7, "c"),
    read(9, "a", "c"),
  ]);
  expect(
    lines.filter((line) => line.includes(":ok")).map((line) => line.slice(line.indexOf(":value"))),
  ).toEqual([
    ":value [[:append 0 0]]}",
    ":value [[:append 0 1]]}",
    ":value [[:r 0 [0 1]]]}",
    ":value [[:append 0 2]]}",
    ":value [[:r 0 [0 2]]]}",
  ]);
});
