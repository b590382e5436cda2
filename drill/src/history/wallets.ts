import { GrowingArray } from "./growing-array.js";
import type { Append, BalanceRead, Entry, StatementRead } from "./operation.js";

export const NONE = -1;

export type Report = (name: string, text: string, operations: readonly number[]) => void;

type Wallet = {
  name: string;
  elements: Map<string, number>;
  first: number;
  /** Whether a statement went back to the oldest element. */
  isComplete: boolean;
  /** Oldest first; set by {@link Wallets.settle}. */
  order: Int32Array;
  balances: Float64Array;
};

/**
 * Derives the order of each wallet's list from the pages of all calls. If statements disagree, the last statement counts, because earlier statements
 * reveal a loss.
 */
export class Wallets {
  readonly #wallets: Wallet[] = [];
  readonly #byName = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #walletOf = new GrowingArray(Int32Array);
  readonly #next = new GrowingArray(Int32Array);
  readonly #previous = new GrowingArray(Int32Array);
  /** Amount of each element, and balance after it; NaN if no statement has reported the number. */
  readonly #amounts = new GrowingArray(Float64Array);
  readonly #balances = new GrowingArray(Float64Array);
  /** By element: the operation that appended it, and the first operation that read it; -1 if there is none. */
  readonly #writers = new GrowingArray(Int32Array);
  readonly #readers = new GrowingArray(Int32Array);
  readonly #positions = new GrowingArray(Int32Array);

  constructor(private readonly report: Report) {}

  get count(): number {
    return this.#wallets.length;
  }
  get elements(): number {
    return this.#names.length;
  }
  walletOf = (element: number): number => this.#walletOf.get(element);
  writerOf = (element: number): number => this.#writers.get(element);
  readerOf = (element: number): number => this.#readers.get(element);
  amountOf = (element: number): number => this.#amounts.get(element);
  /** Returns the element's position in its list, from 0; -1 if the element is not in the list. */
  positionOf = (element: number): number => this.#positions.get(element);
  /** Returns the element directly before this element in the last statement that contains both. */
  previousOf = (element: number): number => this.#previous.get(element);
  nameOf = (wallet: number): string => this.#get(wallet).name;
  /** Returns the elements, oldest first. */
  orderOf = (wallet: number): Int32Array => this.#get(wallet).order;
  /** Returns the balance after each element of the wallet's list, oldest first. */
  balancesOf = (wallet: number): Float64Array => this.#get(wallet).balances;

  describe(element: number): string {
    return `"${this.#names[element]}" of ${this.nameOf(this.walletOf(element))}`;
  }

