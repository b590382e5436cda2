import type pg from "pg";
import { createCounter, NO_LIMIT } from "./counters.js";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.js";

/** The length of a window, in seconds: limits are in requests a minute. */
export const WINDOW_SECONDS = 60;
/** How many merchants and addresses one process keeps in memory. */
const MAX_KEYS = 10_000;

/** The limiter of a process, over a counter that all processes share. */
export const createRequestLimiter = (pool: pg.Pool): RateLimiter =>
  createRateLimiter({
    counter: createCounter(pool, { name: "requests", points: NO_LIMIT, windowSeconds: WINDOW_SECONDS }),
    maxKeys: MAX_KEYS,
  });
