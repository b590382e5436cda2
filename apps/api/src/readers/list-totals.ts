import { UTC } from "@tillgate/contract";
import { Prisma } from "@tillgate/database";
import { parseRows } from "@tillgate/service";
import { z } from "zod";
import { createdWithin } from "./day-range.js";
import {
  all,
  type FilteredList,
  filtersOf,
  indexedConditions,
  type KeyedPageFound,
  listedRows,
  MAX_LOOKED_AT,
} from "./find-keyed-page.js";
import { ofMerchant } from "./find-page.js";
import type { Snapshot } from "./in-snapshot.js";
import { BY_TIME, CURRENCY } from "./list-order.js";

const DAY_MS = 86_400_000;
const rowSchema = z.object({ currency: z.string().nullable(), count: z.int(), amount: z.bigint() });
type Row = z.output<typeof rowSchema>;

/**
 * How many rows a list has on all its pages, and the sums of their amounts in minor units. `partial`: what a filter that no index serves
 * leaves of the newest {@link MAX_LOOKED_AT} rows, where there are more.
 */
export type ListTotals = { count: number; sums: { currency: string; amount: bigint }[]; partial: boolean };

/** A page of a list of the console. */
export type BrowsedPage<Item> = Omit<KeyedPageFound, "ids"> & { items: Item[]; totals: ListTotals };

export async function totalsOf(snapshot: Snapshot, list: FilteredList): Promise<ListTotals> {
  const counted =
    filtersOf(list).length === 0 && list.matches === undefined && list.status !== "PARTLY_REFUNDED";
  const { rows, partial } = counted
    ? { rows: await byCounters(snapshot, list), partial: false }
    : await byRows(snapshot, list);
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const sums = rows.flatMap(({ currency, amount }) =>
    currency === null || amount === 0n ? [] : [{ currency, amount }],
  );
  return { count, sums, partial };
}

/** Whole days of UTC by the counters of days, and what the range has beyond them by quarters of an hour. */
async function byCounters(snapshot: Snapshot, list: FilteredList): Promise<Row[]> {
  const { from: from_date, to: to_date, timeZone = UTC, status = null } = list;
  const { gte, lt } = createdWithin({ from_date, to_date, timeZone });
  const [from, to] = [gte?.toISOString() ?? "-infinity", lt?.toISOString() ?? "infinity"];
  const [first, last] = [
    gte ? new Date(Math.ceil(gte.getTime() / DAY_MS) * DAY_MS).toISOString() : "-infinity",
    lt ? new Date(Math.floor(lt.getTime() / DAY_MS) * DAY_MS).toISOString() : "infinity",
  ];
  const shown = Prisma.sql`${all(ofMerchant(list))} AND kind = ${list.kind}::counted_kind AND (${status}::text IS NULL OR status = ${status})`;
  const days = Prisma.sql`${shown} AND day >= ${first.slice(0, 10)}::date AND day < ${last.slice(0, 10)}::date`;
  const rows = await snapshot.$queryRaw<unknown[]>`
    SELECT currency, sum(count)::int AS count, sum(amount)::bigint AS amount FROM (
      SELECT NULL AS currency, count, 0 AS amount FROM day_counts WHERE ${days}
      UNION ALL SELECT currency, 0, amount FROM day_sums WHERE ${days}
      UNION ALL SELECT currency, count, amount FROM quarter_hour_sums WHERE ${shown}
        AND ((starts_at >= ${from}::timestamptz AND starts_at < least(${first}::timestamptz, ${to}::timestamptz))
          OR (starts_at >= greatest(${last}::timestamptz, ${from}::timestamptz) AND starts_at < ${to}::timestamptz))
      UNION ALL SELECT currency, change, amount FROM count_deltas WHERE ${shown}
        AND starts_at >= ${from}::timestamptz AND starts_at < ${to}::timestamptz) AS counted
    GROUP BY currency ORDER BY currency`;
  return parseRows(rowSchema, rows);
}

/** The newest rows that its indexes serve, compared with the filters. */
async function byRows(
  snapshot: Snapshot,
  { matches, ...rest }: FilteredList,
): Promise<{ rows: Row[]; partial: boolean }> {
  // Of a text that too many rows have to be known, those that are known: to compare each row would take much longer.
  const list: FilteredList = { ...rest, matches: matches && { ...matches, rest: null } };
  const looked = Prisma.sql`SELECT * FROM ${listedRows(list)} AS listed
    WHERE ${all(indexedConditions(list))} ORDER BY ${BY_TIME.down}`;
  const rows = await snapshot.$queryRaw<unknown[]>`
    SELECT ${Prisma.raw(CURRENCY[list.kind])} AS currency, count(*)::int AS count, sum(amount)::bigint AS amount
    FROM (${looked} LIMIT ${MAX_LOOKED_AT}) AS listed WHERE ${all([Prisma.sql`true`, ...filtersOf(list)])} GROUP BY 1 ORDER BY 1`;
  const older = await snapshot.$queryRaw<unknown[]>`${looked} OFFSET ${MAX_LOOKED_AT} LIMIT 1`;
  return { rows: parseRows(rowSchema, rows), partial: older.length > 0 || (matches?.rest ?? null) !== null };
}
