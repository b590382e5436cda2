import { describe, expect, it } from "vitest";
import { ClockWatch, clockWarning } from "../../src/health/clocks.js";
import { toOperation } from "../../src/store/observed-call.js";

describe("ClockWatch", () => {
  it("uses the latest valid Date header", () => {
    const clocks = new ClockWatch(() => Date.parse("2026-11-21T12:00:00Z"));
    expect(clocks.differences()).toEqual({});
    clocks.observe("store", "Sat, 21 Nov 2026 12:10:00 GMT");
    clocks.observe("tillgate", "Sat, 21 Nov 2026 11:50:00 GMT");
    clocks.observe("store", "yesterday");
    clocks.observe("tillgate", null);
    expect(clocks.differences()).toEqual({ store: 600, tillgate: -600 });
  });

  it("tracks a server's time between responses even if this machine's clock is changed", () => {
    let [system, monotonic] = [Date.parse("2026-11-21T12:00:00Z"), 5_000];
    const clocks = new ClockWatch(
      () => system,
      () => monotonic,
    );
    expect(clocks.nowMs("tillgate")).toBe(system);
    clocks.observe("tillgate", "Sat, 21 Nov 2026 14:00:00 GMT");
    system -= 3_600_000;
    monotonic += 30_000;
    expect(new Date(clocks.nowMs("tillgate")).toISOString()).toBe("2026-11-21T14:00:30.000Z");
    expect(clocks.nowMs("store")).toBe(system);
    expect(clocks.differences()).toEqual({ tillgate: 3 * 3_600 + 30 });
  });

  it.each([
    [{}, null],
    [{ store: 119, tillgate: -119 }, null],
    [{ store: 120 }, /^The shop’s clock is 2 minutes ahead of the connector’s/],
    [{ store: -120 }, /^The shop’s clock is 2 minutes behind the connector’s/],
    [{ tillgate: 120, store: 0 }, /^Tillgate’s clock is 2 minutes ahead of/],
    [
      { store: 600, tillgate: 605 },
      /^The connector’s clock is off by 605 s: it is 10 minutes behind the shop’s and Tillgate’s/,
    ],
    [{ store: -600, tillgate: -605 }, /^The connector’s clock is off by 605 s: it is 10 minutes ahead of/],
    [{ store: 600, tillgate: -600 }, /shop’s clock .* ahead of .*\. Tillgate’s clock is 10 minutes behind/],
  ])("warns only if a clock differs by at least 2 minutes: %j", (differences, words) => {
    const warning = clockWarning(differences);
    if (words === null) expect(warning).toBeNull();
    else expect(warning).toMatch(words);
  });
});

it.each([
  ["get", "orders", "GET orders"],
  ["GET", "orders/POS-20261121-ABC234", "GET orders/{id}"],
  ["post", "orders/12/refunds", "POST orders/{id}/refunds"],
  ["POST", "orders/POS-20261121-ABC234/cancel", "POST orders/{id}/cancel"],
])("operations are named without IDs: %s %s", (method, path, operation) => {
  expect(toOperation(method, path)).toBe(operation);
});
