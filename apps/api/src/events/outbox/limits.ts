/** Poll interval for scheduled deliveries without a change notification. */
export const POLL_INTERVAL_MS = 1_000;
/** Minimum time between two claims of a worker. Under load, each claim takes several deliveries instead of one. */
export const IDLE_WAIT_MS = 10;
/** Additional wait per queue with waiting deliveries, in milliseconds, so that claims do not saturate the database. */
export const IDLE_WAIT_PER_QUEUE_MS = 0.2;
/** Minimum wait between two runs of the job that applies an endpoint's state to its waiting deliveries, in milliseconds. */
export const FOLLOW_IDLE_WAIT_MS = 200;
/** Maximum leases that one transaction ends. */
export const SETTLE_BATCH = 100;
/** Concurrent transactions of a worker that record attempts. */
export const MAX_SETTLE_TRANSACTIONS = 2;
/** Waiting deliveries updated to their endpoint's new state in one transaction. */
export const FOLLOW_BATCH = 500;

/**
 * Class of an attempt, from the history of its queue (an endpoint, or one callback host of one merchant). `prompt`: the
 * receiver responds. `first`: no history. `slow`: several slow failures in a row. `careful`: everything else.
 */
export const LEASE_CLASSES = ["prompt", "first", "careful", "slow"] as const;
export type LeaseClass = (typeof LEASE_CLASSES)[number];

/**
 * Maximum concurrent attempts across all processes: per lane (an endpoint, or one path of a callback host), queue, host, and merchant and mode.
 * After two seconds a prompt attempt counts in its lane only, so that a receiver that hangs does not block other receivers.
 */
export const MAX_CONCURRENT_ATTEMPTS: Record<
  LeaseClass,
  { lane: number; queue: number; host: number; merchant: number }
> = {
  prompt: { lane: 8, queue: 12, host: 32, merchant: 200 },
  first: { lane: 1, queue: 1, host: 32, merchant: 500 },
  careful: { lane: 1, queue: 6, host: 32, merchant: 250 },
  slow: { lane: 1, queue: 4, host: 32, merchant: 250 },
};

/** How long an attempt at a prompt or new receiver occupies a slot. {@link MAX_CONCURRENT_ATTEMPTS} still bounds longer attempts. */
export const SLOT_MS = 500;
/** Attempts at slow or unresponsive receivers that a process runs in addition to its slots, per slot. */
export const UNRESPONSIVE_PER_SLOT = 10;

/** Time limit for DNS, connecting and TLS together, in milliseconds; the limit of the whole attempt still applies. */
export const CONNECT_MS = 10_000;
export const RESPONSE_BYTES = 1_024;
/** Time limit for the body once the status has arrived, in milliseconds. The part that has arrived by the limit is used. */
export const RESPONSE_BODY_MS = 1_000;

/**
 * Time that a lease adds to the attempt's time limit, for reading and settling, in milliseconds. When the lease has expired, another worker
 * takes over.
 */
export const LEASE_SLACK_MS = 15_000;
/** Delay after an attempt that could not be made or recorded (database unavailable, key missing), in milliseconds. */
export const POSTPONE_MS = 10_000;

/** How long the state of an unchanged queue or lane is retained, in days. After that, the queue or lane counts as new. */
export const PARTITION_RETENTION_DAYS = 30;
