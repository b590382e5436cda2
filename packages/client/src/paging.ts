/** One page of a list: what is on it, and where the next one begins; null on the last. */
export type ListedPage<Item> = { items: readonly Item[]; next: string | null };

/** The cursor of a page, where the list is read on. */
export const from = (cursor: string | undefined): { cursor?: string } =>
  cursor === undefined ? {} : { cursor };

/** Walks a list to its end, a page at a time: the next page is asked for when it is needed. */
export async function* walk<Item>(
  read: (cursor: string | undefined) => Promise<ListedPage<Item>>,
  from?: string,
): AsyncGenerator<Item, void, undefined> {
  let cursor = from;
  for (;;) {
    const { items, next } = await read(cursor);
    yield* items;
    if (next === null) return;
    cursor = next;
  }
}
