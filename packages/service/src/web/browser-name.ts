/** The longest that is passed on; the api keeps the beginning. */
const MAX_BROWSER = 300;

/** What a browser calls itself, in characters that a header may carry. */
export const saidBrowser = (userAgent: string | undefined): string =>
  (userAgent ?? "").replace(/[^\x20-\x7e]/g, "").slice(0, MAX_BROWSER);

const BROWSERS = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;
const SYSTEMS = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
] as const;

type Names = typeof BROWSERS | typeof SYSTEMS;
const nameIn = (names: Names, text: string) => names.find(([pattern]) => pattern.test(text))?.[1];

/** The name of a browser and its system, by what it says of itself; its first words where that is unknown. */
export function browserName(userAgent: string): string | null {
  const names = [nameIn(BROWSERS, userAgent), nameIn(SYSTEMS, userAgent)].filter(Boolean);
  return names.length > 0 ? names.join(", ") : userAgent.slice(0, 40) || null;
}
