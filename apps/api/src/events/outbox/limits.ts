/** Poll interval for scheduled deliveries without a change notification, in milliseconds. */
export const LOOK_EVERY_MS = 1_000;
/**
 * How long a worker rests between two looks, in milliseconds. Under load it then takes several deliveries at once instead
 * of one after the other, at the cost of this latency.
 */
export const LOOK_REST_MS = 10;
/**
 * The additional rest for each queue with waiting deliveries: however many there are, looking never keeps the database
 * busy.
 */
export const LOOK_REST_A_QUEUE_MS = 0.2;
/** How long the job that applies receivers' states to waiting deliveries rests between two looks, in milliseconds. */
export const FOLLOW_REST_MS = 200;
/** How many ended deliveries are written in one transaction, and how many such transactions a worker has under way. */
export const SETTLE_BATCH = 100;
export const SETTLE_AT_ONCE = 2;
/** How many waiting deliveries follow the new state of their receiver in one transaction. */
export const FOLLOW_BATCH = 500;

/**
 * The class of an attempt, by what is known of its queue (an endpoint, or one callback host of one merchant). `prompt`: it
 * answers. `first`: no history yet. `slow`: several slow failures came in a row. `careful`: the rest.
 */
export const LEASE_CLASSES = ["prompt", "first", "careful", "slow"] as const;
export type LeaseClass = (typeof LEASE_CLASSES)[number];

/**
 * How many attempts of a class are under way at most, over all processes: in a lane (an endpoint, or one path of a callback
 * host), a queue, at a host, and for one merchant and mode. A prompt attempt that has taken two seconds counts in its lane
 * only, so that a hanging receiver frees the way for the others.
 */
export const BOUNDS: Record<LeaseClass, { lane: number; queue: number; host: number; merchant: number }> = {
  prompt: { lane: 8, queue: 12, host: 32, merchant: 200 },
  first: { lane: 1, queue: 1, host: 32, merchant: 500 },
  careful: { lane: 1, queue: 6, host: 32, merchant: 250 },
  slow: { lane: 1, queue: 4, host: 32, merchant: 250 },
};

/**
 * After how long an attempt at a prompt or new receiver gives up its place in the process, in milliseconds: waiting for an
 * answer costs next to nothing. Hanging attempts stay bounded by {@link BOUNDS}.
 */
export const PLACE_MS = 500;
/**
 * How many attempts at receivers that do not answer a process has under way beside its places, as a multiple of the places.
 */
export const CAREFUL_TIMES = 10;

/** How long resolving, connecting and TLS may take together, in milliseconds; less when the whole attempt has less. */
export const CONNECT_MS = 10_000;
/** How much of an answer is read and kept, in bytes. */
export const ANSWER_BYTES = 1_024;
/** How long the answer's body may take once the status is known, in milliseconds: the status alone decides. */
export const ANSWER_BODY_MS = 1_000;

/** How much longer than the attempt a lease lasts (reading, settling), in milliseconds: then another worker takes over. */
export const LEASE_SLACK_MS = 15_000;
/** How long a delivery waits that could not be attempted or recorded (the database is away, a key is missing), in milliseconds. */
export const POSTPONE_MS = 10_000;

/** How long the state of a queue or lane is kept when it does not change, in days. Afterwards it counts as new. */
export const LANE_MEMORY_DAYS = 30;
