/** Converts seconds or an HTTP date to milliseconds from `nowMs`: 0 for a past date, undefined if invalid. */
export function parseRetryAfter(header: string | null | undefined, nowMs: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Only HTTP dates: Date.parse accepts almost any text.
  if (!/^[A-Za-z]{3,9},? \d{2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - nowMs);
}
