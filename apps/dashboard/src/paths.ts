import { MAX_CONSOLE_PATH, type Mode } from "@tillgate/contract";

export const joinPath = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join("/")}`;

export const merchantPath = (merchantId: string, mode: Mode, ...parts: string[]): string =>
  joinPath("m", merchantId, mode, ...parts);

export const withNext = (address: string, path: string | null): string =>
  path === null ? address : `${address}?next=${encodeURIComponent(path)}`;

/** Any base works; a resolved URL with another origin is not a local path. */
const BASE = "http://console.invalid";

/** Returns a local redirect path, normalized as a browser does, without the fragment; null for any other text, such as `//host`. */
export function localPath(text: string | null | undefined): string | null {
  if (!text?.startsWith("/") || text.length > MAX_CONSOLE_PATH || /[\\\s\p{Cc}]/u.test(text)) return null;
  if (!URL.canParse(text, BASE)) return null;
  const { origin, pathname, search } = new URL(text, BASE);
  return origin === BASE && !pathname.startsWith("//") ? `${pathname}${search}` : null;
}
