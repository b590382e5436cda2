import {
  CHECKOUT_PATH,
  CONNECT_PATH,
  CONSOLE_PATH,
  ErrorCode,
  isLoopbackHost,
  MAX_BODY_BYTES,
  type Mode,
  PARTNER_API_PATHS,
  PAY_API_PATH,
  TEST_RECEIVER_PATH,
} from "@tillgate/contract";
import express, { type ErrorRequestHandler, type Express, type RequestHandler, Router } from "express";
import helmet from "helmet";
import type { Config } from "../config.js";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import { consumeTestReceiverLimit } from "../identity/credentials/limits.js";
import { type Availability, UnavailableError } from "../platform/availability.js";
import type { Listener } from "../platform/listener.js";
import { receiveTestWebhook } from "../sandbox/test-controls.js";
import { createCheckoutRoutes } from "./checkout/routes.js";
import { createConnectRoutes } from "./connect.js";
import { createConsoleRoutes } from "./console/routes.js";
import { serveDocuments } from "./documents/routes.js";
import { serveHealth } from "./health.js";
import { createPartnerRoutes } from "./partner.js";
import { serveAccount, serveBalances } from "./pay/account.js";
import { serveComparisons } from "./pay/comparisons.js";
import { serveReplays, serveWebhooks } from "./pay/events.js";
import { serveOrders } from "./pay/orders.js";
import { servePayments } from "./pay/payments.js";
import { serveRefunds } from "./pay/refunds.js";
import { serveReports } from "./pay/reports.js";
import { serveSimulation, serveTestControls } from "./pay/sandbox.js";
import { serveWebhookEndpoints } from "./pay/webhook-endpoints.js";
import { applyAllowance, getClientAddress, requireInternalKey } from "./shared/admit.js";
import { handleErrors, requireHost } from "./shared/errors.js";
import { observeRequests } from "./shared/observe-requests.js";
import { pathParameter } from "./shared/parse.js";
import { readJson } from "./shared/read-body.js";
import { serve, unknownRoute } from "./shared/routes.js";

/**
 * Rejects requests while the database is unavailable or overloaded. A request in progress when the database becomes unavailable gets a 503,
 * although its changes may have been committed.
 * @param respond sends the 503. With `next` instead, a later error of the request's route would bypass our error handler.
 */
const requireAvailability =
  (availability: Availability, respond: ErrorRequestHandler): RequestHandler =>
  (request, response, next) => {
    availability.check();
    const end = availability.onUnavailable(() => {
      if (response.headersSent) return;
      // The route may still be running, so no other request may use this connection.
      response.set("Connection", "close");
      respond(new UnavailableError("the database became unavailable"), request, response, next);
    });
    response.once("close", end);
    next();
  };

/** Rejects plain HTTP. A trusted proxy reports the original protocol. Outside production, loopback and the configured hosts are exempt. */
const requireHttps =
  ({ production, httpHosts }: Pick<Config, "production" | "httpHosts">): RequestHandler =>
  (request, _response, next) => {
    const host = (request.hostname ?? "").toLowerCase();
    if (request.secure || (!production && (isLoopbackHost(host) || httpHosts.includes(host)))) return next();
    throw new OperationError(ErrorCode.HttpsRequired);
  };

/** Reads a body as the exact bytes that were signed. */
const readBytes = express.raw({ limit: MAX_BODY_BYTES, inflate: false, type: () => true });

/** The APIs that a listener serves: the public APIs, the internal APIs for Tillgate's services, or both. */
export type ServedApis = { open: boolean; internal: boolean };

const ALL_APIS: ServedApis = { open: true, internal: true };

type AppParts = {
  context: Context;
  listener: Listener;
  availability: Availability;
  apis?: ServedApis;
};

