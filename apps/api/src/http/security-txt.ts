import type { Application } from "express";
import type { Config } from "../config.js";
import { serve } from "./shared/routes.js";

/** RFC 9116 recommends less than a year. It is counted from each request, so the file never expires. */
const VALID_MS = 180 * 86_400_000;

/** Serves `/.well-known/security.txt` (RFC 9116) if a contact for vulnerability reports is configured. */
export function serveSecurityTxt(
  app: Application,
  { securityContact }: Pick<Config, "securityContact">,
): void {
  if (securityContact === undefined) return;
  serve(app, "/.well-known/security.txt", {
    get: (_request, response) => {
      const expires = new Date(Date.now() + VALID_MS).toISOString();
      response
        .type("text/plain")
        .send(`Contact: ${securityContact}\nExpires: ${expires}\nPreferred-Languages: en\n`);
    },
  });
}
