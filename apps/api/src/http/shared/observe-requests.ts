import { randomUUID } from "node:crypto";
import { CHECKOUT_PATH, CONSOLE_PATH } from "@tillgate/contract";
import { startRequestSpan } from "@tillgate/service/tracing";
import type { Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import type { Counters } from "../../metrics/counters.js";
import type { RequestLog } from "../../platform/request-log.js";
import { getClientAddress } from "./admit.js";
import { findApiCaller, getRoute, setRequestId, traceFields } from "./trace.js";

/** Logged status of a call whose caller disconnected before the response, as in nginx. */
const CLIENT_CLOSED_REQUEST = 499;
/** Paths that are polled constantly and not worth logging. */
const NOT_LOGGED = ["/healthz", "/readyz"];
/** APIs whose callers (page and console) decide what is traced, because they poll. */
const TRACED_BY_CALLER = [...NOT_LOGGED, CHECKOUT_PATH, CONSOLE_PATH];

/** Assigns each request an ID, counts it, and logs it with the route's pattern instead of the URL, which can contain a payment token. */
export const observeRequests =
  ({
    log,
    counters,
    requestLog,
  }: {
    log: Logger;
    counters: Counters;
    requestLog: RequestLog;
  }): RequestHandler =>
  (request, response, next) => {
    const id = `req_${randomUUID().replaceAll("-", "")}`;
    setRequestId(response, id);
    response.setHeader("X-Request-Id", id);
    response.setHeader("Cache-Control", "no-store");
    const logged = !NOT_LOGGED.includes(request.url);
    // Reading the address while the connection is open makes Node cache it for the log line.
    void request.socket.remoteAddress;
    const root = !TRACED_BY_CALLER.some((path) => request.url.startsWith(path));
    const span = startRequestSpan(request.get("traceparent"), { root });
    const startedAt = performance.now();
    response.once("close", () => {
      const { method } = request;
      const { statusCode } = response;
      const ms = performance.now() - startedAt;
      if (response.writableFinished) counters.request(getRoute(response), method, statusCode, ms / 1_000);
      logCall(requestLog, request, response, ms);
      span?.end({
        method,
        route: getRoute(response),
        status: response.writableEnded ? statusCode : CLIENT_CLOSED_REQUEST,
        requestId: id,
      });
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
    if (span) span.run(next);
    else next();
  };

/** Adds a merchant's API call to the request log. Masking and writing happen off the request path. */
function logCall(requestLog: RequestLog, request: Request, response: Response, durationMs: number): void {
  const by = findApiCaller(response);
  if (by === undefined) return;
  requestLog.add(
    {
      ...by,
      at: new Date(),
      method: request.method,
      path: request.originalUrl,
      status: response.writableEnded ? response.statusCode : CLIENT_CLOSED_REQUEST,
      durationMs,
      clientAddress: getClientAddress(request),
      requestBody: request.body,
    },
    Number(request.headers["content-length"] ?? 0),
  );
}
