import { FieldRule, INVALID_CURSOR_TEXT, type ListSort, MAX_SORTED_ROWS } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import { invalidField, type OperationError } from "../errors.js";
import { toCreatedRange } from "./filters.js";
import type { Matches } from "./matching-rows.js";
import {
  BY_TIME,
  LIST_SOURCES,
  type ListOrder,
  listOrder,
  merchantConditions,
  type PageOfList,
} from "./page.js";
import type { Snapshot } from "./snapshot.js";

export type FilteredList = Pick<PageOfList, "merchantId" | "mode" | "kind" | "status"> & {
  from?: string | undefined;
  to?: string | undefined;
  /** Time zone of `from` and `to`. Default: UTC. */
  timeZone?: string | undefined;
  /** Conditions without an index, on columns of the alias `listed`. */
  filters: Prisma.Sql[];
  /** Indexed conditions besides status and days. Default: merchant and mode. */
  indexed?: Prisma.Sql[] | undefined;
  matches?: Matches | undefined;
};

/** Pages do not shift when rows are added. */
export type KeysetPageRequest = FilteredList & {
  /** Default: newest first. */
  sort?: ListSort | undefined;
  /** Rows before or after this ID. Default: the first page. */
  before?: string | undefined;
  after?: string | undefined;
  /** Name of the cursor field in the caller's request, for errors. */
  cursorField?: CursorField;
  per_page: number;
};

/** `next` and `previous` are cursors, or null if there is no further page in that direction. */
export type KeysetPage = {
  ids: string[];
  next: string | null;
  previous: string | null;
  /** Whether the scan stopped at its limit. */
  partial: boolean;
  /** Creation time of the last scanned row if the scan stopped at its limit. */
  scannedTo: Date | null;
};

