import type { ServerResponse } from "node:http";
import type { Config } from "../config";

/** Two years. Subdomains are the operator's own decision. */
const HSTS = "max-age=63072000";

/** Headers of every dynamic answer: no cache keeps it, and https stays https. */
export function setAnswerHeaders(response: ServerResponse, config: Config): void {
  response.setHeader("Cache-Control", "no-store");
  if (config.secure) response.setHeader("Strict-Transport-Security", HSTS);
}
