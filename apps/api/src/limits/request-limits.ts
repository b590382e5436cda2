import type { Mode } from "@tillgate/contract";
import type { Context } from "../context.js";
import { clientNetwork } from "./client-network.js";
import { createCounter, NO_LIMIT } from "./counters.js";
import { type Allowance, createRateLimiter, type RateLimiter } from "./rate-limiter.js";

/** How long a window lasts, in seconds: limits are told in requests a minute. */
export const WINDOW_SECONDS = 60;
/** How many merchants and addresses one process keeps in memory. */
const MAX_KEYS = 10_000;

const limiters = new WeakMap<Context["database"], RateLimiter>();

/** The limiter of this process: its memory lasts as long as its database pool. */
export function limiterOf(context: Pick<Context, "database">): RateLimiter {
  const known = limiters.get(context.database);
  if (known) return known;
  const counter = createCounter(context, {
    name: "requests",
    points: NO_LIMIT,
    windowSeconds: WINDOW_SECONDS,
  });
  const made = createRateLimiter({ counter, maxKeys: MAX_KEYS });
  limiters.set(context.database, made);
  return made;
}

/** Whose requests are counted together, and the merchant's own limit, if an administrator gave one. */
export type LimitedCaller = { merchantId: string; mode: Mode; requestsAMinute: number | null };

/** Counts a request of a merchant in one mode to one API (the wire contract's rate limits). */
export const spendRequest = (
  context: Context,
  api: "pay" | "partner",
  { merchantId, mode, requestsAMinute }: LimitedCaller,
): Promise<Allowance> => {
  const { payRequestsAMinute, partnerRequestsAMinute } = context.config;
  const standard = api === "pay" ? payRequestsAMinute : partnerRequestsAMinute;
  return limiterOf(context).spend(`${api}:${mode}:${merchantId}`, requestsAMinute ?? standard);
};

/** Test events a minute of one merchant and mode: each makes this service call an address of the caller's choice. */
export const WEBHOOK_TESTS_A_MINUTE = 10;

/** Counts a test event of a merchant in one mode. */
export const spendWebhookTest = (
  context: Context,
  { merchantId, mode }: Pick<LimitedCaller, "merchantId" | "mode">,
): Promise<Allowance> =>
  limiterOf(context).spend(`webhook test:${mode}:${merchantId}`, WEBHOOK_TESTS_A_MINUTE);

/** Counts a request of a client address to the token endpoint. */
export const spendTokenRequest = (context: Context, clientAddress: string): Promise<Allowance> =>
  limiterOf(context).spend(`token:${clientNetwork(clientAddress)}`, context.config.tokensAMinute);
