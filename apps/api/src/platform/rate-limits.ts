import { ErrorCode } from "@tillgate/contract";
import { LRUCache } from "lru-cache";
import pg from "pg";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { OperationError } from "../errors.js";

/** Approximate maximum of database draws per key in a one-minute window. With a higher limit, tokens are drawn in blocks. */
const DRAWS_PER_WINDOW = 600;

export type Allowance = {
  allowed: boolean;
  /** Requests per window. */
  limit: number;
  /** Requests left in this window, as far as this process knows. */
  remaining: number;
  resetMs: number;
};

/** Returns the time until the window ends, in whole seconds, at least one. */
export const toResetSeconds = ({ resetMs }: Allowance): number => Math.max(1, Math.ceil(resetMs / 1000));

/** @throws OperationError TooManyRequests if the request exceeds the limit. */
export function requireAllowed(allowance: Allowance): void {
  if (!allowance.allowed)
    throw new OperationError(ErrorCode.TooManyRequests, { retryAfterSeconds: toResetSeconds(allowance) });
}

export type RateLimiter = {
  /** Consumes one of the `limit` requests that `key` may make in each window of one minute. */
  consume(key: string, limit: number): Promise<Allowance>;
  /** Number of keys in memory. */
  readonly size: number;
};

/** A counter that all processes share. `consume` returns the total consumed in the window, including the given points. */
export type SharedCounter = {
  consume(key: string, points: number): Promise<{ consumedPoints: number; msBeforeNext: number }>;
};

type Waiter = { resolve: (allowance: Allowance) => void; reject: (error: unknown) => void };

/** A process's share of one key: the tokens it has drawn, and those left in the shared counter. */
type Share = {
  limit: number;
  drawn: number;
  leftInStore: number;
  endsAt: number;
  waiting: Waiter[];
  drawing: boolean;
};

/**
 * Creates a rate limiter. It draws tokens from a shared counter in blocks of max(1, limit ÷ 600) or the number of waiting requests, whichever is
 * larger. Limits up to 1,199 are therefore exact. Once the counter is used up, requests are rejected from memory until the window ends.
 */
export function createRateLimiter({
  counter,
  maxKeys,
}: {
  counter: SharedCounter;
  maxKeys: number;
}): RateLimiter {
  const shares = new LRUCache<string, Share>({ max: maxKeys });

  function getShare(key: string, limit: number): Share {
    const existing = shares.get(key);
    // After a limit change, the key starts over from the shared counter.
    if (existing?.limit === limit) return existing;
    const share = { limit, drawn: 0, leftInStore: limit, endsAt: 0, waiting: [], drawing: false };
    shares.set(key, share);
    return share;
  }

  const takeAllowance = (share: Share): Allowance => {
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
      const blockSize = Math.max(1, Math.floor(limit / DRAWS_PER_WINDOW), waiting.length);
      try {
        const { consumedPoints, msBeforeNext } = await counter.consume(key, blockSize);
        share.drawn = Math.min(blockSize, Math.max(0, limit - (consumedPoints - blockSize)));
        share.leftInStore = Math.max(0, limit - consumedPoints);
        share.endsAt = Date.now() + msBeforeNext;
        for (const { resolve } of waiting) resolve(takeAllowance(share));
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
      const share = getShare(key, limit);
      if (Date.now() >= share.endsAt) {
        share.drawn = 0;
        share.leftInStore = limit;
      }
      if (share.drawn > 0 || share.leftInStore === 0) return Promise.resolve(takeAllowance(share));
      return new Promise((resolve, reject) => {
        share.waiting.push({ resolve, reject });
        if (!share.drawing) void draw(key, share);
      });
    },
  };
}

/** Maximum of a counter whose points the caller compares with a limit, because limits differ by merchant. */
const NO_LIMIT = 2_147_483_647;

type CounterOptions = {
  /** Prefix of the keys, which separates this counter from other counters. */
  name: string;
  /** `consume` succeeds up to this number; {@link NO_LIMIT} if the caller compares the points with a limit. */
  points: number;
  /** Length of a window from its first point, in seconds. */
  windowSeconds: number;
};

/** Creates a counter that all processes share. Its table is UNLOGGED, so a crash of the database loses the counts. */
const createCounter = (pool: pg.Pool, { name, points, windowSeconds }: CounterOptions): RateLimiterPostgres =>
  new RateLimiterPostgres({
    // The library expects plain numbers, but our pool would return bigint.
    storeClient: { query: (query: pg.QueryConfig) => pool.query({ ...query, types: pg.types }) },
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: true,
    keyPrefix: name,
    points,
    duration: windowSeconds,
  });

/** Limits are in requests per minute. */
export const WINDOW_SECONDS = 60;
/** Merchants and addresses that one process keeps in memory. */
const MAX_CALLERS = 10_000;

export const createRequestLimiter = (pool: pg.Pool): RateLimiter =>
  createRateLimiter({
    counter: createCounter(pool, { name: "requests", points: NO_LIMIT, windowSeconds: WINDOW_SECONDS }),
    maxKeys: MAX_CALLERS,
  });

const DAY_SECONDS = 86_400;

/** Creates the counter of unknown recipients, which resets a day after the first of them. */
export const createUnknownRecipients = (pool: pg.Pool): RateLimiterPostgres =>
  createCounter(pool, { name: "unknown-recipient", points: NO_LIMIT, windowSeconds: DAY_SECONDS });

/** How long a failure counts. */
const REMEMBER_SECONDS = 900;
/** First and longest lockout. The duration doubles with each further failure. */
const FIRST_WAIT_SECONDS = 1;
const LONGEST_WAIT_SECONDS = 60;
/** Lockouts that one process keeps in memory; other lockouts are read from the database. */
const MAX_LOCKOUTS = 10_000;

export type FailedSecrets = {
  /** Failures in {@link REMEMBER_SECONDS}, across all processes. */
  counted: RateLimiterPostgres;
  /** Locked-out keys, across all processes. */
  waits: RateLimiterPostgres;
  /** End of each key's lockout, as far as this process knows, in milliseconds since 1970. */
  known: LRUCache<string, number>;
};

export const createFailedSecrets = (pool: pg.Pool): FailedSecrets => ({
  counted: createCounter(pool, { name: "wrong-secret", points: NO_LIMIT, windowSeconds: REMEMBER_SECONDS }),
  waits: createCounter(pool, { name: "wrong-secret-wait", points: 1, windowSeconds: LONGEST_WAIT_SECONDS }),
  known: new LRUCache({ max: MAX_LOCKOUTS }),
});

/** Returns the duration of the lockout after a key's n-th failure, in seconds; 0 for the first `free` failures. */
export const waitSeconds = (failed: number, free: number): number =>
  failed <= free ? 0 : Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** (failed - free - 1));

export async function getLockoutMs({ waits, known }: FailedSecrets, key: string): Promise<number> {
  const until = known.get(key) ?? 0;
  if (until > Date.now()) return until - Date.now();
  const wait = await waits.get(key);
  const ms = Math.max(0, wait?.msBeforeNext ?? 0);
  if (ms > 0) known.set(key, Date.now() + ms);
  return ms;
}

/** Counts a failure. After the first `free` failures, each further failure locks the key out. */
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
