import type { ListSort, Mode } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import { type DayRange, toCreatedRange } from "./filters.js";
import type { Snapshot } from "./snapshot.js";

export type PageOfList = DayRange & {
  merchantId: string;
  mode: Mode;
  kind: "order" | "refund" | "payout";
  /** One status. Default: all. */
  status?: string | undefined;
  /** The merchant's reference. Default: all. Refunds are filtered by their payment instead. */
  reference?: string | undefined;
  page: number;
  per_page: number;
};

/** The IDs of one page, newest first, and the number of rows on all pages. */
export type FoundPage = { ids: string[]; total: number };

const sumsSchema = z.object({ total: z.int(), day: z.string().nullable(), newer: z.int(), older: z.int() });
const totalSchema = z.object({ total: z.int() });
const spanSchema = z.object({ newer: z.int(), older: z.int(), from: z.date(), until: z.date() });
const idSchema = z.object({ id: z.string() });

/** Location of a page's first row: the number of rows to skip from each of two times. */
type FirstRow = { newer: number; older: number; from: Date | null; until: Date | null };

/** Skipping this many rows of an index costs less than reading the counters of a day's ten-minute slots. */
const NEAR_ROWS = 1_000;
const DAY_MS = 86_400_000;

export const LIST_SOURCES = {
  order: {
    rows: Prisma.sql`orders`,
    // The condition must repeat the expression of the partial index.
    isOf: (status: string) =>
      status === "PARTLY_REFUNDED"
        ? Prisma.sql`state = 'PAID' AND refunded > 0`
        : Prisma.sql`state = ${status}::order_state`,
  },
  refund: {
    rows: Prisma.sql`refunds`,
    isOf: (status: string) => Prisma.sql`status = ${status}::refund_status`,
  },
  payout: {
    rows: Prisma.sql`payouts`,
    isOf: (status: string) => Prisma.sql`status = ${status}::payout_status`,
  },
};

export const findPage = (
  snapshot: Snapshot,
  list: PageOfList,
  indexed: Prisma.Sql[] | undefined,
): Promise<FoundPage> =>
  indexed === undefined ? findPageOfAll(snapshot, list) : findOffsetPage(snapshot, list, indexed);

export const merchantConditions = ({
  merchantId,
  mode,
}: Pick<PageOfList, "merchantId" | "mode">): Prisma.Sql[] => [
  Prisma.sql`merchant_id = ${merchantId}::uuid`,
  Prisma.sql`mode = ${mode}::mode`,
];

/** Returns SQL for the counts of a list: the counters, and the changes that are not rolled up yet. */
function countsSql(list: PageOfList, [counter, part, partOfDelta]: Prisma.Sql[]): Prisma.Sql {
  const { status = null } = list;
  const ofList = Prisma.join(
    [...merchantConditions(list), Prisma.sql`kind = ${list.kind}::counted_kind`],
    " AND ",
  );
  const condition = Prisma.sql`${ofList} AND (${status}::text IS NULL OR status = ${status})`;
  return Prisma.sql`(
    SELECT ${part}, count FROM ${counter} WHERE ${condition}
    UNION ALL SELECT ${partOfDelta}, change FROM count_deltas WHERE ${condition}) AS counted`;
}
const DAYS = [Prisma.sql`day_counts`, Prisma.sql`day`, Prisma.sql`(starts_at AT TIME ZONE 'UTC')::date`];
const SPANS = [Prisma.sql`span_counts`, Prisma.sql`starts_at`, Prisma.sql`span_of(starts_at) AS starts_at`];

/** Finds a page. Skips whole days without reading their rows, then ten-minute slots of one day, and the rest in an index, from the nearer end. */
async function findPageOfAll(snapshot: Snapshot, list: PageOfList): Promise<FoundPage> {
  const { from_date: from = null, to_date: to = null } = list;
  const offset = (list.page - 1) * list.per_page;
  const sums = await snapshot.$queryRaw<unknown[]>`
    WITH days AS (
      SELECT day, sum(count) AS rows FROM ${countsSql(list, DAYS)}
      WHERE (${from}::date IS NULL OR day >= ${from}::date) AND (${to}::date IS NULL OR day <= ${to}::date)
      GROUP BY day
    ), running AS (SELECT day, sum(rows) OVER (ORDER BY day DESC) AS until FROM days)
    SELECT coalesce(max(until), 0)::int AS total, (max(day) FILTER (WHERE until > ${offset}::int))::text AS day,
      ${offset}::int - coalesce(max(until) FILTER (WHERE until <= ${offset}::int), 0)::int AS newer,
      coalesce(min(until) FILTER (WHERE until > ${offset}::int), 0)::int - ${offset}::int - 1 AS older FROM running`;
  const [firstRow] = parseRows(sumsSchema, sums);
  if (!firstRow) throw new Error("the query for a list's totals returned no rows");
  const { total, day, newer, older } = firstRow;
  if (day === null) return { ids: [], total };
  const start = Date.parse(day);
  const inDay = { newer, older, from: new Date(start), until: new Date(start + DAY_MS) };
  const first = Math.min(newer, older) <= NEAR_ROWS ? inDay : await narrowToSlot(snapshot, list, inDay);
  return { ids: await findIdsFrom(snapshot, list, merchantConditions(list), first), total };
}

