import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";

const POLICY = "Content-Security-Policy";

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
