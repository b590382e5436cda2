import { MAX_CONSOLE_PATH, type Mode } from "@tillgate/contract";

/** Encodes parts and joins them into a path. */
export const joinPath = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join("/")}`;

/** Returns the console's path for a merchant and mode. */
export const merchantPath = (merchantId: string, mode: Mode, ...parts: string[]): string =>
  joinPath("m", merchantId, mode, ...parts);

/** Appends the return path as the `next` parameter. */
export const withNext = (address: string, path: string | null): string =>
  path === null ? address : `${address}?next=${encodeURIComponent(path)}`;

/** Any base works; a resolved URL with another origin is not a local path. */
const BASE = "http://console.invalid";

/**
 * Returns a local redirect path, normalized as by a browser and without its fragment, or null if it is invalid. Rejects `//host` and other
 * forms that browsers resolve to another site, and paths that are too long or contain backslashes, whitespace or control characters.
 */
export function localPath(text: string | null | undefined): string | null {
  if (!text?.startsWith("/") || text.length > MAX_CONSOLE_PATH || /[\\\s\p{Cc}]/u.test(text)) return null;
  if (!URL.canParse(text, BASE)) return null;
  const { origin, pathname, search } = new URL(text, BASE);
  return origin === BASE && !pathname.startsWith("//") ? `${pathname}${search}` : null;
}
