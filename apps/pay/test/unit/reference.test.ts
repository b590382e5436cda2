import { describe, expect, it } from "vitest";
import { containsReference } from "../../src/views/summary";

describe("containsReference", () => {
  it.each([
    ["Order 109", "109"],
    ["#109: two mugs", "109"],
    ["Rechnung RE-7/b", "re-7/B"],
    ["1099, 109", "109"],
    ["Bestellung Ärger-1", "ärger-1"],
  ])("is true for the description '%s' and the reference %s", (description, reference) => {
    expect(containsReference(description, reference)).toBe(true);
  });

  it.each([
    ["Order 1099", "109"],
    ["Order 2109", "109"],
    ["Order é109", "109"],
    ["Two mugs", "109"],
    [null, "109"],
    ["", "109"],
  ])("is false for the description '%s' and the reference %s", (description, reference) => {
    expect(containsReference(description, reference)).toBe(false);
  });

  it("is true for a blank reference", () => {
    expect(containsReference(null, " ")).toBe(true);
  });
});
