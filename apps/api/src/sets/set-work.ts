import type { Context } from "../context.js";

/**
 * When writes go together: as soon as others wait (`crowded`), `never`, or `always`, a set of one too (which shows that both
 * ways answer the same).
 */
export type SetMode = "crowded" | "never" | "always";

/** A write that many may ask for at the same moment, and how several of them become one transaction. */
export type SetWork<Item, Done> = {
  /** Whose items go one set after the other: they would wait for each other's locks. */
  laneOf: (item: Item) => string;
  /** What only one item of a set may name: an idempotency key, a reference, a quote, an order. */
  claimsOf: (item: Item) => string[];
  /** Whether an item names itself by an idempotency key: when nobody knows whether its set was committed, it is asked for again. */
  isKeyed?: (item: Item) => boolean;
  /**
   * Does all of them, or nothing. It decides no refusal: an item that it leaves undefined, or names as a misfit, goes alone.
   * @returns what was done, in the order of the items.
   * @throws MisfitsError
   */
  together: (context: Context, items: readonly Item[]) => Promise<readonly (Done | undefined)[]>;
  /** Does one, or refuses it. */
  alone: (context: Context, item: Item) => Promise<Done>;
};

/** Some items do not fit a set. Nothing of the set was written. */
export class MisfitsError extends Error {
  override readonly name = "MisfitsError";
  /** @param items those that do not fit; the others may go together again. */
  constructor(readonly items: ReadonlySet<unknown>) {
    super(`${items.size} items do not fit their set`);
  }
}
