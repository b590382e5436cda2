/** Whole UTC days, both ends included, as `YYYY-MM-DD`. */
export type DayRange = { from_date?: string | undefined; to_date?: string | undefined };

const DAY_MS = 86_400_000;

/** The days as a condition on a time. */
export function createdWithin({ from_date, to_date }: DayRange): { gte?: Date; lt?: Date } {
  return {
    ...(from_date ? { gte: new Date(`${from_date}T00:00:00Z`) } : {}),
    ...(to_date ? { lt: new Date(new Date(`${to_date}T00:00:00Z`).getTime() + DAY_MS) } : {}),
  };
}
