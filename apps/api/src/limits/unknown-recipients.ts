import type pg from "pg";
import type { RateLimiterPostgres } from "rate-limiter-flexible";
import { createCounter, NO_LIMIT } from "./counters.js";

const DAY_SECONDS = 86_400;

/** Recipients that a merchant asked for and that do not exist, in a day from the first of them, over all processes. */
export const createUnknownRecipients = (pool: pg.Pool): RateLimiterPostgres =>
  createCounter(pool, { name: "unknown-recipient", points: NO_LIMIT, windowSeconds: DAY_SECONDS });
