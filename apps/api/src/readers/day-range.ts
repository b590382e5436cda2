import { dayAfter, startOfDay, UTC } from "@tillgate/contract";

/** Whole days, both ends included, as `YYYY-MM-DD`: of a time zone, or of UTC where none is named. */
export type DayRange = {
  from_date?: string | undefined;
  to_date?: string | undefined;
  timeZone?: string | undefined;
};

/** A query whose days are of a time zone. */
export type InTimeZone<Query> = Query & { timeZone: string };

/** The days as a condition on a time. */
export function createdWithin({ from_date, to_date, timeZone = UTC }: DayRange): { gte?: Date; lt?: Date } {
  return {
    ...(from_date ? { gte: startOfDay(from_date, timeZone) } : {}),
    ...(to_date ? { lt: startOfDay(dayAfter(to_date), timeZone) } : {}),
  };
}
