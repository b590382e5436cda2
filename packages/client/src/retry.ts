import { MAX_RETRY_DELAY_MS } from "./limits.js";

/** Whether an HTTP status is worth another try: over the rate limit, or a failure on the other side. */
export const isRetryable = (status: number): boolean => status === 429 || (status >= 500 && status <= 599);

/**
 * Reads a `Retry-After` header: whole seconds or an HTTP date.
 *
 * @param nowMs the time a date is measured from, in milliseconds since 1970
 * @returns milliseconds to wait, never negative; null where the header is missing or unreadable
 */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

/**
 * The wait before the next try: what the answer asked for, else doubling from `firstMs` with jitter, so that many
 * clients do not come back in the same instant.
 *
 * @param retry 0 for the first retry
 * @returns milliseconds, or null where the answer asks for more than is waited for
 */
export function retryDelayMs(retry: number, firstMs: number, askedMs: number | null): number | null {
  if (askedMs !== null) return askedMs > MAX_RETRY_DELAY_MS ? null : askedMs;
  const full = Math.min(MAX_RETRY_DELAY_MS, firstMs * 2 ** retry);
  return full / 2 + Math.random() * (full / 2);
}
