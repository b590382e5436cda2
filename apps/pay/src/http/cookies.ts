export interface CookieOptions {
  /** Left out: the cookie lives as long as the browser session. 0 deletes it. */
  maxAgeSeconds?: number;
  path: string;
  secure: boolean;
}

/** The cookies of the page. All ports of a host share cookies, so each app names its own. */
export interface CookieNames {
  visitor: string;
  session: string;
  notice: string;
  /** Path of visitor and session: `__Host-` cookies must have `/`. */
  path: string;
}

/** Under https the names carry the prefixes by which a browser lets no other host or plain connection set them. */
export function cookieNames(secure: boolean): CookieNames {
  return secure
    ? {
        visitor: "__Host-tillgate_pay_visitor",
        session: "__Host-tillgate_pay_session",
        notice: "__Secure-tillgate_pay_notice",
        path: "/",
      }
    : {
        visitor: "tillgate_pay_visitor",
        session: "tillgate_pay_session",
        notice: "tillgate_pay_notice",
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
