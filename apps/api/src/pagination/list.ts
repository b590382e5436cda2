import { Prisma } from "@tillgate/database";
import { findKeysetPage, sortByIds } from "./keyset-page.js";
import { findPage, merchantConditions, type PageOfList } from "./page.js";
import type { Snapshot } from "./snapshot.js";

export type ListRequest = PageOfList & {
  cursor?: string | undefined;
  /** Conditions that one index serves. */
  indexed?: Prisma.Sql[];
};

/** Newest first. `next` is the cursor of the next page. `total` is null for a page that was requested by cursor. */
export type ReadList<Row> = { rows: Row[]; total: number | null; next: string | null };

/** @param loadRows may return the rows in any order. @throws OperationError InvalidFields for a cursor that is not in this list. */
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