export function createApp({ context, listener, availability, apis = ALL_APIS }: AppParts): Express {
  const { config, counters, log } = context;
  const app = express();
  app.set("query parser", "simple");
  app.set("trust proxy", config.trustedProxies);
  app.set("etag", false);
  app.set("case sensitive routing", true);
  app.use(observeRequests({ log, counters, requestLog: context.memory.requestLog }));
  app.use(requireHost);
  app.use(helmet({ strictTransportSecurity: config.production }));
  serveHealth(app, context, availability);
  // A loopback listener serves only Tillgate's services on this machine, so plain HTTP is safe.
  const isInternalOnly = !apis.open && isLoopbackHost(config.internal?.host ?? "");
  if (!isInternalOnly) app.use(requireHttps(config));
  if (apis.open) serveDocuments(app);
  if (apis.open) serveSecurityTxt(app, config);
  const errors = handleErrors({ log, counters, availability });
  app.use(requireAvailability(availability, errors));
  if (apis.internal) {
    // Keys are checked before any body is read, so that unauthenticated bodies cost nothing.
    app.use(CHECKOUT_PATH, requireInternalKey(config.internalKey));
    app.use(CONSOLE_PATH, requireInternalKey(config.consoleKey));
  }
  if (apis.open) serveTestReceiver(app, context);
  if (apis.open) serveLargeBodies(app, context);
  app.use(readJson);
  if (apis.internal) {
    app.use(CHECKOUT_PATH, createCheckoutRoutes(context, listener));
    app.use(CONSOLE_PATH, createConsoleRoutes(context, availability));
  }
  if (apis.open) serveOpenApis(app, context, listener);
  app.use(unknownRoute);
  app.use(errors);
  return app;
}

/** RFC 9116 recommends less than a year. The validity is counted from each request, so the file never expires. */
const SECURITY_TXT_VALID_MS = 180 * 86_400_000;

function serveSecurityTxt(app: Express, { securityContact }: Config): void {
  if (securityContact === undefined) return;
  serve(app, "/.well-known/security.txt", {
    get: (_request, response) => {
      const expires = new Date(Date.now() + SECURITY_TXT_VALID_MS).toISOString();
      response
        .type("text/plain")
        .send(`Contact: ${securityContact}\nExpires: ${expires}\nPreferred-Languages: en\n`);
    },
  });
}

const MODES = ["sandbox", "live"] as const satisfies Mode[];

/** Serves the routes that authenticate the caller before they read the body, because the body may be large. */
function serveLargeBodies(app: Express, context: Context): void {
  for (const mode of MODES) {
    const router = Router({ caseSensitive: true });
    serveComparisons(router, context, mode);
    app.use(PAY_API_PATH[mode], router);
  }
}

function serveOpenApis(app: Express, context: Context, listener: Listener): void {
  for (const mode of MODES) {
    const router = Router({ caseSensitive: true });
    serveOrders(router, context, mode);
    serveRefunds(router, context, mode);
    servePayments(router, context, mode);
    serveWebhooks(router, context, listener, mode);
    serveAccount(router, context, mode);
    serveBalances(router, context, mode);
    serveReports(router, context, mode);
    serveWebhookEndpoints(router, context, mode);
    serveReplays(router, context, mode);
    if (mode === "sandbox") serveSimulation(router, context);
    if (mode === "sandbox") serveTestControls(router, context);
    app.use(PAY_API_PATH[mode], router);
  }
  app.use(CONNECT_PATH, createConnectRoutes(context));
  for (const path of PARTNER_API_PATHS) app.use(path, createPartnerRoutes(context));
}

/** Receives sandbox webhooks for merchants that have no shop yet. */
function serveTestReceiver(app: Express, context: Context): void {
  serve(app, `${TEST_RECEIVER_PATH}/:merchant`, {
    post: [
      readBytes,
      async (request, response) => {
        applyAllowance(response, await consumeTestReceiverLimit(context, getClientAddress(request)));
        const { headers } = request;
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const genuine = await receiveTestWebhook(context, pathParameter(request, "merchant"), {
          headers,
          body,
        });
        response.status(genuine ? 200 : 401).json({ outcome: genuine ? "received" : "bad_signature" });
      },
    ],
  });
}
