import { EARLIER_PLACE_TEXT, FieldRule, type ListSort, MAX_SORTED } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import { type OperationError, wrongField } from "../errors.js";
import { createdWithin } from "./filters.js";
import type { Matches } from "./matching-rows.js";
import { BY_TIME, LISTED, type ListOrder, listOrder, ofMerchant, type PageOfList } from "./page.js";
import type { Snapshot } from "./snapshot.js";

/** A merchant's orders, refunds or payouts by the console's filters. */
export type FilteredList = Pick<PageOfList, "merchantId" | "mode" | "kind" | "status"> & {
  from?: string | undefined;
  to?: string | undefined;
  /** Whose days these are; UTC's where it is left out. */
  timeZone?: string | undefined;
  /** What no index of the list asks for, in columns of the table, which is called `listed`. */
  filters: Prisma.Sql[];
  /** What an index of the list asks for beside status and days; merchant and mode where it is left out. */
  isOne?: Prisma.Sql[] | undefined;
  /** Rows that match a text only. */
  matches?: Matches | undefined;
};

/** A page by its place in the list, which does not shift when rows are added. */
export type KeyedPageOfList = FilteredList & {
  /** Newest first where it is left out. */
  sort?: ListSort | undefined;
  /** Rows behind this one, or in front of it; neither: the first. */
  before?: string | undefined;
  after?: string | undefined;
  /** What the caller calls its place. */
  placeField?: PlaceField;
  per_page: number;
};

/** The ids of a page in order, and the places before and behind it; null: nothing is there. */
export type KeyedPageFound = {
  ids: string[];
  next: string | null;
  previous: string | null;
  /** The look ended at its limit of rows. */
  partial: boolean;
  /** When the last row that it looked at was made, where it ended there. */
  lookedTo: Date | null;
};

