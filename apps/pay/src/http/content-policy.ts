import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";

const POLICY = "Content-Security-Policy";
const NOBODY = "frame-ancestors 'none'";

/**
 * Lets these origins, and no others, show this one answer in a frame. Without any it stays forbidden.
 * @param origins plain origins, as the contract has them: nothing in them means more in a policy.
 * @throws Error when the answer has no policy yet that could be widened.
 */
export function allowFramesOf(response: ServerResponse, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const policy = String(response.getHeader(POLICY) ?? "");
  if (!policy.includes(NOBODY)) throw new Error("The answer carries no content security policy");
  response.setHeader(POLICY, policy.replace(NOBODY, `frame-ancestors ${origins.join(" ")}`));
  // It knows no list; browsers that know the policy's ignore it, but only where both agree.
  response.removeHeader("X-Frame-Options");
}

/**
 * Allows the one inline style of this answer, which carries the merchant's colour, beside the page's own style sheet.
 * @returns the nonce that the style must carry.
 * @throws Error when the answer has no policy yet that could be widened.
 */
export function allowOneStyle(response: ServerResponse): string {
  const policy = String(response.getHeader(POLICY) ?? "");
  if (!policy.includes("style-src 'self'")) throw new Error("The answer carries no content security policy");
  const nonce = randomBytes(16).toString("base64");
  response.setHeader(POLICY, policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`));
  return nonce;
}
