const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits after the first failed attempt, the second, … in milliseconds: the wire contract's webhook promises. */
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

/** The random part of a wait, both ways, so that receivers do not get everything at once. */
const JITTER = 0.2;
/** A receiver may ask for at most this many times the step. */
const RETRY_AFTER_STEPS = 2;

type NextDelayOptions = {
  /** Attempts made so far, the one that just failed included. */
  attempts: number;
  /** What the receiver asked for, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** A number from 0 to below 1. */
  random?: number;
};

/**
 * How long to wait before the next attempt, in milliseconds; null when there is none left. A receiver's Retry-After
 * can lengthen the wait up to twice the step, never shorten it.
 */
export function nextDelayMs({
  attempts,
  retryAfterMs = 0,
  random = Math.random(),
}: NextDelayOptions): number | null {
  const step = RETRY_STEPS_MS[attempts - 1];
  if (step === undefined) return null;
  const jittered = step * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, step * RETRY_AFTER_STEPS)));
}
