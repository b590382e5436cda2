import { describe, expect, it } from "vitest";
import { ClockWatch, clockWarning } from "../../src/health/clocks.js";
import { operationOf } from "../../src/health/observed-calls.js";

describe("clocks", () => {
  it("are compared by the Date header of the newest answer, and one that is none is passed over", () => {
    const clocks = new ClockWatch(() => Date.parse("2026-11-21T12:00:00Z"));
    expect(clocks.differences()).toEqual({});
    clocks.observe("store", "Sat, 21 Nov 2026 12:10:00 GMT");
    clocks.observe("tillgate", "Sat, 21 Nov 2026 11:50:00 GMT");
    clocks.observe("store", "yesterday");
    clocks.observe("tillgate", null);
    expect(clocks.differences()).toEqual({ store: 600, tillgate: -600 });
  });

  it.each([
    [{}, null],
    [{ store: 119, tillgate: -119 }, null],
    [{ store: 120 }, /^The store's clock is 2 minutes ahead of the connector's/],
    [{ store: -120 }, /^The store's clock is 2 minutes behind the connector's/],
    [{ tillgate: 120, store: 0 }, /^Tillgate's clock is 2 minutes ahead of/],
    [{ store: 600, tillgate: 605 }, /^The clock of the connector's machine is 10 minutes behind/],
    [{ store: -600, tillgate: -605 }, /^The clock of the connector's machine is 10 minutes ahead of/],
    [{ store: 600, tillgate: -600 }, /store's clock .* ahead of .*; Tillgate's clock is 10 minutes behind/],
  ])("%j are said in words", (differences, words) => {
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
])("an operation is counted without its ids: %s %s", (method, path, operation) => {
  expect(operationOf(method, path)).toBe(operation);
});
