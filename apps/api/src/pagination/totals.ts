import { toLocalDay, UTC } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import { toCreatedRange } from "./filters.js";
import {
  allFilters,
  type FilteredList,
  indexedConditions,
  joinConditions,
  type KeysetPage,
  listSourceSql,
  MAX_SCANNED,
} from "./keyset-page.js";
import { BY_TIME, CURRENCY, merchantConditions } from "./page.js";
import type { Snapshot } from "./snapshot.js";

const DAY_MS = 86_400_000;
const rowSchema = z.object({ currency: z.string().nullable(), count: z.int(), amount: z.bigint() });
type Row = z.output<typeof rowSchema>;

/** Amounts in minor units. `partial`: only the newest {@link MAX_SCANNED} rows, or not all matches of a search text, are included. */
export type ListTotals = { count: number; sums: { currency: string; amount: bigint }[]; partial: boolean };

export type BrowsedPage<Item> = Omit<KeysetPage, "ids"> & { items: Item[]; totals: ListTotals };

export async function readTotals(snapshot: Snapshot, list: FilteredList): Promise<ListTotals> {
  const usesCounters =
    allFilters(list).length === 0 && list.matches === undefined && list.status !== "PARTLY_REFUNDED";
  const { rows, partial } = usesCounters
    ? { rows: await sumCounters(snapshot, list), partial: false }
    : await sumRows(snapshot, list);
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const sums = rows.flatMap(({ currency, amount }) =>
    currency === null || amount === 0n ? [] : [{ currency, amount }],
  );
  return { count, sums, partial };
}

/** Sums daily counters for whole UTC days, and quarter-hour counters for the rest of the range. */
async function sumCounters(snapshot: Snapshot, list: FilteredList): Promise<Row[]> {
  const { from: from_date, to: to_date, timeZone = UTC, status } = list;
  const { gte, lt } = toCreatedRange({ from_date, to_date, timeZone });
  const first = gte && new Date(Math.ceil(gte.getTime() / DAY_MS) * DAY_MS);
  const last = lt && new Date(Math.floor(lt.getTime() / DAY_MS) * DAY_MS);
  const condition = joinConditions([
    ...merchantConditions(list),
    Prisma.sql`kind = ${list.kind}::counted_kind`,
    ...(status === undefined ? [] : [Prisma.sql`status = ${status}`]),
  ]);
  const days = joinConditions([
    condition,
    ...(first ? [Prisma.sql`day >= ${toLocalDay(first, UTC)}::date`] : []),
    ...(last ? [Prisma.sql`day < ${toLocalDay(last, UTC)}::date`] : []),
  ]);
  // Each end of the range is one index range; a range within one UTC day needs only one.
  const ends =
    first && last && first > last ? [withinDays(gte, lt)] : [withinDays(gte, first), withinDays(last, lt)];
  const quarters = ends.flatMap((end) =>
    end === null
      ? []
      : [
          Prisma.sql`UNION ALL SELECT currency, count, amount FROM quarter_hour_sums WHERE ${condition} AND ${end}`,
        ],
  );
  const rows = await snapshot.$queryRaw<unknown[]>`
    SELECT currency, sum(count)::int AS count, sum(amount)::bigint AS amount FROM (
      SELECT NULL AS currency, count, 0 AS amount FROM day_counts WHERE ${days}
      UNION ALL SELECT currency, 0, amount FROM day_sums WHERE ${days}
      ${quarters.length === 0 ? Prisma.empty : Prisma.join(quarters, " ")}
      UNION ALL SELECT currency, change, amount FROM count_deltas WHERE ${condition}
        ${gte ? Prisma.sql`AND starts_at >= ${gte}` : Prisma.empty} ${lt ? Prisma.sql`AND starts_at < ${lt}` : Prisma.empty}) AS counted
    GROUP BY currency ORDER BY currency`;
  return parseRows(rowSchema, rows);
}

/** Returns the condition for a range of times; null if it is unbounded or empty. */
const withinDays = (from: Date | undefined, to: Date | undefined): Prisma.Sql | null =>
  from && to && from < to ? Prisma.sql`starts_at >= ${from} AND starts_at < ${to}` : null;

const lookedSchema = rowSchema.extend({ looked: z.int() });

/** Sums the rows that match the filters, among the newest {@link MAX_SCANNED} rows. */
async function sumRows(
  snapshot: Snapshot,
  { matches, ...rest }: FilteredList,
): Promise<{ rows: Row[]; partial: boolean }> {
  // For a frequent text, only the known matches are summed, because comparing each row would take much longer.
  const list: FilteredList = { ...rest, matches: matches && { ...matches, condition: null } };
  const condition = joinConditions([Prisma.sql`true`, ...allFilters(list)]);
  // One extra row shows whether there are more.
  const rows = parseRows(
    lookedSchema,
    await snapshot.$queryRaw<unknown[]>`
      SELECT ${Prisma.raw(CURRENCY[list.kind])} AS currency, count(*)::int AS looked, count(*) FILTER (WHERE ${condition})::int AS count,
        coalesce(sum(amount) FILTER (WHERE ${condition}), 0)::bigint AS amount
      FROM (SELECT * FROM ${listSourceSql(list)} AS listed WHERE ${joinConditions(indexedConditions(list))}
        ORDER BY ${BY_TIME.down} LIMIT ${MAX_SCANNED + 1}) AS listed GROUP BY 1 ORDER BY 1`,
  );
  const looked = rows.reduce((sum, row) => sum + row.looked, 0);
  return { rows, partial: looked > MAX_SCANNED || (matches?.condition ?? null) !== null };
}
