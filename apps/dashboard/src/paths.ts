import { MAX_CONSOLE_PATH, type Mode } from "@tillgate/contract";

/** A path made of parts that may hold anything. */
export const pathOf = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join("/")}`;

/** The console's own path of a merchant and mode. */
export const placePath = (merchantId: string, mode: Mode, ...parts: string[]): string =>
  pathOf("m", merchantId, mode, ...parts);

/** The address of a page, with the path that its reader comes from and goes back to when done there. */
export const comingFrom = (address: string, path: string | null): string =>
  path === null ? address : `${address}?next=${encodeURIComponent(path)}`;

/** Any base will do: what leaves it is no path of ours. */
const BASE = "http://console.invalid";

/**
 * The path that a person shall come back to, or null: only one of this site, in the form that a browser makes of it.
 * `//host`, `/\host` and whatever else a browser takes for another site is refused.
 */
export function localPath(text: string | null | undefined): string | null {
  if (!text?.startsWith("/") || text.length > MAX_CONSOLE_PATH || /[\\\s\p{Cc}]/u.test(text)) return null;
  if (!URL.canParse(text, BASE)) return null;
  const { origin, pathname, search } = new URL(text, BASE);
  return origin === BASE && !pathname.startsWith("//") ? `${pathname}${search}` : null;
}
