import { Prisma } from "@tillgate/database";
import { findKeysetPage, sortByIds } from "./keyset-page.js";
import { findPage, merchantConditions, type PageOfList } from "./page.js";
import type { Snapshot } from "./snapshot.js";

/** A list request: a page by number, or the rows after a cursor. */
export type ListRequest = PageOfList & {
  cursor?: string | undefined;
  /** Conditions that one index serves. */
  indexed?: Prisma.Sql[];
};

/** Rows, newest first, with the cursor of the next page; the total on all pages, which is not counted after a cursor. */
export type ReadList<Row> = { rows: Row[]; total: number | null; next: string | null };

/**
 * Reads one page of a merchant's orders, refunds or payouts.
 * @param loadRows loads the rows by ID, in any order.
 * @throws OperationError InvalidFields for a cursor that is not in this list.
 */
export async function readList<Row extends { id: string }>(
  snapshot: Snapshot,
  list: ListRequest,
  loadRows: (ids: string[]) => Promise<Row[]>,
): Promise<ReadList<Row>> {
  const { cursor, page, per_page, from_date: from, to_date: to } = list;
  const indexed = list.indexed ?? referenceConditions(list);
  if (cursor === undefined) {
    const { ids, total } = await findPage(snapshot, list, indexed);
    const next = page * per_page < total ? (ids.at(-1) ?? null) : null;
    return { rows: sortByIds(ids, await loadRows(ids)), total, next };
  }
  const keyset = { before: cursor, cursorField: "cursor" } as const;
  const keysetPage = await findKeysetPage(snapshot, { ...list, ...keyset, from, to, indexed, filters: [] });
  return {
    rows: sortByIds(keysetPage.ids, await loadRows(keysetPage.ids)),
    total: null,
    next: keysetPage.next,
  };
}

const referenceConditions = (list: PageOfList): Prisma.Sql[] | undefined =>
  list.reference === undefined
    ? undefined
    : [...merchantConditions(list), Prisma.sql`reference = ${list.reference}`];
