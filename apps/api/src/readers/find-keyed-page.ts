import { Prisma } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import { wrongField } from "../operation-error.js";
import { createdWithin } from "./day-range.js";
import { LISTED, ofMerchant, type PageOfList } from "./find-page.js";
import type { Snapshot } from "./in-snapshot.js";

/** A merchant's orders, refunds or payouts by the console's filters. */
export type FilteredList = Pick<PageOfList, "merchantId" | "mode" | "kind" | "status"> & {
  from?: string | undefined;
  to?: string | undefined;
  /** What no index of the list asks for, in columns of the table. */
  filters: Prisma.Sql[];
  /** Rows among these only. */
  among?: string[] | undefined;
};

/** A page by its place in the list, which does not shift when rows are added: newest first. */
export type KeyedPageOfList = FilteredList & {
  /** Rows older than this one, or newer; neither: the newest. */
  before?: string | undefined;
  after?: string | undefined;
  per_page: number;
};

/** The ids of a page in order, and the places before and behind it; null: nothing is there. */
export type KeyedPageFound = {
  ids: string[];
  next: string | null;
  previous: string | null;
  /** The look ended at its limit of rows. */
  partial: boolean;
};

/** A page of a list, newest first. */
export type BrowsedPage<Item> = Omit<KeyedPageFound, "ids"> & { items: Item[] };

/** The rows of a page in the order of its ids. */
export function inOrder<Row extends { id: string }>(ids: string[], rows: Row[]): Row[] {
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** So many rows are looked at for a filter that no index serves, so that a rare one costs no more in a long list. */
const MAX_LOOKED_AT = 20_000;

const idSchema = z.object({ id: z.string() });
const all = (conditions: Prisma.Sql[]): Prisma.Sql => Prisma.join(conditions, " AND ");

/** @throws OperationError InvalidFields for a place that is not in the list. */
export async function findKeyedPage(snapshot: Snapshot, list: KeyedPageOfList): Promise<KeyedPageFound> {
  const { rows } = LISTED[list.kind];
  const { per_page: size } = list;
  const newer = list.after !== undefined;
  const place = list.after ?? list.before;
  if (place !== undefined && !(await isInList(snapshot, list, place)))
    throw wrongField(newer ? "after" : "before", "must be a place of an earlier answer");
  const side = Prisma.raw(newer ? ">" : "<");
  const order = Prisma.raw(newer ? "created_at, id" : "created_at DESC, id DESC");
  const shown = all([
    ...indexedConditions(list),
    ...(place === undefined
      ? []
      : [Prisma.sql`(created_at, id) ${side} (SELECT created_at, id FROM ${rows} WHERE id = ${place})`]),
  ]);
  const looked = Prisma.sql`SELECT * FROM ${rows} WHERE ${shown} ORDER BY ${order}`;
  const found = parseRows(
    idSchema,
    list.filters.length === 0
      ? await snapshot.$queryRaw<unknown[]>`${looked} LIMIT ${size + 1}`
      : await snapshot.$queryRaw<unknown[]>`
          SELECT id FROM (${looked} LIMIT ${MAX_LOOKED_AT}) AS looked WHERE ${all(list.filters)} ORDER BY ${order} LIMIT ${size + 1}`,
  ).map(({ id }) => id);
  const more = found.length > size;
  const end =
    more || list.filters.length === 0
      ? null
      : await lastLookedAt(snapshot, Prisma.sql`SELECT id FROM ${rows} WHERE ${shown} ORDER BY ${order}`);
  const ids = found.slice(0, size);
  if (newer) ids.reverse();
  const [first = null, last = null] = [ids[0], ids.at(-1)];
  // Whence the page came there are rows: the place itself, where it belongs to what is shown.
  return newer
    ? { ids, next: last ?? place ?? null, previous: more ? first : end, partial: end !== null }
    : {
        ids,
        next: more ? last : end,
        previous: place === undefined ? null : (first ?? place),
        partial: end !== null,
      };
}

/** What a list asks of its rows that its indexes serve. */
export function indexedConditions(list: FilteredList): Prisma.Sql[] {
  const { isOf } = LISTED[list.kind];
  const { gte, lt } = createdWithin({ from_date: list.from, to_date: list.to });
  return [
    ...ofMerchant(list),
    ...(list.status === undefined ? [] : [isOf(list.status)]),
    ...(list.among === undefined ? [] : [Prisma.sql`id = ANY(${list.among})`]),
    ...(gte ? [Prisma.sql`created_at >= ${gte}`] : []),
    ...(lt ? [Prisma.sql`created_at < ${lt}`] : []),
  ];
}

async function isInList(snapshot: Snapshot, list: KeyedPageOfList, place: string): Promise<boolean> {
  const { rows } = LISTED[list.kind];
  const found = await snapshot.$queryRaw<unknown[]>`
    SELECT 1 FROM ${rows} WHERE id = ${place} AND ${all(ofMerchant(list))}`;
  return found.length === 1;
}

/** The row at which a look ends that may look at no more, or null. */
async function lastLookedAt(snapshot: Snapshot, looked: Prisma.Sql): Promise<string | null> {
  const rows = await snapshot.$queryRaw<unknown[]>`${looked} OFFSET ${MAX_LOOKED_AT - 1} LIMIT 1`;
  return parseRows(idSchema, rows)[0]?.id ?? null;
}
