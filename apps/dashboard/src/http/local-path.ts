import { MAX_CONSOLE_PATH } from "@tillgate/contract";

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
