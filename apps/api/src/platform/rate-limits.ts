import { LRUCache } from "lru-cache";
import pg from "pg";
import { RateLimiterPostgres } from "rate-limiter-flexible";

/** Database draws per one-minute window: high limits are drawn in blocks. */
const DRAWS_A_WINDOW = 600;

/** The answer to one request, and the values of its headers. */
export type Allowance = {
  allowed: boolean;
  /** Requests a window. */
  limit: number;
  /** Requests left in this window, as far as this process knows. */
  remaining: number;
  /** How long until the window ends, in milliseconds. */
  resetMs: number;
};

export type RateLimiter = {
  /** Counts one request under `key`, of which `limit` a window are allowed. */
  consume(key: string, limit: number): Promise<Allowance>;
  /** How many keys memory holds. */
  readonly size: number;
};

/** The counter that all processes share; how much was consumed in the window so far, this time included. */
export type SharedCounter = {
  consume(key: string, points: number): Promise<{ consumedPoints: number; msBeforeNext: number }>;
};

type Waiter = { resolve: (allowance: Allowance) => void; reject: (error: unknown) => void };

/** What this process knows of one key: its drawn tokens, and whether there are more. */
type Share = {
  limit: number;
  drawn: number;
  leftInStore: number;
  endsAt: number;
  waiting: Waiter[];
  drawing: boolean;
};

/**
 * Allows a number of requests per key and window, over any number of processes. Tokens are drawn from a shared counter in
 * blocks of max(1, limit ÷ 600), or as many as are waiting. Up to 1,199 a minute no token is drawn before a request waits
 * for it, so the limit is exact. When the counter is used up, refusals come from memory until the window ends.
 */
export function createRateLimiter({
  counter,
  maxKeys,
}: {
  counter: SharedCounter;
  maxKeys: number;
}): RateLimiter {
  const shares = new LRUCache<string, Share>({ max: maxKeys });

  function shareOf(key: string, limit: number): Share {
    const known = shares.get(key);
    // After a change of the limit the shared counter decides again.
    if (known?.limit === limit) return known;
    const share = { limit, drawn: 0, leftInStore: limit, endsAt: 0, waiting: [], drawing: false };
    shares.set(key, share);
    return share;
  }

  const answer = (share: Share): Allowance => {
    const allowed = share.drawn > 0;
    if (allowed) share.drawn -= 1;
    const resetMs = Math.max(0, share.endsAt - Date.now());
    return { allowed, limit: share.limit, remaining: share.drawn + share.leftInStore, resetMs };
  };

  async function draw(key: string, share: Share): Promise<void> {
    share.drawing = true;
    while (share.waiting.length > 0) {
      const { limit, waiting } = share;
      share.waiting = [];
      const wanted = Math.max(1, Math.floor(limit / DRAWS_A_WINDOW), waiting.length);
      try {
        const { consumedPoints, msBeforeNext } = await counter.consume(key, wanted);
        share.drawn = Math.min(wanted, Math.max(0, limit - (consumedPoints - wanted)));
        share.leftInStore = Math.max(0, limit - consumedPoints);
        share.endsAt = Date.now() + msBeforeNext;
        for (const { resolve } of waiting) resolve(answer(share));
      } catch (error) {
        for (const { reject } of waiting) reject(error);
      }
    }
    share.drawing = false;
  }

  return {
    get size() {
      return shares.size;
    },
    consume(key, limit) {
      const share = shareOf(key, limit);
      if (Date.now() >= share.endsAt) {
        share.drawn = 0;
        share.leftInStore = limit;
      }
      if (share.drawn > 0 || share.leftInStore === 0) return Promise.resolve(answer(share));
      return new Promise((resolve, reject) => {
        share.waiting.push({ resolve, reject });
        if (!share.drawing) void draw(key, share);
      });
    },
  };
}

/** The most points a counter can hold: limits that differ by merchant are compared outside. */
const NO_LIMIT = 2_147_483_647;

