export type CookieOptions = {
  /** Left out: the cookie lives as long as the browser session. 0 deletes it. */
  maxAgeSeconds?: number;
  path: string;
  secure: boolean;
};

/** The cookies of the page. All ports of a host share cookies, so each app names its own. */
export type CookieNames = {
  visitor: string;
  session: string;
  /** Long-lived: accounts have signed in on this device. */
  device: string;
  notice: string;
  /** Of one order's address: this browser saw it pending. */
  witness: string;
  /** Path of visitor, session and device: `__Host-` cookies must have `/`. */
  path: string;
};

/** Under https the names have prefixes, so that no other host or plain connection can set these cookies. */
export function cookieNames(secure: boolean): CookieNames {
  return secure
    ? {
        visitor: "__Host-tillgate_pay_visitor",
        session: "__Host-tillgate_pay_session",
        device: "__Host-tillgate_pay_device",
        notice: "__Secure-tillgate_pay_notice",
        witness: "__Secure-tillgate_pay_witness",
        path: "/",
      }
    : {
        visitor: "tillgate_pay_visitor",
        session: "tillgate_pay_session",
        device: "tillgate_pay_device",
        notice: "tillgate_pay_notice",
        witness: "tillgate_pay_witness",
        path: "/pay",
      };
}

/** A `Set-Cookie` value, always `HttpOnly` and `SameSite=Lax`. The value must be cookie-safe already. */
export function setCookie(name: string, value: string, options: CookieOptions): string {
  const parts = [`${name}=${value}`, `Path=${options.path}`, "HttpOnly", "SameSite=Lax"];
  if (options.secure) parts.push("Secure");
  if (options.maxAgeSeconds !== undefined) parts.push(`Max-Age=${options.maxAgeSeconds}`);
  return parts.join("; ");
}
