import { randomUUID } from "node:crypto";
import { startRequestSpan } from "@tillgate/service/tracing";
import express, { type ErrorRequestHandler, type Express } from "express";
import helmet from "helmet";
import type { Connector } from "../connector.js";
import type { ConnectorLog } from "../connector-log.js";
import type { MetricsRegistry } from "../health/metrics.js";
import type { Requests } from "../records/records.js";
import { sendError, toErrorResponse } from "./errors.js";
import { healthRoutes } from "./health-routes.js";
import { paymentsRoutes } from "./payments-routes.js";
import { RequestLimiter, type RequestLimits } from "./request-limit.js";
import { Stores } from "./stores.js";
import { storeWebhookRoute, webhookRoute } from "./webhook-routes.js";

export type AppOptions = {
  connectors: readonly Connector[];
  /** Throws if the database is unavailable. */
  ready: () => Promise<void>;
  registry: MetricsRegistry;
  /** If null, the health page and metrics are disabled. */
  healthKey: string | null;
  /** Request counters shared by all processes. */
  requests: Requests;
  limits: RequestLimits;
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  trustedProxies: string[];
  log: ConnectorLog;
};

/** Polled by the operator's monitoring. Requests to these paths start no trace. */
const POLLED = ["/healthz", "/readyz", "/metrics"];

export function createApp(options: AppOptions): Express {
  const { connectors, ready, registry, healthKey, log } = options;
  const app = express();
  app.set("trust proxy", options.trustedProxies);
  app.disable("x-powered-by");
  app.use(helmet());
  app.use((request, response, next) => {
    const requestId = randomUUID();
    response.set("X-Request-Id", requestId);
    const span = startRequestSpan(request.get("traceparent"), { root: !POLLED.includes(request.path) });
    if (!span) return next();
    response.once("close", () => {
      const { method, route } = request;
      span.end({ method, route: route?.path, status: response.statusCode, requestId });
    });
    span.run(next);
  });
  app.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  app.get("/readyz", async (_request, response) => {
    try {
      await ready();
      response.json({ status: "ok" });
    } catch (error) {
      log.error(
        { error: error instanceof Error ? error.message : String(error) },
        "The readiness check failed",
      );
      const text = "The database is unavailable.";
      sendError(response, { status: 503, code: "database_silent", text, retryAfterSeconds: 5 });
    }
  });
  const stores = new Stores(connectors);
  app.use(paymentsRoutes(stores, new RequestLimiter(options.requests, options.limits)));
  app.use(webhookRoute(stores, log));
  app.use(storeWebhookRoute(stores));
  app.use(healthRoutes(stores, registry, healthKey));
  app.use((_request, response) =>
    sendError(response, { status: 404, code: "unknown_route", text: "Not found" }),
  );
  app.use(handleError(log));
  return app;
}

function handleError(log: ConnectorLog): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return (error, request, response, _next) => {
    const errorResponse = toErrorResponse(error);
    if (errorResponse.status >= 500) {
      const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      log.error(
        {
          requestId: response.get("X-Request-Id"),
          path: request.path,
          status: errorResponse.status,
          error: text,
        },
        "Request failed",
      );
    }
    if (response.headersSent) response.destroy();
    else sendError(response, errorResponse);
  };
}
