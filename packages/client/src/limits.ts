/** Timeout per attempt, including reading the response. */
export const DEFAULT_TIMEOUT_MS = 10_000;

/** Minimum timeout of a webhook test; the endpoint itself has 15 seconds to respond. */
export const TEST_TIMEOUT_MS = 20_000;

/** The timeout of `events.list` exceeds its `wait` by at least this margin. */
export const LONG_POLL_MARGIN_MS = 10_000;

/** Retries after a 429, a 5xx or a failed connection. */
export const DEFAULT_MAX_RETRIES = 2;

/** More retries would hide an outage instead of reporting it. */
export const MAX_RETRIES = 10;

/** Maximum delay before the first retry, doubled for each further retry. The actual delay is at least half of it. `Retry-After` overrides it. */
export const DEFAULT_RETRY_DELAY_MS = 250;

/** A call is not retried if its response has a longer `Retry-After`. */
export const MAX_RETRY_DELAY_MS = 30_000;

/** Limit of a response body, far above the size of a full page of a list. */
export const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
