import { PAGE_BACKGROUNDS } from "@tillgate/contract";
import { converter } from "culori";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  contrastRatio,
  getAccentShades,
  pickTextColor,
  SHAPE_CONTRAST,
  TEXT_CONTRAST,
} from "../../../src/checkout/branding.js";

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);

describe("contrast", () => {
  it("follows WCAG: from 1 for equal colours to 21 for black on white, in either order", () => {
    expect(contrastRatio("#000000", "#ffffff")).toBeCloseTo(21, 10);
    expect(contrastRatio("#ffffff", "#000000")).toBeCloseTo(21, 10);
    expect(contrastRatio("#c2410c", "#c2410c")).toBe(1);
    // The lightest grey on which white text passes, and the next lighter grey.
    expect(contrastRatio("#767676", "#ffffff")).toBeGreaterThanOrEqual(4.5);
    expect(contrastRatio("#777777", "#ffffff")).toBeLessThan(4.5);
  });
});

describe("text colour on an accent", () => {
  it("is readable on every colour", () => {
    fc.assert(
      fc.property(colour, (accent) => {
        expect(contrastRatio(accent, pickTextColor(accent))).toBeGreaterThanOrEqual(TEXT_CONTRAST);
      }),
      { numRuns: 2_000 },
    );
    expect([
      pickTextColor("#000000"),
      pickTextColor("#c2410c"),
      pickTextColor("#ffe000"),
      pickTextColor("#ffffff"),
    ]).toEqual(["#ffffff", "#ffffff", "#000000", "#000000"]);
  });
});

describe("accent colour", () => {
  const kinds = ["light", "dark"] as const;
  const hueOf = (hex: string) => converter("oklch")(hex)?.h ?? 0;

  it.each(["#c2410c", "#0d7f77", "#2563eb", "#7a7a7a"])(
    "is unchanged if it is visible on all backgrounds: %s",
    (accent) => {
      const { light, dark } = getAccentShades(accent);
      expect([light.color, dark.color]).toEqual([accent, accent]);
    },
  );

  it.each([
    ["#ffe000", "light", "dark"],
    ["#9db2ff", "light", "dark"],
    ["#1e3a8a", "dark", "light"],
    ["#000000", "dark", "light"],
  ] as const)("%s is shifted on %s pages only, no further than necessary", (accent, shifted, kept) => {
    const shades = getAccentShades(accent);
    expect(shades[kept].color).toBe(accent);
    const worst = Math.min(
      ...PAGE_BACKGROUNDS[shifted].map((page) => contrastRatio(shades[shifted].color, page)),
    );
    expect(worst).toBeGreaterThanOrEqual(SHAPE_CONTRAST);
    expect(worst).toBeLessThan(SHAPE_CONTRAST + 0.1);
  });

  it.each(["#ffe000", "#1e3a8a", "#39ff14", "#ff69b4"])("keeps its hue within 8 degrees: %s", (accent) => {
    for (const kind of kinds) {
      const turned = Math.abs(hueOf(getAccentShades(accent)[kind].color) - hueOf(accent));
      expect(Math.min(turned, 360 - turned)).toBeLessThan(8);
    }
  });

  it("is visible with readable text on every background of light and dark pages, for any colour", () => {
    fc.assert(
      fc.property(colour, (accent) => {
        const shades = getAccentShades(accent);
        for (const kind of kinds) {
          const { color, text } = shades[kind];
          for (const page of PAGE_BACKGROUNDS[kind])
            expect(contrastRatio(color, page)).toBeGreaterThanOrEqual(SHAPE_CONTRAST);
          expect(contrastRatio(color, text)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
        }
      }),
      { numRuns: 500 },
    );
  });
});
