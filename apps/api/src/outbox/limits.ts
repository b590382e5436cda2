/** How often the relay looks for due deliveries when no hint wakes it, in milliseconds. */
export const RELAY_POLL_MS = 1_000;
/**
 * How long the relay and the worker rest between two looks, in milliseconds: under load they take several deliveries at
 * once instead of one after the other, at the cost of so much latency.
 */
export const LOOK_REST_MS = 10;
/** How many deliveries the relay moves into the queue in one transaction. */
export const RELAY_BATCH = 200;
/** How many ended deliveries are written in one transaction, and how many such transactions a worker has under way. */
export const SETTLE_BATCH = 100;
export const SETTLE_AT_ONCE = 2;
/** How many waiting deliveries follow the new state of their receiver in one transaction. */
export const FOLLOW_BATCH = 500;

/** How many deliveries to one prompt host are under way at the same time, over all processes. */
export const DELIVERIES_PER_HOST = 8;
/** The same for deliveries that failed before. */
export const RETRIES_PER_HOST = 2;
/** How many deliveries of one merchant and mode to hosts not heard of yet are under way, over all processes. */
export const UNKNOWN_PER_MERCHANT = 4;
/** The same for hosts that hung. */
export const SUSPECTS_PER_MERCHANT = 2;
/** The part of a process's places that hosts which are not known to be prompt may take together: one in so many. */
export const CAREFUL_SHARE = 3;
/**
 * After how long an attempt at a prompt host no longer takes one of the places, in milliseconds: should prompt hosts
 * begin to hang, however many at once, the others wait no longer than this. What hangs stays bounded all the same:
 * places × attempt's time limit ÷ this. (`record_host` in the database holds the same number.)
 */
export const SLOW_AFTER_MS = 2_000;
/** How long a host that was not heard of may stay on record, in days; afterwards it shows anew that it is prompt. */
export const HOST_MEMORY_DAYS = 30;

/** How long resolving, connecting and TLS may take together, in milliseconds; less when the whole attempt has less. */
export const CONNECT_MS = 10_000;
/** How much of an answer is read and kept, in bytes. */
export const ANSWER_BYTES = 1_024;
/** How long the answer's body may take once the status is known, in milliseconds: the status alone decides. */
export const ANSWER_BODY_MS = 1_000;

/** What a job may take beyond the attempt itself (reading, settling) before another worker takes it over, in seconds. */
export const JOB_SLACK_SECONDS = 15;
/** How often jobs of dead workers are looked for, in seconds. */
export const JOB_CHECK_SECONDS = 5;
/** How long a job waits after its worker died or failed, in seconds. */
export const JOB_RETRY_SECONDS = 2;
/** How often one job may be tried before the sweep makes a new one. */
export const JOB_RETRIES = 10;

/** How often queued deliveries without a job are looked for, in milliseconds. */
export const SWEEP_EVERY_MS = 10_000;
/** How long a delivery is queued before the sweep asks for its job, in seconds. */
export const SWEEP_AFTER_SECONDS = 15;
/** How many deliveries one sweep puts back. */
export const SWEEP_BATCH = 1_000;
