import { createHash, timingSafeEqual } from "node:crypto";
import express, { type Express } from "express";
import helmet from "helmet";
import type { Logger } from "pino";
import type { Counters } from "../metrics/counters.js";
import { type ProcessMetrics, renderMetrics } from "../metrics/metrics.js";
import { parseBearerToken } from "./shared/admit.js";
import { handleErrors } from "./shared/errors.js";
import { serve, unknownRoute } from "./shared/routes.js";
import { WrongKeyError } from "./shared/security-events.js";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

type MetricsApp = {
  /** Returns the metrics of all processes that share this endpoint. @throws UnavailableError if a process does not report in time. */
  figures: () => Promise<ProcessMetrics[]>;
  counters: Counters;
  /** Bearer token; undefined for no authentication. */
  key: string | undefined;
  log: Logger;
};

/** Creates the app that serves `/metrics` in the Prometheus text format, on a separate port. */
export function createMetricsApp({ figures, counters, key, log }: MetricsApp): Express {
  const app = express();
  const expected = key === undefined ? undefined : digest(key);
  app.use(helmet());
  serve(app, "/metrics", {
    get: async (request, response) => {
      if (expected && !timingSafeEqual(digest(parseBearerToken(request) ?? ""), expected))
        throw new WrongKeyError();
      response
        .set("Cache-Control", "no-store")
        .type(CONTENT_TYPE)
        .send(await renderMetrics(await figures()));
    },
  });
  app.use(unknownRoute);
  // A failed scrape does not mean that the database is unavailable, so it does not change the availability.
  app.use(handleErrors({ log, counters, availability: { report: () => undefined } }));
  return app;
}