type CounterOptions = {
  /** Keeps it apart from other counters. */
  name: string;
  /** `consume` passes up to this number; {@link NO_LIMIT} when the caller compares. */
  points: number;
  /** How long a window lasts from its first point, in seconds. */
  windowSeconds: number;
};

/**
 * A counter in PostgreSQL, so that it holds across processes. Its table is UNLOGGED: a statement that writes nothing else
 * commits without waiting for the disk, as with `synchronous_commit` off. A crash of the database loses the counts.
 */
const createCounter = (pool: pg.Pool, { name, points, windowSeconds }: CounterOptions): RateLimiterPostgres =>
  new RateLimiterPostgres({
    // The library counts time in plain numbers; our pool would answer bigint.
    storeClient: { query: (query: pg.QueryConfig) => pool.query({ ...query, types: pg.types }) },
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: true,
    keyPrefix: name,
    points,
    duration: windowSeconds,
  });

/** The length of a window, in seconds: limits are in requests a minute. */
export const WINDOW_SECONDS = 60;
/** How many merchants and addresses one process keeps in memory. */
const MAX_CALLERS = 10_000;

/** The limiter of a process, over a counter that all processes share. */
export const createRequestLimiter = (pool: pg.Pool): RateLimiter =>
  createRateLimiter({
    counter: createCounter(pool, { name: "requests", points: NO_LIMIT, windowSeconds: WINDOW_SECONDS }),
    maxKeys: MAX_CALLERS,
  });

const DAY_SECONDS = 86_400;

/** Recipients that a merchant asked for and that do not exist, in a day from the first of them, over all processes. */
export const createUnknownRecipients = (pool: pg.Pool): RateLimiterPostgres =>
  createCounter(pool, { name: "unknown-recipient", points: NO_LIMIT, windowSeconds: DAY_SECONDS });

/** How long a failure counts, in seconds. */
const REMEMBER_SECONDS = 900;
/** The first wait, doubled with each further failure, and the longest, in seconds. */
const FIRST_WAIT_SECONDS = 1;
const LONGEST_WAIT_SECONDS = 60;
/** How many waits one process keeps in memory; the others are read from the database. */
const MAX_WAITS = 10_000;

export type FailedSecrets = {
  /** Failures in {@link REMEMBER_SECONDS}, over all processes. */
  counted: RateLimiterPostgres;
  /** The keys that must wait, over all processes. */
  waits: RateLimiterPostgres;
  /** Until when each key waits, as far as this process knows, in milliseconds since 1970. */
  known: LRUCache<string, number>;
};

export const createFailedSecrets = (pool: pg.Pool): FailedSecrets => ({
  counted: createCounter(pool, { name: "wrong-secret", points: NO_LIMIT, windowSeconds: REMEMBER_SECONDS }),
  waits: createCounter(pool, { name: "wrong-secret-wait", points: 1, windowSeconds: LONGEST_WAIT_SECONDS }),
  known: new LRUCache({ max: MAX_WAITS }),
});

/** How long a key waits after its n-th failure, in seconds; 0 for the first `free` ones. */
export const waitSeconds = (failed: number, free: number): number =>
  failed <= free ? 0 : Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** (failed - free - 1));

/** How long a key still has to wait, in milliseconds. */
export async function lockoutMs({ waits, known }: FailedSecrets, key: string): Promise<number> {
  const until = known.get(key) ?? 0;
  if (until > Date.now()) return until - Date.now();
  const wait = await waits.get(key);
  const ms = Math.max(0, wait?.msBeforeNext ?? 0);
  if (ms > 0) known.set(key, Date.now() + ms);
  return ms;
}

/** Counts a failure; beyond the first `free` ones the key waits. */
export async function countFailure(
  { counted, waits, known }: FailedSecrets,
  key: string,
  free: number,
): Promise<void> {
  const { consumedPoints } = await counted.penalty(key);
  const seconds = waitSeconds(consumedPoints, free);
  if (seconds === 0) return;
  known.set(key, Date.now() + seconds * 1000);
  await waits.block(key, seconds);
}
