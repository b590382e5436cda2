import { qrModules } from "./qr-modules.js";

/** The quiet zone that the QR standard requires. */
export const QUIET_ZONE_MODULES = 4;
const MAXIMUM_MARGIN_MODULES = 32;

export type QrSvgOptions = {
  /** Accessible name. Default: "QR code". */
  title?: string;
  /** In CSS pixels. By default, the image fills its container. */
  size?: number;
  /** In modules. Default 4. Use less only if the page has white space around the code. */
  margin?: number;
};

/**
 * Renders text as an SVG element that works under a strict content security policy (no style, script or reference) and as a file. The code is dark on
 * white, because many phones cannot scan inverted codes.
 * @throws QrError for empty or too long text, RangeError for a size or margin out of range.
 */
export function qrSvg(data: string, options: QrSvgOptions = {}): string {
  const { title = "QR code", size, margin = QUIET_ZONE_MODULES } = options;
  if (!Number.isInteger(margin) || margin < 0 || margin > MAXIMUM_MARGIN_MODULES) {
    throw new RangeError(`The margin must be a whole number of modules from 0 to ${MAXIMUM_MARGIN_MODULES}.`);
  }
  if (size !== undefined && !(Number.isFinite(size) && size > 0)) {
    throw new RangeError("The size must be a positive number of pixels.");
  }
  const { width, dark } = getDrawing(data, margin);
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

/** Drawings are stored because a payment page renders the same code at every step and, without scripts, every few seconds. */
const MAX_STORED_DRAWINGS = 200;
const storedDrawings = new Map<string, Drawing>();

function getDrawing(data: string, margin: number): Drawing {
  const key = `${margin} ${data}`;
  const stored = storedDrawings.get(key);
  if (stored !== undefined) return stored;
  const modules = qrModules(data);
  const dark = Array.from({ length: modules.size }, (_, row) =>
    findDarkRuns(modules.size, (column) => modules.isDark(row, column))
      .map(({ start, length }) => `M${start + margin} ${row + margin}h${length}v1h-${length}z`)
      .join(""),
  ).join("");
  const drawn = { width: modules.size + 2 * margin, dark };
  // The first key is the oldest, because a Map preserves insertion order.
  const [oldest] = storedDrawings.keys();
  if (storedDrawings.size >= MAX_STORED_DRAWINGS && oldest !== undefined) storedDrawings.delete(oldest);
  storedDrawings.set(key, drawn);
  return drawn;
}

type Run = {
  start: number;
  length: number;
};

/** Adjacent dark modules are joined, so that no gaps appear at any zoom level. */
function findDarkRuns(size: number, isDark: (column: number) => boolean): Run[] {
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
