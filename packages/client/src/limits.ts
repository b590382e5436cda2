/** How long one try may take, in milliseconds, the reading of the answer included. */
export const DEFAULT_TIMEOUT_MS = 10_000;

/** How long a test of a webhook may take at least, in milliseconds: the address itself has 15 seconds. */
export const TEST_TIMEOUT_MS = 20_000;

/** How much longer than its own `wait` a list of events may take at least, in milliseconds. */
export const LONG_POLL_MARGIN_MS = 10_000;

/** How many times a call is tried again after a 429, a 5xx or a connection that failed. */
export const DEFAULT_MAX_RETRIES = 2;

/** The most retries a caller may ask for: more would hide an outage instead of reporting it. */
export const MAX_RETRIES = 10;

/** The wait before the first retry, in milliseconds; each later one doubles it. */
export const DEFAULT_RETRY_DELAY_MS = 250;

/** The longest wait between two tries, in milliseconds. A longer `Retry-After` ends the call at once. */
export const MAX_RETRY_DELAY_MS = 30_000;

/** The largest answer that is read, in bytes: a full page of a list is far below it. */
export const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