export function sortByIds<Row extends { id: string }>(ids: string[], rows: Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Rows scanned for a filter without an index, which bounds the cost of finding rare matches in a long list. */
export const MAX_SCANNED = 20_000;

const idSchema = z.object({ id: z.string() });
const lastSchema = z.object({ id: z.string(), created_at: z.date() });
type Last = z.output<typeof lastSchema>;
export const joinConditions = (conditions: Prisma.Sql[]): Prisma.Sql => Prisma.join(conditions, " AND ");

export type CursorField = "before" | "after" | "cursor";

export const invalidCursor = (field: CursorField): OperationError =>
  invalidField(field, field === "cursor" ? FieldRule.EarlierCursor.text : INVALID_CURSOR_TEXT);

/** @throws OperationError InvalidFields if the cursor is not the ID of a row of this kind, merchant and mode. */
export async function findKeysetPage(snapshot: Snapshot, list: KeysetPageRequest): Promise<KeysetPage> {
  const cursor = list.after ?? list.before;
  if (cursor !== undefined && !(await isInList(snapshot, list, cursor)))
    throw invalidCursor(list.cursorField ?? (list.after === undefined ? "before" : "after"));
  const { order, descending } = listOrder(list.kind, list.sort);
  return order === BY_TIME
    ? findByTime(snapshot, list, descending)
    : findByAmount(snapshot, list, order, descending);
}

/** Returns the condition for the rows beyond the cursor, and the direction to read them in. */
function readFrom(list: KeysetPageRequest, { up, down }: ListOrder, descending: boolean) {
  const backwards = list.after !== undefined;
  const cursor = list.after ?? list.before;
  const { rows } = LIST_SOURCES[list.kind];
  const [side, order] = descending === backwards ? [Prisma.raw(">"), up] : [Prisma.raw("<"), down];
  const beyondCursor =
    cursor === undefined
      ? []
      : [Prisma.sql`(${up}) ${side} (SELECT ${up} FROM ${rows} WHERE id = ${cursor})`];
  return {
    backwards,
    cursor,
    from: Prisma.sql`${listSourceSql(list)} AS listed`,
    order,
    beyondCursor,
  };
}

async function findByTime(
  snapshot: Snapshot,
  list: KeysetPageRequest,
  descending: boolean,
): Promise<KeysetPage> {
  const { backwards, cursor, from, order, beyondCursor } = readFrom(list, BY_TIME, descending);
  const { per_page: size } = list;
  const condition = joinConditions([...indexedConditions(list), ...beyondCursor]);
  const ids = await findIdsByTime(snapshot, { list, from, shown: condition, order, limit: size + 1 });
  const more = ids.length > size;
  const end =
    more || allFilters(list).length === 0
      ? null
      : await findLastScanned(
          snapshot,
          Prisma.sql`SELECT id, created_at FROM ${from} WHERE ${condition} ORDER BY ${order}`,
        );
  const page = toPage(ids, size, { backwards, cursor, end: end?.id ?? null });
  return { ...page, partial: end !== null, scannedTo: end?.created_at ?? null };
}

type Scan = { list: FilteredList; from: Prisma.Sql; shown: Prisma.Sql; order: Prisma.Sql; limit: number };

const findIdsByTime = (
  snapshot: Snapshot,
  { list, from, shown: condition, order, limit }: Scan,
): Promise<string[]> => {
  const filters = allFilters(list);
  const scan = Prisma.sql`SELECT * FROM ${from} WHERE ${condition} ORDER BY ${order}`;
  return readIds(
    filters.length === 0
      ? snapshot.$queryRaw<unknown[]>`${scan} LIMIT ${limit}`
      : snapshot.$queryRaw<unknown[]>`
          SELECT id FROM (${scan} LIMIT ${MAX_SCANNED}) AS listed WHERE ${joinConditions(filters)} ORDER BY ${order} LIMIT ${limit}`,
  );
};

/** Sorts the newest rows by amount. Amounts are not indexed, because every insert would have to maintain the index. */
async function findByAmount(
  snapshot: Snapshot,
  list: KeysetPageRequest,
  sorted: ListOrder,
  descending: boolean,
): Promise<KeysetPage> {
  const { backwards, cursor, from, order, beyondCursor } = readFrom(list, sorted, descending);
  const { per_page: size } = list;
  const condition = joinConditions(indexedConditions(list));
  const chosen = joinConditions([Prisma.sql`true`, ...allFilters(list), ...beyondCursor]);
  const ids = await readIds(snapshot.$queryRaw<unknown[]>`
    SELECT id FROM (SELECT * FROM ${from} WHERE ${condition} ORDER BY ${BY_TIME.down} LIMIT ${MAX_SORTED_ROWS}) AS listed
    WHERE ${chosen} ORDER BY ${order} LIMIT ${size + 1}`);
  const [last, older] = parseRows(
    lastSchema,
    await snapshot.$queryRaw<unknown[]>`
      SELECT id, created_at FROM ${from} WHERE ${condition} ORDER BY ${BY_TIME.down} OFFSET ${MAX_SORTED_ROWS - 1} LIMIT 2`,
  );
  const partial = older !== undefined;
  const page = toPage(ids, size, { backwards, cursor, end: null });
  return { ...page, partial, scannedTo: partial ? (last?.created_at ?? null) : null };
}

const readIds = async (rows: PromiseLike<unknown[]>): Promise<string[]> =>
  parseRows(idSchema, await rows).map(({ id }) => id);

/**
 * @param idsWithExtra the IDs, with one extra ID if there are more rows.
 * @param end the ID after which a scan that hit its limit continues.
 */
function toPage(
  idsWithExtra: string[],
  size: number,
  { backwards, cursor, end }: { backwards: boolean; cursor: string | undefined; end: string | null },
): Omit<KeysetPage, "partial" | "scannedTo"> {
  const more = idsWithExtra.length > size;
  const ids = idsWithExtra.slice(0, size);
  if (backwards) ids.reverse();
  const [first = null, last = null] = [ids[0], ids.at(-1)];
  // The page on the cursor's side is never empty: it contains at least the cursor's row, if that row is in the list.
  return backwards
    ? { ids, next: last ?? cursor ?? null, previous: more ? first : end }
    : { ids, next: more ? last : end, previous: cursor === undefined ? null : (first ?? cursor) };
}

/** Returns SQL for a list's rows. If all matches are known, it reads them by ID, so that the planner does not scan other rows by time. */
export const listSourceSql = ({ kind, matches }: Pick<FilteredList, "kind" | "matches">): Prisma.Sql =>
  matches === undefined || matches.condition !== null
    ? LIST_SOURCES[kind].rows
    : Prisma.sql`(SELECT * FROM ${LIST_SOURCES[kind].rows} WHERE id = ANY(${matches.ids}) OFFSET 0)`;

/** Returns the filters and, unless all matches of the search text are known, the condition for the text. */
export const allFilters = ({ filters, matches }: Pick<FilteredList, "filters" | "matches">): Prisma.Sql[] =>
  matches?.condition ? [...filters, matches.condition(Prisma.sql`listed`)] : filters;

/** Returns the conditions on merchant and mode (or `indexed`), status and days. */
export function indexedConditions(list: FilteredList): Prisma.Sql[] {
  const { isOf } = LIST_SOURCES[list.kind];
  const { gte, lt } = toCreatedRange({ from_date: list.from, to_date: list.to, timeZone: list.timeZone });
  return [
    ...(list.indexed ?? merchantConditions(list)),
    ...(list.status === undefined ? [] : [isOf(list.status)]),
    ...(gte ? [Prisma.sql`created_at >= ${gte}`] : []),
    ...(lt ? [Prisma.sql`created_at < ${lt}`] : []),
  ];
}

async function isInList(snapshot: Snapshot, list: KeysetPageRequest, cursor: string): Promise<boolean> {
  const { rows } = LIST_SOURCES[list.kind];
  const matches = await snapshot.$queryRaw<unknown[]>`
    SELECT 1 FROM ${rows} WHERE id = ${cursor} AND ${joinConditions(merchantConditions(list))}`;
  return matches.length === 1;
}

/** Returns the row at which the scan hits its limit; null if the scan ends before the limit. */
async function findLastScanned(snapshot: Snapshot, scan: Prisma.Sql): Promise<Last | null> {
  const rows = await snapshot.$queryRaw<unknown[]>`${scan} OFFSET ${MAX_SCANNED - 1} LIMIT 1`;
  return parseRows(lastSchema, rows)[0] ?? null;
}