  append(operation: number, { wallet, element: name }: Append): number {
    const element = this.elementOf(this.#wallet(wallet), name);
    const writer = this.writerOf(element);
    if (writer !== NONE)
      this.report("duplicate", `two calls appended ${this.describe(element)}`, [writer, operation]);
    this.#writers.set(element, operation);
    return element;
  }

  walletOfRead = ({ wallet }: BalanceRead | StatementRead): number => this.#wallet(wallet);

  /** Merges a page of a statement. @returns the page's newest element; {@link NONE} for an empty page. */
  merge(operation: number, read: StatementRead): number {
    const wallet = this.#wallet(read.wallet);
    const newestFirst = this.#readElements(operation, wallet, read.entries);
    let next = NONE;
    for (const element of newestFirst) {
      if (next !== NONE) this.#link(operation, element, next);
      next = element;
    }
    if (read.oldest) {
      const state = this.#get(wallet);
      state.isComplete = true;
      if (next !== NONE) {
        if (this.#previous.get(next) !== NONE)
          this.#reportOrder(operation, `${this.describe(next)} is now the first, and earlier was not`);
        this.#previous.set(next, NONE);
        state.first = next;
      }
    }
    return newestFirst[0] ?? NONE;
  }

  /** Establishes the order of every list and the balance after each element. */
  settle(): void {
    for (const wallet of this.#wallets) {
      if (!wallet.isComplete)
        this.report("incomplete record", `no statement reaches the first entry of ${wallet.name}`, []);
      const order: number[] = [];
      const balances: number[] = [];
      let balance = 0;
      for (let element = wallet.first; element !== NONE; element = this.#next.get(element)) {
        if (this.positionOf(element) !== NONE) break;
        this.#positions.set(element, order.length);
        order.push(element);
        balance += this.amountOf(element);
        balances.push(balance);
        const reported = this.#balances.get(element);
        if (!Number.isNaN(reported) && reported !== balance) {
          const text = `the amounts up to ${this.describe(element)} sum to ${balance}, but its balance is ${reported}`;
          this.report("running balance not exact", text, [this.readerOf(element)]);
          balance = reported;
        }
      }
      wallet.order = Int32Array.from(order);
      wallet.balances = Float64Array.from(balances);
    }
  }

  /** @returns the page's elements, newest first, each once. */
  #readElements(operation: number, wallet: number, entries: readonly Entry[]): number[] {
    const elements = new Set<number>();
    for (const { element: name, amount, balance = Number.NaN } of entries) {
      const element = this.elementOf(wallet, name);
      if (elements.has(element))
        this.report("duplicate", `a statement has ${this.describe(element)} twice`, [operation]);
      elements.add(element);
      const reader = this.readerOf(element);
      if (reader === NONE) this.#readers.set(element, operation);
      this.#compare(this.#amounts, element, amount, `amount of ${this.describe(element)}`, operation);
      this.#compare(this.#balances, element, balance, `balance after ${this.describe(element)}`, operation);
    }
    return [...elements];
  }

  /** Stores a number of an element, and reports an anomaly if a different number was stored earlier. */
  #compare(stored: GrowingArray, element: number, value: number, what: string, operation: number): void {
    const earlier = stored.get(element);
    if (Number.isNaN(value) || earlier === value) return;
    if (!Number.isNaN(earlier)) {
      const text = `the ${what} was ${earlier} and is ${value}`;
      this.report("running balance not exact", text, [this.readerOf(element), operation]);
    }
    stored.set(element, value);
  }

  #link(operation: number, element: number, next: number): void {
    const [follower, leader] = [this.#next.get(element), this.#previous.get(next)];
    if ((follower !== NONE && follower !== next) || (leader !== NONE && leader !== element)) {
      const [other, says] = follower !== NONE && follower !== next ? [follower, "after"] : [leader, "before"];
      const known = says === "after" ? element : next;
      this.#reportOrder(
        operation,
        `${says} ${this.describe(known)} comes ${this.describe(says === "after" ? next : element)}, and earlier came ${this.describe(other)}`,
      );
    }
    this.#next.set(element, next);
    this.#previous.set(next, element);
  }

  #reportOrder(operation: number, text: string): void {
    this.report("incompatible order", text, [operation]);
  }

  #get(wallet: number): Wallet {
    const found = this.#wallets[wallet];
    if (!found) throw new RangeError(`unknown wallet ${wallet}`);
    return found;
  }

  #wallet(name: string): number {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    this.#byName.set(name, this.#wallets.length);
    const [order, balances] = [new Int32Array(0), new Float64Array(0)];
    return (
      this.#wallets.push({ name, elements: new Map(), first: NONE, isComplete: false, order, balances }) - 1
    );
  }

  elementOf(wallet: number, name: string): number {
    const { elements } = this.#get(wallet);
    const known = elements.get(name);
    if (known !== undefined) return known;
    const element = this.#names.push(name) - 1;
    elements.set(name, element);
    this.#walletOf.push(wallet);
    for (const numbers of [this.#amounts, this.#balances]) numbers.push(Number.NaN);
    for (const links of [this.#next, this.#previous, this.#writers, this.#readers, this.#positions])
      links.push(NONE);
    return element;
  }
}
