import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeRetryDelayMs, RETRY_STEPS_MS } from "../../../src/events/outbox/retry-schedule.js";

const HOUR_MS = 3_600_000;

describe("retry schedule", () => {
  it("has ten retries over about 76 hours", () => {
    expect(RETRY_STEPS_MS).toHaveLength(10);
    const hours = RETRY_STEPS_MS.reduce((sum, step) => sum + step, 0) / HOUR_MS;
    expect(hours).toBeGreaterThan(75);
    expect(hours).toBeLessThan(77);
  });

  it("waits the attempt's step ± 20 % after each attempt, and ends after the eleventh attempt", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempts, random) => {
          const step = RETRY_STEPS_MS[attempts - 1] ?? 0;
          const delay = computeRetryDelayMs({ attempts, random }) ?? 0;
          expect(delay).toBeGreaterThanOrEqual(step * 0.8);
          expect(delay).toBeLessThanOrEqual(step * 1.2);
        },
      ),
    );
    expect(computeRetryDelayMs({ attempts: 1, random: 0 })).toBe(8_000);
    expect(computeRetryDelayMs({ attempts: 11 })).toBeNull();
  });

  it("honours Retry-After up to twice the step, and does not wait less than without that header", () => {
    const wait = (retryAfterMs: number) => computeRetryDelayMs({ attempts: 2, retryAfterMs, random: 0.5 });
    expect(wait(0)).toBe(60_000);
    expect(wait(30_000)).toBe(60_000);
    expect(wait(90_000)).toBe(90_000);
    expect(wait(HOUR_MS)).toBe(120_000);
    expect(computeRetryDelayMs({ attempts: 11, retryAfterMs: 1_000 })).toBeNull();
  });
});
