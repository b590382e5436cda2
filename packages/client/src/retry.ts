import { MAX_RETRY_DELAY_MS } from "./limits.js";

/** Whether an HTTP status is worth another try: over the rate limit, or a failure on the other side. */
export const isRetryable = (status: number): boolean => status === 429 || (status >= 500 && status <= 599);

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
