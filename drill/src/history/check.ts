import { Calls } from "./calls.js";
import { describeCycle } from "./describe-cycle.js";
import { Graph, READ_WRITE, REAL_TIME, WRITE_READ, WRITE_WRITE } from "./graph.js";
import { GrowingArray } from "./growing-array.js";
import type { Operation } from "./operation.js";
import { NONE, Wallets } from "./wallets.js";
import { createWindow } from "./window.js";

const DESCRIBED = 3;

export type Anomaly = { name: string; text: string };
export type Verdict = {
  operations: number;
  appends: number;
  reads: number;
  /** Number of balances that are correct at several moments of their call. */
  undecided: number;
  counts: ReadonlyMap<string, number>;
  anomalies: readonly Anomaly[];
};

/** Decides whether a history is strictly serializable, as described in README.md. */
export async function checkHistory(
  history: Iterable<Operation> | AsyncIterable<Operation>,
): Promise<Verdict> {
  const checker = new Checker();
  for await (const operation of history) checker.add(operation);
  return checker.finish();
}

class Checker {
  readonly #calls = new Calls();
  readonly #counts = new Map<string, number>();
  readonly #anomalies: Anomaly[] = [];
  readonly #wallets = new Wallets((name, text, operations) => this.#report(name, text, operations));
  /** Appends: the call, the element, and the amount that the client knows. */
  readonly #appendCalls = new GrowingArray(Int32Array);
  readonly #appended = new GrowingArray(Int32Array);
  readonly #appendAmounts = new GrowingArray(Float64Array);
  /** Reads: the call, the wallet, the newest element, and the balance (NaN: the newest element is known). */
  readonly #readCalls = new GrowingArray(Int32Array);
  readonly #readWallets = new GrowingArray(Int32Array);
  readonly #heads = new GrowingArray(Int32Array);
  readonly #readBalances = new GrowingArray(Float64Array);

  add(operation: Operation): void {
    const call = this.#calls.add(operation);
    for (const append of operation.appends ?? []) {
      this.#appendCalls.push(call);
      this.#appended.push(this.#wallets.append(call, append));
      this.#appendAmounts.push(append.amount ?? Number.NaN);
    }
    for (const read of operation.reads ?? []) {
      const isBalance = "balance" in read;
      const head = isBalance ? NONE : this.#wallets.merge(call, read);
      if (!isBalance && !read.newest) continue;
      this.#readCalls.push(call);
      this.#readWallets.push(this.#wallets.walletOfRead(read));
      this.#heads.push(head);
      this.#readBalances.push(isBalance ? read.balance : Number.NaN);
    }
  }

