import { addDays, startOfDay, toLocalDay } from "@tillgate/contract";

const MONTHS_PER_PAGE = 12;

export const firstDayOf = (month: string): string => `${month}-01`;
export const toMonth = (day: string): string => day.slice(0, "2026-11".length);
const previousMonth = (month: string): string => toMonth(addDays(firstDayOf(month), -1));
/** Returns the following month. The day that is 31 days after the first day of a month is always in it. */
export const nextMonth = (month: string): string => toMonth(addDays(firstDayOf(month), 31));
export const startOfMonth = (month: string, timeZone: string): Date =>
  startOfDay(firstDayOf(month), timeZone);

/** Consecutive months, oldest first; the month after them; and the cursor of the page with older months. */
export type MonthsPage = { months: string[]; end: string; next: string | null };

/**
 * Returns a page of the months from the month of `firstAt` (default: now) to the current month.
 * @param query.before the `next` of the page with newer months.
 */
export function pageMonths(
  firstAt: Date | null,
  { before, timeZone }: { before?: string | undefined; timeZone: string },
): MonthsPage {
  const now = new Date();
  const monthAt = (at: Date) => toMonth(toLocalDay(at, timeZone));
  const [first, current] = [monthAt(firstAt ?? now), monthAt(now)];
  const end = before === undefined || before > current ? nextMonth(current) : before;
  const months: string[] = [];
  for (let month = previousMonth(end); month >= first && months.length < MONTHS_PER_PAGE; ) {
    months.unshift(month);
    month = previousMonth(month);
  }
  const [oldest = first] = months;
  return { months, end, next: oldest > first ? oldest : null };
}
