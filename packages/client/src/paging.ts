/** One page of a list: what is on it, and where the next one begins; null on the last. */
export type ListedPage<Item> = { items: readonly Item[]; next: string | null };

/**
 * Walks a list to its end, a page at a time: the next page is asked for when it is needed.
 * @param query its filters, and the cursor to begin from; left out: from the newest.
 * @param read one page: the same filters, with the cursor of that page.
 */
export async function* walk<Query extends { cursor?: string }, Item>(
  query: Query,
  read: (asked: Query) => Promise<ListedPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let asked = query;
  for (;;) {
    const { items, next } = await read(asked);
    yield* items;
    if (next === null) return;
    asked = { ...query, cursor: next };
  }
}
