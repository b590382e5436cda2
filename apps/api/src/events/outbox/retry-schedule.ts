const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays in milliseconds after each failed attempt. */
export const RETRY_STEPS_MS: readonly number[] = [
  10 * SECOND,
  60 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Each delay is randomly up to this fraction shorter or longer, so that retries spread out. */
const JITTER = 0.2;
/** A receiver's Retry-After can lengthen a step to at most this multiple of it. */
const RETRY_AFTER_STEPS = 2;

type NextDelayOptions = {
  /** Number of attempts, including the attempt that just failed. */
  attempts: number;
  retryAfterMs?: number | undefined;
  /** A number in [0, 1). */
  random?: number;
};

/**
 * Returns the delay before the next attempt, in milliseconds; null if retries are exhausted. A receiver's Retry-After can lengthen the delay to at
 * most twice the scheduled step, but never shortens it.
 */
export function computeRetryDelayMs({
  attempts,
  retryAfterMs = 0,
  random = Math.random(),
}: NextDelayOptions): number | null {
  const step = RETRY_STEPS_MS[attempts - 1];
  if (step === undefined) return null;
  const jittered = step * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, step * RETRY_AFTER_STEPS)));
}
