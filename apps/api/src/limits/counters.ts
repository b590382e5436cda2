import pg from "pg";
import { RateLimiterPostgres } from "rate-limiter-flexible";

/** The most points a counter can hold: limits that differ by merchant are compared outside. */
export const NO_LIMIT = 2_147_483_647;

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
export const createCounter = (
  pool: pg.Pool,
  { name, points, windowSeconds }: CounterOptions,
): RateLimiterPostgres =>
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
