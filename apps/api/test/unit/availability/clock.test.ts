import { HEALTH_LIMITS } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { watchClock } from "../../../src/platform/availability.js";

const NOW = Date.parse("2026-11-21T10:00:00Z");

function createClock() {
  const logged: string[] = [];
  const clock = watchClock({ warn: () => logged.push("off"), info: () => logged.push("right") });
  /** Records a database response that took `tookMs` while this process's clock was `aheadMs` ahead. */
  const observe = (aheadMs: number, tookMs = 0) =>
    clock.record(new Date(NOW + tookMs / 2), NOW + aheadMs, NOW + aheadMs + tookMs);
  return { clock, logged, observe };
}

describe("watchClock", () => {
  it.each([
    { aheadMs: HEALTH_LIMITS.clockOffsetMs, isOff: false },
    { aheadMs: HEALTH_LIMITS.clockOffsetMs + 1, isOff: true },
    { aheadMs: -HEALTH_LIMITS.clockOffsetMs, isOff: false },
    { aheadMs: -HEALTH_LIMITS.clockOffsetMs - 1, isOff: true },
  ])("sets isOff to $isOff at a clock offset of $aheadMs ms", ({ aheadMs, isOff }) => {
    const { clock, logged, observe } = createClock();
    observe(aheadMs, 40);
    expect(clock).toMatchObject({ offsetMs: aheadMs, isOff });
    expect(logged).toEqual(isOff ? ["off"] : []);
  });

  it("logs once when the clock goes wrong, and once when it is correct again", () => {
    const { logged, observe } = createClock();
    for (const aheadMs of [0, 60_000, 61_000, 62_000, 1, 2]) observe(aheadMs);
    expect(logged).toEqual(["off", "right"]);
  });

  it("ignores responses slower than 2 seconds and responses during which the clock was set back", () => {
    const { clock, observe } = createClock();
    expect(clock).toMatchObject({ offsetMs: undefined, isOff: false });
    observe(60_000, 2_001);
    observe(60_000, -1);
    expect(clock).toMatchObject({ offsetMs: undefined, isOff: false });
    observe(60_000, 2_000);
    expect(clock.isOff).toBe(true);
  });
});
