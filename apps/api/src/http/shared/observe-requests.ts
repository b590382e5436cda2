import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import type { Metrics } from "../../metrics.js";
import { noteRequestId, routeOf, traceFields } from "./trace.js";

/** Asked all the time, and of no interest. */
const NOT_LOGGED = ["/healthz", "/readyz"];

/**
 * Gives each request its id, counts it, and writes one log line when it has ended. Addresses hold payment tokens, so the line
 * has the route's pattern. A logger for each request would cost more than all that is done here.
 */
export const observeRequests =
  ({ log, metrics }: { log: Logger; metrics: Metrics }): RequestHandler =>
  (request, response, next) => {
    const id = `req_${randomUUID().replaceAll("-", "")}`;
    noteRequestId(response, id);
    response.setHeader("X-Request-Id", id);
    response.setHeader("Cache-Control", "no-store");
    const logged = !NOT_LOGGED.includes(request.url);
    // Read once, it is still known when the connection has closed.
    void request.socket.remoteAddress;
    const startedAt = performance.now();
    response.once("close", () => {
      const { method } = request;
      const { statusCode } = response;
      const ms = performance.now() - startedAt;
      if (response.writableFinished) metrics.request(routeOf(response), method, statusCode, ms / 1_000);
      const failed = statusCode >= 500;
      const level = failed ? "error" : "info";
      if (!logged || !log.isLevelEnabled(level)) return;
      log[level](
        {
          req: { id, method },
          res: { statusCode },
          responseTime: Math.round(ms),
          ...traceFields(request, response),
        },
        `request ${failed ? "errored" : response.writableEnded ? "completed" : "aborted"}`,
      );
    });
    next();
  };
