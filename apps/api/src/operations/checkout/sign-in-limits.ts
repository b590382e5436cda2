import { createHash } from "node:crypto";
import { type RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Context } from "../../context.js";
import { clientNetwork } from "../../limits/client-network.js";
import { createCounter } from "../../limits/counters.js";
import { OperationError, Refusal } from "../errors.js";

type Limits = { byAddress: RateLimiterPostgres; pins: RateLimiterPostgres };

const limitsOf = new WeakMap<Context, Limits>();

/** The counters live in PostgreSQL, so that they hold across processes. */
function limits(context: Context): Limits {
  const known = limitsOf.get(context);
  if (known) return known;
  const { config } = context;
  const made = {
    byAddress: createCounter(context, { name: "sign-in", points: config.signInsAMinute, windowSeconds: 60 }),
    pins: createCounter(context, {
      name: "pin",
      points: config.wrongPinsUntilLock,
      windowSeconds: config.pinLockSeconds,
    }),
  };
  limitsOf.set(context, made);
  return made;
}

/** What was typed is not kept in clear, and any length fits. */
const keyOf = (subject: string) => createHash("sha256").update(subject).digest("base64url");

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const retryAfterSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw new OperationError(Refusal.TooManyAttempts, { retryAfterSeconds });
  }
}

/** Counts a sign-in of a client address. @throws OperationError TooManyAttempts. */
export const spendSignIn = (context: Context, clientAddress: string): Promise<void> =>
  consume(limits(context).byAddress, keyOf(clientNetwork(clientAddress)));

/**
 * Counts a PIN before it is looked at, so that guesses in parallel cannot pass the limit together.
 * @throws OperationError TooManyAttempts while the wallet is locked.
 */
export const spendPin = (context: Context, subject: string): Promise<void> =>
  consume(limits(context).pins, keyOf(subject));

/** The PIN was right: the wallet starts counting anew. */
export async function forgetSpentPins(context: Context, subject: string): Promise<void> {
  await limits(context).pins.delete(keyOf(subject));
}
