import { LRUCache } from "lru-cache";
import type pg from "pg";
import type { RateLimiterPostgres } from "rate-limiter-flexible";
import { createCounter, NO_LIMIT } from "./counters.js";

/** How long a failure counts, in seconds. */
const REMEMBER_SECONDS = 900;
/** The first wait, doubled with each further failure, and the longest, in seconds. */
const FIRST_WAIT_SECONDS = 1;
const LONGEST_WAIT_SECONDS = 60;
/** How many waits one process keeps in memory; the others are read from the database. */
const MAX_KEYS = 10_000;

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
  known: new LRUCache({ max: MAX_KEYS }),
});

/** How long a key waits after its n-th failure, in seconds; 0 for the first `free` ones. */
export const waitSeconds = (failed: number, free: number): number =>
  failed <= free ? 0 : Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** (failed - free - 1));

/** How long a key still has to wait, in milliseconds. */
export async function pendingMs({ waits, known }: FailedSecrets, key: string): Promise<number> {
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