/** Finds a page. Skips rows from the nearer end. @param indexed conditions that one index serves. */
async function findOffsetPage(
  snapshot: Snapshot,
  list: PageOfList,
  indexed: Prisma.Sql[],
): Promise<FoundPage> {
  const offset = (list.page - 1) * list.per_page;
  const { rows, isOf } = LIST_SOURCES[list.kind];
  const { gte, lt } = toCreatedRange(list);
  const conditions = [
    ...indexed,
    ...(list.status === undefined ? [] : [isOf(list.status)]),
    ...(gte ? [Prisma.sql`created_at >= ${gte}`] : []),
    ...(lt ? [Prisma.sql`created_at < ${lt}`] : []),
  ];
  const counts = await snapshot.$queryRaw<unknown[]>`
    SELECT count(*)::int AS total FROM ${rows} WHERE ${Prisma.join(conditions, " AND ")}`;
  const [{ total } = { total: 0 }] = parseRows(totalSchema, counts);
  if (offset >= total) return { ids: [], total };
  const first = { newer: offset, older: total - offset - 1, from: null, until: null };
  return { ids: await findIdsFrom(snapshot, list, indexed, first), total };
}

async function narrowToSlot(
  snapshot: Snapshot,
  list: PageOfList,
  { newer, from, until }: { newer: number; from: Date; until: Date },
): Promise<FirstRow> {
  const spans = await snapshot.$queryRaw<unknown[]>`
    WITH spans AS (
      SELECT starts_at, sum(count) AS rows FROM ${countsSql(list, SPANS)}
      WHERE starts_at >= ${from} AND starts_at < ${until} GROUP BY starts_at
    ), running AS (SELECT starts_at, rows, sum(rows) OVER (ORDER BY starts_at DESC) AS reached FROM spans)
    SELECT (${newer}::int - (reached - rows))::int AS newer, (reached - ${newer}::int - 1)::int AS older,
      starts_at AS "from", starts_at + interval '10 minutes' AS until
    FROM running WHERE reached > ${newer}::int ORDER BY reached LIMIT 1`;
  const [span] = parseRows(spanSchema, spans);
  if (!span) throw new Error("the day's ten-minute counters do not add up to its daily counter");
  return span;
}

async function findIdsFrom(
  snapshot: Snapshot,
  list: PageOfList,
  indexed: Prisma.Sql[],
  { newer, older, from, until }: FirstRow,
): Promise<string[]> {
  const { rows, isOf } = LIST_SOURCES[list.kind];
  const { gte, lt } = toCreatedRange(list);
  const conditions = [...indexed, ...(list.status === undefined ? [] : [isOf(list.status)])];
  const since = gte ? [Prisma.sql`created_at >= ${gte}`] : [];
  const before = lt ? [Prisma.sql`created_at < ${lt}`] : [];
  const joinWithAnd = (conditions: Prisma.Sql[]) => Prisma.join(conditions, " AND ");
  const idRows =
    newer <= older
      ? await snapshot.$queryRaw<unknown[]>`
          SELECT id FROM ${rows} WHERE ${joinWithAnd([...conditions, ...since, ...(until ? [Prisma.sql`created_at < ${until}`] : before)])}
          ORDER BY created_at DESC, id DESC OFFSET ${newer} LIMIT ${list.per_page}`
      : await snapshot.$queryRaw<unknown[]>`
          SELECT id FROM ${rows} WHERE ${joinWithAnd([...conditions, ...since])} AND (created_at, id) <= (
            SELECT created_at, id FROM ${rows} WHERE ${joinWithAnd([...conditions, ...before, ...(from ? [Prisma.sql`created_at >= ${from}`] : since)])}
            ORDER BY created_at, id OFFSET ${older} LIMIT 1)
          ORDER BY created_at DESC, id DESC LIMIT ${list.per_page}`;
  return parseRows(idSchema, idRows).map(({ id }) => id);
}

/** The currency column of each list's sorted and summed amount. */
export const CURRENCY = { order: "currency", refund: "currency", payout: "sender_currency" } as const;

/** The sort columns of a list, the last of which is unique, all in one direction. */
export type ListOrder = { up: Prisma.Sql; down: Prisma.Sql };

const orderBy = (...names: string[]): ListOrder => {
  const listColumns = (end: string) => Prisma.join(names.map((name) => Prisma.raw(name + end)));
  return { up: listColumns(""), down: listColumns(" DESC") };
};

export const BY_TIME = orderBy("created_at", "id");

/** Minor units of different currencies are not comparable, so amounts are sorted within their currency. */
const BY_AMOUNT = {
  order: orderBy(CURRENCY.order, "amount", "created_at", "id"),
  refund: orderBy(CURRENCY.refund, "amount", "created_at", "id"),
  payout: orderBy(CURRENCY.payout, "amount", "created_at", "id"),
};

export const listOrder = (
  kind: PageOfList["kind"],
  sort: ListSort = "-created_at",
): { order: ListOrder; descending: boolean } => ({
  order: sort.endsWith("amount") ? BY_AMOUNT[kind] : BY_TIME,
  descending: sort.startsWith("-"),
});
