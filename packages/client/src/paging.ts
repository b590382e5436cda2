/** One page of a list: what is on it, and where the next one begins; null on the last. */
export type ListPage<Item> = { items: readonly Item[]; next: string | null };

/**
 * Walks a list to its end by its pages: the next one is asked for when it is needed.
 * @param query its filters, and the cursor to begin from; left out: from the newest.
 * @param read one page: the same filters, with the cursor of that page.
 */
export async function* walkPages<Query extends { cursor?: string }, Item>(
  query: Query,
  read: (asked: Query) => Promise<ListPage<Item>>,
): AsyncGenerator<ListPage<Item>, void, undefined> {
  let asked = query;
  for (;;) {
    const page = await read(asked);
    yield page;
    if (page.next === null) return;
    asked = { ...query, cursor: page.next };
  }
}

/** Walks a list to its end, as {@link walkPages} does, by what is on its pages. */
export async function* walk<Query extends { cursor?: string }, Item>(
  query: Query,
  read: (asked: Query) => Promise<ListPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { items } of walkPages(query, read)) yield* items;
}
