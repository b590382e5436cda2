import { type AccentShade, type CheckoutAccent, PAGE_GROUNDS } from "@tillgate/contract";
import { converter, formatHex, toGamut, wcagContrast } from "culori";
import { LRUCache } from "lru-cache";

/** WCAG 2: the least contrast of text, and of a button or line against its background. */
export const TEXT_CONTRAST = 4.5;
export const SHAPE_CONTRAST = 3;

const WHITE = "#ffffff";
const BLACK = "#000000";

const toOklch = converter("oklch");
/** The nearest colour that a screen can show, by CSS Color 4. */
const inGamut = toGamut("rgb", "oklch");
/** Halvings of the way to white or black: below one step of a screen's 256. */
const HALVINGS = 12;

/** WCAG's contrast of two colours `#rrggbb`, from 1 to 21. */
export const contrast = (one: string, other: string): number => wcagContrast(one, other);

/** The text colour for an accent: white or black, whichever reads better; always above {@link TEXT_CONTRAST}. */
export const textOn = (accent: string): string =>
  contrast(accent, WHITE) >= contrast(accent, BLACK) ? WHITE : BLACK;

type Ground = keyof typeof PAGE_GROUNDS;

const shows = (colour: string, ground: Ground): boolean =>
  PAGE_GROUNDS[ground].every((page) => contrast(colour, page) >= SHAPE_CONTRAST);

/**
 * A merchant's colour on one kind of page: its own if it shows there, else the nearest shade that does. Only the lightness
 * changes, in OKLCH, where a colour keeps its hue to the eye.
 */
function shadeFor(accent: string, ground: Ground): AccentShade {
  if (shows(accent, ground)) return { color: accent, text: textOn(accent) };
  const colour = toOklch(accent);
  if (colour === undefined) throw new Error(`${accent} is no colour`);
  const shade = (lightness: number) => formatHex(inGamut({ ...colour, l: lightness })) ?? accent;
  let [works, fails] = [ground === "light" ? 0 : 1, colour.l];
  for (let step = 0; step < HALVINGS; step += 1) {
    const lightness = (works + fails) / 2;
    if (shows(shade(lightness), ground)) works = lightness;
    else fails = lightness;
  }
  const color = shade(works);
  return { color, text: textOn(color) };
}

/** Every view of a payment page asks for its merchant's shades, which are searched for. */
const shades = new LRUCache<string, CheckoutAccent>({
  max: 1_000,
  memoMethod: (accent) => ({ light: shadeFor(accent, "light"), dark: shadeFor(accent, "dark") }),
});

/**
 * How a merchant's accent colour appears on light and on dark pages: button and text on it.
 * @param accent `#rrggbb`, the merchant's own, which stays as it is.
 */
export const shadesOf = (accent: string): CheckoutAccent => shades.memo(accent);

/** How a colour appears on one kind of page, for the merchant who chooses it. */
export type ShownAccent = AccentShade & {
  /** Of the button's text on the colour that is shown. */
  textContrast: number;
  /** Of the merchant's own colour with the page: below {@link SHAPE_CONTRAST} another shade is shown. */
  ownContrast: number;
};

/** How an accent colour appears, and why. @param accent `#rrggbb`. */
export function previewAccent(accent: string): Record<Ground, ShownAccent> {
  const shown = shadesOf(accent);
  const on = (ground: Ground): ShownAccent => ({
    ...shown[ground],
    textContrast: contrast(shown[ground].color, shown[ground].text),
    ownContrast: Math.min(...PAGE_GROUNDS[ground].map((page) => contrast(accent, page))),
  });
  return { light: on("light"), dark: on("dark") };
}
