/** A page of a list; `next` is the cursor of the next page, or null. */
export type ListPage<Item> = { items: readonly Item[]; next: string | null };

/** Iterates over the pages of a list, and fetches each page when it is needed. */
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

/** Iterates over the items of {@link walkPages}. */
export async function* walk<Query extends { cursor?: string }, Item>(
  query: Query,
  read: (query: Query) => Promise<ListPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { items } of walkPages(query, read)) yield* items;
}
