import type { ServerResponse } from "node:http";

/** Two years. Subdomains are the operator's own decision. */
const HSTS = "max-age=63072000";

/**
 * Headers of every dynamic answer: no cache keeps it, and https stays https.
 * @param secure whether the site is served under https.
 */
export function setAnswerHeaders(response: ServerResponse, { secure }: { secure: boolean }): void {
  response.setHeader("Cache-Control", "no-store");
  if (secure) response.setHeader("Strict-Transport-Security", HSTS);
}
