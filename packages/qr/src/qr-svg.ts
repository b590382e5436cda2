import { qrModules } from "./qr-modules.js";

/** The quiet zone that the QR standard asks for around the code, in modules. */
export const QUIET_ZONE_MODULES = 4;
const MAXIMUM_MARGIN_MODULES = 32;

export type QrSvgOptions = {
  /** What the picture is, for people who do not see it. Default: "QR code". */
  title?: string;
  /** Width and height in CSS pixels. Without it the picture fills the space that the page gives it. */
  size?: number;
  /** Quiet zone in modules, default 4. Smaller only where the page itself leaves white around the code. */
  margin?: number;
};

/**
 * Draws text as a QR code: one inline SVG element, usable in a page under a strict content security policy (no style,
 * script or reference) or as a separate file. Always dark on white, whatever the page's colour scheme: many phones do not
 * read an inverted code.
 * @throws QrError for an empty or too long text, RangeError for a size or margin out of range.
 */
export function qrSvg(data: string, options: QrSvgOptions = {}): string {
  const { title = "QR code", size, margin = QUIET_ZONE_MODULES } = options;
  if (!Number.isInteger(margin) || margin < 0 || margin > MAXIMUM_MARGIN_MODULES) {
    throw new RangeError(`The margin must be 0 to ${MAXIMUM_MARGIN_MODULES} whole modules.`);
  }
  if (size !== undefined && !(Number.isFinite(size) && size > 0)) {
    throw new RangeError("The size must be a number of pixels above zero.");
  }
  const { width, dark } = drawing(data, margin);
  const dimensions = size === undefined ? "" : ` width="${size}" height="${size}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${width}"${dimensions} role="img" shape-rendering="crispEdges">` +
    `<title>${escapeText(title)}</title>` +
    `<path fill="#fff" d="M0 0h${width}v${width}H0z"/>` +
    `<path fill="#000" d="${dark}"/>` +
    "</svg>"
  );
}

type Drawing = { width: number; dark: string };

/** A payment page is drawn again at every step and, without scripts, every few seconds; its code stays the same. */
const MAX_STORED_DRAWINGS = 200;
const storedDrawings = new Map<string, Drawing>();

function drawing(data: string, margin: number): Drawing {
  const key = `${margin} ${data}`;
  const stored = storedDrawings.get(key);
  if (stored !== undefined) return stored;
  const modules = qrModules(data);
  const dark = Array.from({ length: modules.size }, (_, row) =>
    darkRuns(modules.size, (column) => modules.isDark(row, column))
      .map(({ start, length }) => `M${start + margin} ${row + margin}h${length}v1h-${length}z`)
      .join(""),
  ).join("");
  const drawn = { width: modules.size + 2 * margin, dark };
  // The oldest goes first: a Map keeps the order of insertion.
  const [oldest] = storedDrawings.keys();
  if (storedDrawings.size >= MAX_STORED_DRAWINGS && oldest !== undefined) storedDrawings.delete(oldest);
  storedDrawings.set(key, drawn);
  return drawn;
}

type Run = {
  start: number;
  length: number;
};

/** Joins dark modules that touch, so that no gap shows between them at any zoom. */
function darkRuns(size: number, isDark: (column: number) => boolean): Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < size; column++) {
    if (!isDark(column)) continue;
    const last = runs.at(-1);
    if (last && last.start + last.length === column) last.length += 1;
    else runs.push({ start: column, length: 1 });
  }
  return runs;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
