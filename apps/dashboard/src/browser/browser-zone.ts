/** A year: the browser says it again with every page. */
const SECONDS = 365 * 24 * 3600;

/** Says the browser's time zone with every request, for times that the server writes. */
export function sayTimeZone(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone) return;
  const secure = location.protocol === "https:";
  const name = `${secure ? "__Host-" : ""}tillgate_console_browser_zone`;
  // biome-ignore lint/suspicious/noDocumentCookie: Browsers that are still in use have no cookie store.
  document.cookie = `${name}=${zone}; Path=/; SameSite=Lax; Max-Age=${SECONDS}${secure ? "; Secure" : ""}`;
}