/** The rows of a page in the order of its ids. */
export function inOrder<Row extends { id: string }>(ids: string[], rows: Row[]): Row[] {
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** So many rows are looked at for a filter that no index serves, so that a rare one costs no more in a long list. */
export const MAX_SCANNED = 20_000;

const idSchema = z.object({ id: z.string() });
const lastSchema = z.object({ id: z.string(), created_at: z.date() });
type Last = z.output<typeof lastSchema>;
export const all = (conditions: Prisma.Sql[]): Prisma.Sql => Prisma.join(conditions, " AND ");

/** What a list calls the place that it goes on from. */
export type PlaceField = "before" | "after" | "cursor";

/** A place that is not in the list. */
export const invalidCursor = (field: PlaceField): OperationError =>
  wrongField(field, field === "cursor" ? FieldRule.EarlierCursor.text : EARLIER_PLACE_TEXT);

/** @throws OperationError InvalidFields for a place that is not in the list. */
export async function findKeyedPage(snapshot: Snapshot, list: KeyedPageOfList): Promise<KeyedPageFound> {
  const place = list.after ?? list.before;
  if (place !== undefined && !(await isInList(snapshot, list, place)))
    throw invalidCursor(list.placeField ?? (list.after === undefined ? "before" : "after"));
  const { order, descending } = listOrder(list.kind, list.sort);
  return order === BY_TIME
    ? findByTime(snapshot, list, descending)
    : findByAmount(snapshot, list, order, descending);
}

/** The rows beyond the place that the page starts at, and the direction in which they are read. */
function readFrom(list: KeyedPageOfList, { up, down }: ListOrder, descending: boolean) {
  const backwards = list.after !== undefined;
  const place = list.after ?? list.before;
  const { rows } = LISTED[list.kind];
  const [side, order] = descending === backwards ? [Prisma.raw(">"), up] : [Prisma.raw("<"), down];
  const beyond =
    place === undefined ? [] : [Prisma.sql`(${up}) ${side} (SELECT ${up} FROM ${rows} WHERE id = ${place})`];
  return { backwards, place, from: Prisma.sql`${listedRows(list)} AS listed`, order, beyond };
}

async function findByTime(
  snapshot: Snapshot,
  list: KeyedPageOfList,
  descending: boolean,
): Promise<KeyedPageFound> {
  const { backwards, place, from, order, beyond } = readFrom(list, BY_TIME, descending);
  const { per_page: size } = list;
  const shown = all([...indexedConditions(list), ...beyond]);
  const found = await findIdsByTime(snapshot, { list, from, shown, order, most: size + 1 });
  const more = found.length > size;
  const end =
    more || filtersOf(list).length === 0
      ? null
      : await lastScanned(
          snapshot,
          Prisma.sql`SELECT id, created_at FROM ${from} WHERE ${shown} ORDER BY ${order}`,
        );
  const page = pageOf(found, size, { backwards, place, end: end?.id ?? null });
  return { ...page, partial: end !== null, lookedTo: end?.created_at ?? null };
}

type Scan = { list: FilteredList; from: Prisma.Sql; shown: Prisma.Sql; order: Prisma.Sql; most: number };

const findIdsByTime = (snapshot: Snapshot, { list, from, shown, order, most }: Scan): Promise<string[]> => {
  const filters = filtersOf(list);
  const looked = Prisma.sql`SELECT * FROM ${from} WHERE ${shown} ORDER BY ${order}`;
  return idsOf(
    filters.length === 0
      ? snapshot.$queryRaw<unknown[]>`${looked} LIMIT ${most}`
      : snapshot.$queryRaw<unknown[]>`
          SELECT id FROM (${looked} LIMIT ${MAX_SCANNED}) AS listed WHERE ${all(filters)} ORDER BY ${order} LIMIT ${most}`,
  );
};

/** No index has amounts, which every order would pay for: the newest rows are read whole, and sorted. */
async function findByAmount(
  snapshot: Snapshot,
  list: KeyedPageOfList,
  sorted: ListOrder,
  descending: boolean,
): Promise<KeyedPageFound> {
  const { backwards, place, from, order, beyond } = readFrom(list, sorted, descending);
  const { per_page: size } = list;
  const shown = all(indexedConditions(list));
  const chosen = all([Prisma.sql`true`, ...filtersOf(list), ...beyond]);
  const found = await idsOf(snapshot.$queryRaw<unknown[]>`
    SELECT id FROM (SELECT * FROM ${from} WHERE ${shown} ORDER BY ${BY_TIME.down} LIMIT ${MAX_SORTED}) AS listed
    WHERE ${chosen} ORDER BY ${order} LIMIT ${size + 1}`);
  const [last, older] = parseRows(
    lastSchema,
    await snapshot.$queryRaw<unknown[]>`
      SELECT id, created_at FROM ${from} WHERE ${shown} ORDER BY ${BY_TIME.down} OFFSET ${MAX_SORTED - 1} LIMIT 2`,
  );
  const partial = older !== undefined;
  const page = pageOf(found, size, { backwards, place, end: null });
  return { ...page, partial, lookedTo: partial ? (last?.created_at ?? null) : null };
}

const idsOf = async (rows: PromiseLike<unknown[]>): Promise<string[]> =>
  parseRows(idSchema, await rows).map(({ id }) => id);

/**
 * The page of the rows that were found, one more than it holds where there are more.
 * @param end where a look goes on that ended before the page was full.
 */
function pageOf(
  found: string[],
  size: number,
  { backwards, place, end }: { backwards: boolean; place: string | undefined; end: string | null },
): Omit<KeyedPageFound, "partial" | "lookedTo"> {
  const more = found.length > size;
  const ids = found.slice(0, size);
  if (backwards) ids.reverse();
  const [first = null, last = null] = [ids[0], ids.at(-1)];
  // Whence the page came there are rows: the place itself, where it belongs to what is shown.
  return backwards
    ? { ids, next: last ?? place ?? null, previous: more ? first : end }
    : { ids, next: more ? last : end, previous: place === undefined ? null : (first ?? place) };
}

/**
 * The rows that a list chooses from, `FROM … AS listed`. Where all that match are known, they are read by their ids first: a plan
 * could walk along time past all the others.
 */
export const listedRows = ({ kind, matches }: Pick<FilteredList, "kind" | "matches">): Prisma.Sql =>
  matches === undefined || matches.rest !== null
    ? LISTED[kind].rows
    : Prisma.sql`(SELECT * FROM ${LISTED[kind].rows} WHERE id = ANY(${matches.ids}) OFFSET 0)`;

/** What no index serves: the filters, and the text where not all that match are known. */
export const filtersOf = ({ filters, matches }: Pick<FilteredList, "filters" | "matches">): Prisma.Sql[] =>
  matches?.rest ? [...filters, matches.rest(Prisma.sql`listed`)] : filters;

/** What a list asks of its rows that its indexes serve. */
export function indexedConditions(list: FilteredList): Prisma.Sql[] {
  const { isOf } = LISTED[list.kind];
  const { gte, lt } = createdWithin({ from_date: list.from, to_date: list.to, timeZone: list.timeZone });
  return [
    ...(list.isOne ?? ofMerchant(list)),
    ...(list.status === undefined ? [] : [isOf(list.status)]),
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
async function lastScanned(snapshot: Snapshot, looked: Prisma.Sql): Promise<Last | null> {
  const rows = await snapshot.$queryRaw<unknown[]>`${looked} OFFSET ${MAX_SCANNED - 1} LIMIT 1`;
  return parseRows(lastSchema, rows)[0] ?? null;
}
