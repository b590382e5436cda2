import { ErrorCode } from "@tillgate/contract";
import type { Application } from "express";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import {
  type Availability,
  findUnavailableReason,
  RETRY_AFTER_SECONDS,
  withTimeLimit,
} from "../platform/availability.js";
import { UNAVAILABLE_ERRORS } from "./shared/errors.js";
import { serve } from "./shared/routes.js";

/** Maximum wait for the database. It must be shorter than a load balancer's timeout. */
const READINESS_LIMIT_MS = 2_000;

/**
 * Serves `/healthz`, which succeeds while the process runs, and `/readyz`, which succeeds while it can serve requests. `/readyz` reports a wrong
 * clock but still succeeds, because order expiry and webhook signatures use the database's clock.
 */
export function serveHealth(app: Application, { database, log }: Context, availability: Availability): void {
  const notReady = (errorCode: ErrorCode) =>
    new OperationError(errorCode, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  serve(app, "/healthz", {
    get: (_request, response) => {
      response.json({ status: "ok" });
    },
  });
  serve(app, "/readyz", {
    get: async (_request, response) => {
      if (availability.stopping) throw notReady(ErrorCode.AboutToEnd);
      try {
        availability.check();
        await withTimeLimit(database.pool.query("SELECT 1"), READINESS_LIMIT_MS);
      } catch (error) {
        log.warn({ err: error }, "not ready: the database is unavailable or overloaded");
        throw notReady(UNAVAILABLE_ERRORS[findUnavailableReason(error)]);
      }
      if (availability.reason) throw notReady(UNAVAILABLE_ERRORS[availability.reason]);
      const { isOff, offsetMs = 0 } = availability.clock;
      response.json({ status: "ok", ...(isOff && { clock_offset_seconds: offsetMs / 1_000 }) });
    },
  });
}
