import { setTimeout as delay } from "node:timers/promises";

const POLL_INTERVAL_MS = 200;

/** Polls until `poll` returns a value. An error that it throws counts as no value. @throws Error after the limit. */
export async function waitUntil<Found>(
  subject: string,
  limitMs: number,
  poll: () => Promise<Found | undefined>,
): Promise<Found> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await poll().catch(() => undefined);
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`${subject}: timed out after ${limitMs / 1_000} s`);
    await delay(POLL_INTERVAL_MS);
  }
}
