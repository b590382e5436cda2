const HOUR_MS = 3_600_000;

/** Whether a time is written with hours. */
export const hasHours = (milliseconds: number): boolean => milliseconds > HOUR_MS;

/**
 * The time left as `mm:ss`, or `hh:mm:ss` with hours, rounded up so that it reaches 00:00 only at the end. Every part has
 * two digits: a clock that gets shorter while it runs would move its neighbours.
 */
export function formatTimeLeft(milliseconds: number, hours = hasHours(milliseconds)): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const parts = hours ? [Math.floor(minutes / 60), minutes % 60] : [minutes];
  return [...parts, seconds % 60].map((part) => String(part).padStart(2, "0")).join(":");
}
