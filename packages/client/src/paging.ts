/** A page of a list; `next` is the cursor of the next page, or null. */
export type ListPage<Item> = { items: readonly Item[]; next: string | null };

/**
 * Iterates over the pages of a list, fetching each when it is needed.
 * @param query filters, and optionally the cursor to start from.
 * @param read fetches one page by filters and cursor.
 */
export async function* walkPages<Query extends { cursor?: string }, Item>(
  query: Query,
  read: (query: Query) => Promise<ListPage<Item>>,
): AsyncGenerator<ListPage<Item>, void, undefined> {
  let pageQuery = query;
  for (;;) {
    const page = await read(pageQuery);
    yield page;
    if (page.next === null) return;
    pageQuery = { ...query, cursor: page.next };
  }
}

/** Iterates over the items of a list, fetching pages like {@link walkPages}. */
export async function* walk<Query extends { cursor?: string }, Item>(
  query: Query,
  read: (query: Query) => Promise<ListPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { items } of walkPages(query, read)) yield* items;
}
