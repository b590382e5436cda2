import { PAGE_GROUNDS } from "@tillgate/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkAccent,
  contrast,
  SHAPE_CONTRAST,
  TEXT_CONTRAST,
  textOn,
} from "../../../src/operations/branding/accent.js";

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);

describe("contrast", () => {
  it("is WCAG's: from 1 for a colour on itself to 21 for black on white, in either order", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 10);
    expect(contrast("#ffffff", "#000000")).toBeCloseTo(21, 10);
    expect(contrast("#c2410c", "#c2410c")).toBe(1);
    // The grey at which white text just passes, and the next lighter one at which it does not.
    expect(contrast("#767676", "#ffffff")).toBeGreaterThanOrEqual(4.5);
    expect(contrast("#777777", "#ffffff")).toBeLessThan(4.5);
  });
});

describe("the text on an accent", () => {
  it("is readable on any colour there is", () => {
    fc.assert(
      fc.property(colour, (accent) => {
        expect(contrast(accent, textOn(accent))).toBeGreaterThanOrEqual(TEXT_CONTRAST);
      }),
      { numRuns: 2_000 },
    );
    expect([textOn("#000000"), textOn("#c2410c"), textOn("#ffe000"), textOn("#ffffff")]).toEqual([
      "#ffffff",
      "#ffffff",
      "#000000",
      "#000000",
    ]);
  });
});

describe("an accent colour", () => {
  const grounds = [...PAGE_GROUNDS.light, ...PAGE_GROUNDS.dark];

  it.each(["#c2410c", "#0d7f77", "#2563eb", "#7a7a7a"])("%s shows on light and dark pages", (accent) => {
    expect(checkAccent(accent)).toBeNull();
  });

  it.each([
    ["#ffe000", "light"],
    ["#ffffff", "light"],
    ["#9db2ff", "light"],
    ["#1e3a8a", "dark"],
    ["#000000", "dark"],
  ] as const)(
    "%s is refused for the %s page, with its ratio and a shade that can be used",
    (accent, ground) => {
      const fault = checkAccent(accent);
      expect(fault?.ground).toBe(ground);
      expect(fault?.ratio).toBeCloseTo(
        Math.min(...PAGE_GROUNDS[ground].map((page) => contrast(accent, page))),
        10,
      );
      expect(checkAccent(fault?.nearest ?? "")).toBeNull();
    },
  );

  it("is accepted exactly when it has 3:1 to every ground, and every refused one has a shade that is accepted", () => {
    fc.assert(
      fc.property(colour, (accent) => {
        const fault = checkAccent(accent);
        expect(fault === null).toBe(grounds.every((page) => contrast(accent, page) >= SHAPE_CONTRAST));
        if (fault) expect(checkAccent(fault.nearest)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });
});
