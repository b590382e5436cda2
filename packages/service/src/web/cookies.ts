import type { ServerResponse } from "node:http";

export type CookieOptions = {
  /** Left out: the cookie lives as long as the browser session. 0 deletes it. */
  maxAgeSeconds?: number;
  path: string;
  secure: boolean;
};

/** A `Set-Cookie` value, always `HttpOnly` and `SameSite=Lax`. The value must be cookie-safe already. */
export function setCookie(name: string, value: string, options: CookieOptions): string {
  const parts = [`${name}=${value}`, `Path=${options.path}`, "HttpOnly", "SameSite=Lax"];
  if (options.secure) parts.push("Secure");
  if (options.maxAgeSeconds !== undefined) parts.push(`Max-Age=${options.maxAgeSeconds}`);
  return parts.join("; ");
}

/** Adds cookies to those that the answer already sets. */
export function addCookies(response: ServerResponse, ...cookies: string[]): void {
  const before = [response.getHeader("Set-Cookie") ?? []].flat().map(String);
  response.setHeader("Set-Cookie", [...before, ...cookies]);
}
