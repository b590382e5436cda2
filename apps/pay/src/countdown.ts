const HOUR_MS = 3_600_000;

export const hasHours = (milliseconds: number): boolean => milliseconds > HOUR_MS;

/**
 * Formats the time left as `MM:SS`, rounded up so that only the end is 00:00.
 * @param hours whether to use `HH:MM:SS`; must stay the same throughout a countdown
 */
export function formatTimeLeft(milliseconds: number, hours = hasHours(milliseconds)): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const parts = hours ? [Math.floor(minutes / 60), minutes % 60] : [minutes];
  return [...parts, seconds % 60].map((part) => String(part).padStart(2, "0")).join(":");
}
