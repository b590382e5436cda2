import {
  CHECKOUT_PATH,
  CONNECT_PATH,
  CONSOLE_PATH,
  isLoopbackHost,
  type Mode,
  PARTNER_API_PATHS,
  PAY_API_PATH,
} from "@tillgate/contract";
import express, { type Express, Router } from "express";
import helmet from "helmet";
import type { Availability } from "../availability.js";
import type { Context } from "../context.js";
import type { Listener } from "../notifications/listener.js";
import { checkoutRoutes } from "./checkout/routes.js";
import { connectRoutes } from "./connect/routes.js";
import { consoleRoutes } from "./console/routes.js";
import { serveDocuments } from "./documents/routes.js";
import { serveHealth } from "./health.js";
import { requireHost } from "./malformed-requests.js";
import { partnerRoutes } from "./partner/routes.js";
import { serveAccount } from "./pay/account.js";
import { serveBalances } from "./pay/balances.js";
import { serveOrders } from "./pay/orders.js";
import { servePayments } from "./pay/payments.js";
import { serveRefunds } from "./pay/refunds.js";
import { serveReplays } from "./pay/replays.js";
import { serveSimulation } from "./pay/simulation.js";
import { serveTestControls } from "./pay/test-controls.js";
import { serveWebhookEndpoints } from "./pay/webhook-endpoints.js";
import { serveWebhooks } from "./pay/webhooks.js";
import { handleErrors } from "./shared/handle-errors.js";
import { requireInternalKey } from "./shared/internal-edge.js";
import { observeRequests } from "./shared/observe-requests.js";
import { readJson } from "./shared/read-json.js";
import { requireAvailability } from "./shared/require-availability.js";
import { requireHttps } from "./shared/require-https.js";
import { unknownRoute } from "./shared/routes.js";
import { serveTestReceiver } from "./test-receiver.js";

/** What one server serves: the APIs of shops and partners, the edges for our own programs, or both. */
export type Edges = { open: boolean; internal: boolean };

const ALL_EDGES: Edges = { open: true, internal: true };

type AppParts = {
  context: Context;
  listener: Listener;
  availability: Availability;
  edges?: Edges;
};

/** The HTTP side: every API on its base path, one error envelope behind all. */
export function createApp({ context, listener, availability, edges = ALL_EDGES }: AppParts): Express {
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
  // A port of loopback for our own programs alone: nothing of it goes over a line.
  const own = !edges.open && isLoopbackHost(config.internal?.host ?? "");
  if (!own) app.use(requireHttps(config));
  if (edges.open) serveDocuments(app);
  const errors = handleErrors({ log, counters, availability });
  app.use(requireAvailability(availability, errors));
  if (edges.internal) {
    // Before any body is read: a stranger's bytes cost nothing.
    app.use(CHECKOUT_PATH, requireInternalKey(config.internalKey));
    app.use(CONSOLE_PATH, requireInternalKey(config.consoleKey));
  }
  if (edges.open) serveTestReceiver(app, context);
  app.use(readJson);
  if (edges.internal) {
    app.use(CHECKOUT_PATH, checkoutRoutes(context, listener));
    app.use(CONSOLE_PATH, consoleRoutes(context, availability));
  }
  if (edges.open) serveOpenApis(app, context, listener);
  app.use(unknownRoute);
  app.use(errors);
  return app;
}

function serveOpenApis(app: Express, context: Context, listener: Listener): void {
  for (const mode of ["sandbox", "live"] as const satisfies Mode[]) {
    const router = Router({ caseSensitive: true });
    serveOrders(router, context, mode);
    serveRefunds(router, context, mode);
    servePayments(router, context, mode);
    serveWebhooks(router, context, listener, mode);
    serveAccount(router, context, mode);
    serveBalances(router, context, mode);
    serveWebhookEndpoints(router, context, mode);
    serveReplays(router, context, mode);
    if (mode === "sandbox") serveSimulation(router, context);
    if (mode === "sandbox") serveTestControls(router, context);
    app.use(PAY_API_PATH[mode], router);
  }
  app.use(CONNECT_PATH, connectRoutes(context));
  for (const path of PARTNER_API_PATHS) app.use(path, partnerRoutes(context));
}