  finish(): Verdict {
    this.#wallets.settle();
    this.#checkAppends();
    this.#checkElements();
    const undecided = this.#findHeads();
    for (const cycle of this.#buildGraph().findCycles())
      this.#report(cycle.name, describeCycle(cycle, this.#calls, this.#wallets), []);
    return {
      operations: this.#calls.count,
      appends: this.#appended.length,
      reads: this.#readCalls.length,
      undecided,
      counts: this.#counts,
      anomalies: this.#anomalies,
    };
  }

  #report(name: string, text: string, calls: readonly number[]): void {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    if (count > DESCRIBED) return;
    const lines = [...new Set(calls)].filter((call) => call !== NONE);
    this.#anomalies.push({
      name,
      text: [text, ...lines.map((call) => `  ${this.#calls.describe(call)}`)].join("\n"),
    });
  }

  /** Checks that each call took effect in all of its lists or in none, as its outcome requires. */
  #checkAppends(): void {
    let at = 0;
    while (at < this.#appended.length) {
      const call = this.#appendCalls.get(at);
      const outcome = this.#calls.outcomeOf(call);
      const missing: number[] = [];
      const found: number[] = [];
      for (; at < this.#appended.length && this.#appendCalls.get(at) === call; at += 1) {
        const element = this.#appended.get(at);
        (this.#wallets.positionOf(element) === NONE ? missing : found).push(element);
        const [sent, listed] = [this.#appendAmounts.get(at), this.#wallets.amountOf(element)];
        if (!Number.isNaN(sent) && !Number.isNaN(listed) && sent !== listed)
          this.#report(
            "wrong amount",
            `${this.#describe(element)} was sent as ${sent} but is listed as ${listed}`,
            [call],
          );
      }
      if (outcome === "rejected")
        for (const element of found)
          this.#report("aborted read (G1a)", `${this.#describe(element)} was rejected but is in the list`, [
            call,
          ]);
      else if (outcome === "done" || found.length > 0)
        for (const element of missing)
          this.#report(
            outcome === "done" ? "lost update" : "half a transfer",
            `${this.#describe(element)} is not in the list`,
            [call, this.#wallets.readerOf(element)],
          );
    }
  }

  /** Checks that each entry was appended by a call, and that each entry that was read is still in its list. */
  #checkElements(): void {
    for (let element = 0; element < this.#wallets.elements; element += 1) {
      const [writer, reader] = [this.#wallets.writerOf(element), this.#wallets.readerOf(element)];
      if (writer === NONE)
        this.#report("append without a call", `no call appended ${this.#describe(element)}`, [reader]);
      else if (
        reader !== NONE &&
        this.#wallets.positionOf(element) === NONE &&
        this.#calls.outcomeOf(writer) !== "done"
      )
        this.#report(
          "lost update",
          `${this.#describe(element)} was read earlier but is missing from the list`,
          [writer, reader],
        );
    }
  }

  /**
   * Finds the newest element that each balance includes: a balance is the sum of a list up to some position.
   * @returns how many balances fit several positions.
   */
  #findHeads(): number {
    const windows = Array.from({ length: this.#wallets.count }, (_, wallet) =>
      createWindow(
        this.#wallets.orderOf(wallet).map((element) => this.#wallets.writerOf(element)),
        { startOf: this.#startOf, endOf: this.#endOf },
      ),
    );
    let undecided = 0;
    for (let read = 0; read < this.#readCalls.length; read += 1) {
      const balance = this.#readBalances.get(read);
      if (Number.isNaN(balance)) continue;
      const [call, wallet] = [this.#readCalls.get(read), this.#readWallets.get(read)];
      const order = this.#wallets.orderOf(wallet);
      const sums = this.#wallets.balancesOf(wallet);
      const balanceAt = (position: number): number => (position < 0 ? 0 : (sums[position] ?? 0));
      const fits = (from: number, to: number): number[] => {
        const found: number[] = [];
        for (let position = from; position <= to && found.length < 2; position += 1)
          if (balanceAt(position) === balance) found.push(position);
        return found;
      };
      const window = windows[wallet]?.(this.#calls.startOf(call), this.#calls.endOf(call));
      // If no position in the window fits, any other position that fits shows what the call read.
      const [first, second] = window ? fits(window.from, window.to) : [];
      const position = first ?? fits(-1, order.length - 1)[0];
      if (position === undefined) {
        const text = `${this.#wallets.nameOf(wallet)} never had the balance ${balance}`;
        this.#report("running balance not exact", text, [call]);
      }
      if (second !== undefined) undecided += 1;
      if (position !== undefined && second === undefined) {
        this.#heads.set(read, order[position] ?? NONE);
        this.#readBalances.set(read, Number.NaN);
      }
    }
    return undecided;
  }

  #startOf = (call: number): number => (call === NONE ? -Infinity : this.#calls.startOf(call));
  #endOf = (call: number): number => (call === NONE ? Infinity : this.#calls.endOf(call));

  #buildGraph(): Graph {
    const graph = new Graph(this.#calls.count);
    for (let wallet = 0; wallet < this.#wallets.count; wallet += 1) {
      let previous = NONE;
      for (const element of this.#wallets.orderOf(wallet)) {
        const writer = this.#wallets.writerOf(element);
        if (previous !== NONE && writer !== NONE) graph.addEdge(previous, writer, WRITE_WRITE, element);
        previous = writer;
      }
    }
    for (let read = 0; read < this.#readCalls.length; read += 1) {
      if (!Number.isNaN(this.#readBalances.get(read))) continue;
      const [call, head] = [this.#readCalls.get(read), this.#heads.get(read)];
      const order = this.#wallets.orderOf(this.#readWallets.get(read));
      const position = head === NONE ? NONE : this.#wallets.positionOf(head);
      if (head !== NONE && position === NONE) continue;
      const next = order[position + 1] ?? NONE;
      const [writer, follower] = [head, next].map((element) =>
        element === NONE ? NONE : this.#wallets.writerOf(element),
      );
      if (writer !== undefined && writer !== NONE) graph.addEdge(writer, call, WRITE_READ, head);
      if (follower !== undefined && follower !== NONE) graph.addEdge(call, follower, READ_WRITE, next);
    }
    this.#addRealTime(graph);
    return graph;
  }

  /** Adds real-time edges: a call that completed before another call was sent precedes the other call. */
  #addRealTime(graph: Graph): void {
    const calls = Int32Array.from({ length: this.#calls.count }, (_, call) => call);
    const ended = calls
      .filter((call) => this.#calls.outcomeOf(call) === "done")
      .sort((one, other) => this.#endOf(one) - this.#endOf(other));
    const begun = calls.sort((one, other) => this.#startOf(one) - this.#startOf(other));
    let [at, moment] = [0, NONE];
    for (const call of begun) {
      for (; at < ended.length; at += 1) {
        const earlier = ended[at] ?? NONE;
        if (this.#endOf(earlier) >= this.#startOf(call)) break;
        const next = graph.addMoment();
        if (moment !== NONE) graph.addEdge(moment, next, REAL_TIME);
        graph.addEdge(earlier, next, REAL_TIME);
        moment = next;
      }
      if (moment !== NONE) graph.addEdge(moment, call, REAL_TIME);
    }
  }

  #describe = (element: number): string => this.#wallets.describe(element);
}
