import { PAGE_GROUNDS } from "@tillgate/contract";

/** WCAG 2: what text needs at least, and what a button or line needs to stand out from its ground. */
export const TEXT_CONTRAST = 4.5;
export const SHAPE_CONTRAST = 3;

const WHITE = "#ffffff";
const BLACK = "#000000";

/** Red, green and blue from 0 to 255. */
type Colour = readonly [number, number, number];

const read = (hex: string): Colour => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];
const write = (colour: Colour): string =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** WCAG's relative luminance, 0 for black to 1 for white. */
function luminance(hex: string): number {
  const [red, green, blue] = read(hex).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** WCAG's contrast of two colours `#rrggbb`, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The text colour for an accent: white or black, whichever reads better; always above {@link TEXT_CONTRAST}. */
export const textOn = (accent: string): string =>
  contrast(accent, WHITE) >= contrast(accent, BLACK) ? WHITE : BLACK;

/** What is wrong with an accent colour: on which ground it does not show, and the nearest colour that does everywhere. */
export type AccentFault = { ground: "light" | "dark"; ratio: number; nearest: string };

const STEPS = 256;

/** The worst contrast to the grounds of one kind. */
const worst = (accent: string, ground: AccentFault["ground"]): number =>
  Math.min(...PAGE_GROUNDS[ground].map((page) => contrast(accent, page)));

/**
 * Whether an accent colour can be used: text on it is readable, and it shows on the page's light and dark grounds. A colour
 * that does not is refused, not changed: a merchant's colour is its own decision.
 * @param accent `#rrggbb`.
 * @returns null when it can, else the ground it fails on with its ratio, and the nearest shade that can be used.
 */
export function checkAccent(accent: string): AccentFault | null {
  const ratios = { light: worst(accent, "light"), dark: worst(accent, "dark") };
  const ground = ratios.light < SHAPE_CONTRAST ? "light" : ratios.dark < SHAPE_CONTRAST ? "dark" : null;
  if (ground === null) return null;
  const towards = read(ground === "light" ? BLACK : WHITE);
  for (let step = 1; step <= STEPS; step += 1) {
    const [red, green, blue] = read(accent);
    const mix = (from: number, to: number) => from + ((to - from) * step) / STEPS;
    const shade = write([mix(red, towards[0]), mix(green, towards[1]), mix(blue, towards[2])]);
    if (worst(shade, "light") >= SHAPE_CONTRAST && worst(shade, "dark") >= SHAPE_CONTRAST)
      return { ground, ratio: ratios[ground], nearest: shade };
  }
  throw new Error("the page's grounds leave no accent colour");
}
