/** The cookies of the console. All ports of a host share cookies, so each app names its own. */
export type CookieNames = {
  /** One browser: what form tokens are bound to before anybody signs in. */
  visitor: string;
  session: string;
  /** What the next page says or shows once, sealed. */
  flash: string;
  language: string;
  /** The time zone that was chosen. */
  timeZone: string;
  /** The browser's own, which the script says. */
  browserZone: string;
};

/** Under https the names have a prefix, so that no other host or plain connection can set these cookies. */
export function cookieNames(secure: boolean): CookieNames {
  const prefix = secure ? "__Host-" : "";
  return {
    visitor: `${prefix}tillgate_console_visitor`,
    session: `${prefix}tillgate_console`,
    flash: `${prefix}tillgate_console_flash`,
    language: `${prefix}tillgate_console_language`,
    timeZone: `${prefix}tillgate_console_zone`,
    browserZone: `${prefix}tillgate_console_browser_zone`,
  };
}
