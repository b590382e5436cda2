import express, { type NextFunction, type Request, type Response, Router } from "express";
import { SHOP_DECIMALS } from "../amounts.js";
import { limits } from "../config.js";
import { createAuthentication, type RestKey } from "./authentication.js";
import { WOOCOMMERCE_VERSION } from "./order-view.js";
import { addOrderRoutes } from "./orders-routes.js";
import { addProductRoutes } from "./products-routes.js";
import { addRefundRoutes } from "./refunds-routes.js";
import { noRoute, type RestContext, RestError } from "./rest-request.js";
import { addWebhookRoutes } from "./webhooks-routes.js";

function addShopRoutes(router: Router, { storeUrl, currency }: RestContext): void {
  router.get("/system_status", async (_request, response) => {
    response.json({
      environment: { home_url: storeUrl, site_url: storeUrl, version: WOOCOMMERCE_VERSION },
      settings: { currency, number_of_decimals: SHOP_DECIMALS },
    });
  });
}

/** Converts a thrown error into a REST error; undefined if the error is unexpected. */
function asRestError(error: unknown): RestError | undefined {
  if (error instanceof RestError) return error;
  if (!(error instanceof Error)) return undefined;
  const type = "type" in error ? error.type : undefined;
  if (type === "entity.too.large") {
    const message = `The request body exceeds ${limits.restBodyBytes} bytes.`;
    return new RestError("rest_request_entity_too_large", message, 413);
  }
  if (type === "entity.parse.failed") {
    const data = { status: 400, json_error_code: 4, json_error_message: "Syntax error" };
    return new RestError("rest_invalid_json", "Invalid JSON body passed.", 400, data);
  }
  if ("status" in error && typeof error.status === "number" && error.status < 500) {
    return new RestError("rest_bad_request", "The request could not be read.", error.status);
  }
  return undefined;
}

/** Creates the router for the parts of WooCommerce's `wc/v3` API that the demo and the connector need. */
export function createRestRouter(context: RestContext, key: RestKey): Router {
  const { logger, storeUrl, database } = context;
  const router = Router({ strict: false });
  router.use((_request, response, next) => {
    response.set({
      "Cache-Control": "no-cache, must-revalidate, max-age=0, no-store, private",
      "X-Robots-Tag": "noindex",
      "Access-Control-Expose-Headers": "X-WP-Total, X-WP-TotalPages, Link",
    });
    next();
  });

  router.get("/", (_request, response) => {
    response.json({ name: "Kiln & Clover", url: storeUrl, home: storeUrl, namespaces: ["wc/v3"] });
  });

  const routes = Router({ strict: false });
  // WordPress validates the body before the key.
  routes.use(express.json({ limit: limits.restBodyBytes, type: ["application/json", "application/*+json"] }));
  routes.use(createAuthentication(database, key));
  addOrderRoutes(routes, context);
  addRefundRoutes(routes, context);
  addProductRoutes(routes, context);
  addWebhookRoutes(routes, context);
  addShopRoutes(routes, context);
  router.use("/wc/v3", routes);

  router.use((_request, _response, next) => next(noRoute()));
  router.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const restError = asRestError(error);
    if (!restError) logger.error({ err: error, path: request.path }, "a REST request failed");
    const reply = restError ?? new RestError("internal_server_error", "The request failed.", 500);
    response.status(reply.status).json(reply.body);
  });
  return router;
}
