import { createHash, timingSafeEqual } from "node:crypto";
import type { Application } from "express";
import type { Metrics } from "../metrics.js";
import { bearerToken } from "./shared/bearer-token.js";
import { serve } from "./shared/routes.js";
import { RefusedKeyError } from "./shared/security-events.js";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * `/metrics` in Prometheus' text format, for callers who send the key as a Bearer token.
 * @param key undefined: there are no metrics.
 */
export function serveMetrics(app: Application, metrics: Metrics, key: string | undefined): void {
  if (key === undefined) return;
  const expected = digest(key);
  serve(app, "/metrics", {
    get: [
      async (request, response) => {
        if (!timingSafeEqual(digest(bearerToken(request) ?? ""), expected)) throw new RefusedKeyError();
        response.type(metrics.contentType).send(await metrics.text());
      },
    ],
  });
}
