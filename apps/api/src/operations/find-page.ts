import type { Mode } from "@tillgate/contract";
import type { Context } from "../context.js";
import type { DayRange } from "./day-range.js";

/** A page of a merchant's orders or refunds of one mode, newest first. */
export type PageOfDays = DayRange & {
  merchantId: string;
  mode: Mode;
  kind: "order" | "refund";
  /** One state, or undefined for all. */
  status?: string | undefined;
  page: number;
  per_page: number;
};

/** Where a page starts: rows created before this time, less the first `skip` of them. */
export type PageStart = { before: Date; skip: number };

const DAY_MS = 86_400_000;

/**
 * Finds where a page starts, and how many rows there are on all pages, by the counts that every change keeps: whole days
 * are skipped without reading their rows, so that a page far away costs no more than one day of them.
 * @returns no start for a page behind the last one.
 */
export async function findPage(
  { database: { prisma } }: Context,
  { merchantId, mode, kind, page, per_page, ...filter }: PageOfDays,
): Promise<{ total: number; start: PageStart | null }> {
  const offset = (page - 1) * per_page;
  const { status = null, from_date: from = null, to_date: to = null } = filter;
  const [found] = await prisma.$queryRaw<{ total: number; day: string | null; skip: number }[]>`
    WITH days AS (
      SELECT day, sum(count) AS rows FROM day_counts
      WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND kind = ${kind}::counted_kind
        AND (${status}::text IS NULL OR status = ${status})
        AND (${from}::date IS NULL OR day >= ${from}::date) AND (${to}::date IS NULL OR day <= ${to}::date)
      GROUP BY day
    ), running AS (SELECT day, sum(rows) OVER (ORDER BY day DESC) AS until FROM days)
    SELECT coalesce(max(until), 0)::int AS total, (max(day) FILTER (WHERE until > ${offset}::int))::text AS day,
      ${offset}::int - coalesce(max(until) FILTER (WHERE until <= ${offset}::int), 0)::int AS skip FROM running`;
  if (!found) throw new Error("a query for one row of sums answered none");
  const { total, day, skip } = found;
  return { total, start: day === null ? null : { before: new Date(Date.parse(day) + DAY_MS), skip } };
}
