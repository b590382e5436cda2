import { GrowingArray } from "./growing-array.js";
import type { Operation, StatementRead } from "./operation.js";
import { NONE, Wallets } from "./wallets.js";

/** In Elle's format, a read contains the whole list, so each wallet is split into short lists. */
const LIST_LENGTH = 32;
const LISTS_PER_WALLET = 1_000_000;
/** Difference between the process numbers of one client, which continues as another process after an unknown outcome, as Elle requires. */
const CLIENTS = 1_000;

type History = () => AsyncIterable<Operation> | Iterable<Operation>;

/**
 * Converts a history to Elle's list-append format, one map per line. Balances are omitted because Elle does not support sums.
 * @param history called twice, the first time to determine the order of the entries in each list.
 */
export async function* toEdn(history: History): AsyncGenerator<string> {
  const lists = new Lists();
  for await (const operation of history()) lists.add(operation);
  lists.settle();
  const sent: string[] = [];
  const answered: string[] = [];
  const times = new GrowingArray(Float64Array);
  const crashes = new Map<number, number>();
  let at = NONE;
  for await (const operation of history()) {
    at += 1;
    const { client, call, start, end, outcome } = operation;
    const { requests, responses } = lists.toTransaction(at, operation);
    if (requests.length === 0) continue;
    const process = client + CLIENTS * (crashes.get(client) ?? 0);
    if (outcome === "unknown") crashes.set(client, (crashes.get(client) ?? 0) + 1);
    const write = (type: string, time: number, value: readonly string[]): string =>
      `:type :${type}, :f :txn, :process ${process}, :time ${Math.round(time * 1e6)}, :call "${call}", :value [${value.join(" ")}]}`;
    sent.push(write("invoke", start, requests));
    answered.push(write({ done: "ok", rejected: "fail", unknown: "info" }[outcome], end, responses));
    times.push(start);
    times.push(end);
  }
  // An even number is a call that was sent, an odd number its completion. A call sent at the moment of another call's completion overlaps the other.
  const events = Int32Array.from({ length: times.length }, (_, event) => event).sort(
    (one, other) => times.get(one) - times.get(other) || (one % 2) - (other % 2) || one - other,
  );
  let index = 0;
  for (const event of events) {
    yield `{:index ${index}, ${(event % 2 === 0 ? sent : answered)[event >> 1]}`;
    index += 1;
  }
}

type Transaction = { requests: string[]; responses: string[] };

class Lists {
  readonly #wallets = new Wallets(() => undefined);
  /** The last operation that reads the newest entry, by wallet. It shows the whole wallet. */
  readonly #lastReads = new Map<number, number>();
  /** Elements of all appends, in the order of the operations. */
  readonly #appended = new GrowingArray(Int32Array);
  #operations = 0;
  #emitted = 0;

  add({ appends = [], reads = [] }: Operation): void {
    for (const append of appends) this.#appended.push(this.#wallets.append(this.#operations, append));
    for (const read of reads) {
      if ("balance" in read) continue;
      this.#wallets.merge(this.#operations, read);
      if (read.newest) this.#lastReads.set(this.#wallets.walletOfRead(read), this.#operations);
    }
    this.#operations += 1;
  }

  settle(): void {
    this.#wallets.settle();
  }

  toTransaction(at: number, { appends = [], reads = [], outcome }: Operation): Transaction {
    const transaction: Transaction = { requests: [], responses: [] };
    for (const read of reads)
      if (!("balance" in read) && read.newest && outcome === "done")
        for (const [key, elements] of this.#toLists(at, read)) {
          transaction.requests.push(`[:r ${key} nil]`);
          transaction.responses.push(`[:r ${key} [${elements.join(" ")}]]`);
        }
    for (const _ of appends) {
      const element = this.#appended.get(this.#emitted);
      this.#emitted += 1;
      const append = `[:append ${this.#keyOf(element)} ${element}]`;
      transaction.requests.push(append);
      transaction.responses.push(append);
    }
    return transaction;
  }

  /** Returns what a statement shows: the newest list up to its newest entry, and that no later list has begun. */
  #toLists(at: number, read: StatementRead): Map<number, number[]> {
    const wallet = this.#wallets.walletOfRead(read);
    const order = this.#wallets.orderOf(wallet);
    const page = read.entries.map(({ element }) => this.#wallets.elementOf(wallet, element));
    const newest = page.findIndex((element) => this.#wallets.positionOf(element) !== NONE);
    const lost = newest < 0 ? page : page.slice(0, newest);
    const last = newest < 0 ? NONE : this.#wallets.positionOf(page[newest] ?? NONE);
    const isWhole = this.#lastReads.get(wallet) === at;
    const first = isWhole ? 0 : Math.max(0, Math.floor(last / LIST_LENGTH));
    const lists = new Map<number, number[]>();
    for (let list = first; list <= Math.floor((last + 1) / LIST_LENGTH); list += 1) {
      const from = list * LIST_LENGTH;
      lists.set(keyOf(wallet, list), [...order.slice(from, Math.min(last + 1, from + LIST_LENGTH))]);
    }
    for (const element of lost.toReversed()) {
      const key = this.#keyOf(element);
      lists.set(key, [...(lists.get(key) ?? []), element]);
    }
    return lists;
  }

  /**
   * Returns the key of an entry's list. A lost entry belongs to the list in which it was read, or, if no call read it, to the last list, whose reads
   * then lack it.
   */
  #keyOf(element: number): number {
    let known = element;
    while (known !== NONE && this.#wallets.positionOf(known) === NONE)
      known = this.#wallets.previousOf(known);
    const wallet = this.#wallets.walletOf(element);
    const position = known === NONE ? this.#wallets.orderOf(wallet).length : this.#wallets.positionOf(known);
    return keyOf(wallet, Math.floor(position / LIST_LENGTH));
  }
}

const keyOf = (wallet: number, list: number): number => wallet * LISTS_PER_WALLET + list;
