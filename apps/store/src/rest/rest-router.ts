import express, { type NextFunction, type Request, type Response, Router } from "express";
import type { Logger } from "pino";
import { limits } from "../config.js";
import { TooManyMetaEntries } from "../orders/meta-data.js";
import { ItemRefused } from "../orders/order-items.js";
import type { Authentication } from "./authentication.js";
import { addNoteRoutes } from "./notes-routes.js";
import { addOrderRoutes } from "./orders-routes.js";
import { addProductRoutes } from "./products-routes.js";
import { addRefundRoutes } from "./refunds-routes.js";
import { noRoute, RestError } from "./rest-error.js";
import { formOf, type RestContext } from "./rest-request.js";
import { addShopRoutes } from "./shop-routes.js";
import { addWebhookRoutes } from "./webhooks-routes.js";

/** What a thrown error is to a REST client. */
function asRestError(error: unknown): RestError | undefined {
  if (error instanceof RestError) return error;
  if (error instanceof ItemRefused) return new RestError(error.code, error.message, 400);
  if (error instanceof TooManyMetaEntries) {
    const message = `An order has at most ${limits.metaEntries} meta data entries.`;
    return new RestError("rest_invalid_param", message, 400);
  }
  if (error instanceof Error && "type" in error && error.type === "entity.too.large") {
    const message = `The request's body is larger than ${limits.restBodyBytes} bytes.`;
    return new RestError("rest_request_entity_too_large", message, 413);
  }
  if (error instanceof Error && "status" in error && typeof error.status === "number" && error.status < 500) {
    return new RestError("rest_bad_request", "The request could not be read.", error.status);
  }
  return undefined;
}

/** The store's REST API, WooCommerce's `wc/v3` under `/wp-json`. */
export function restRouter(context: RestContext, authentication: Authentication, logger: Logger): Router {
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
    response.json(apiIndex(context));
  });

  const versioned = Router({ strict: false });
  versioned.use(express.raw({ type: () => true, limit: limits.restBodyBytes }));
  versioned.use((request: Request, response: Response, next: NextFunction) => {
    authentication
      .authenticate(request, formOf(request))
      .then((known) => {
        response.locals.hasKey = known;
        next();
      })
      .catch(next);
  });
  const routes = Router({ strict: false });
  addOrderRoutes(routes, context);
  addNoteRoutes(routes, context);
  addRefundRoutes(routes, context);
  addProductRoutes(routes, context);
  addWebhookRoutes(routes, { ...context, logger });
  addShopRoutes(routes, context);
  versioned.use(routes);
  router.use("/wc/v3", versioned);

  router.use((_request, _response, next) => next(noRoute()));
  router.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const known = asRestError(error);
    if (!known) logger.error({ err: error, path: request.path }, "a REST request failed");
    const answer = known ?? new RestError("internal_server_error", "The shop could not do this.", 500);
    response.status(answer.status).json(answer.body);
  });
  return router;
}

const apiIndex = ({ links }: RestContext): Record<string, unknown> => ({
  name: "Kiln & Clover",
  description: "Everyday ceramics",
  url: links.storeUrl,
  home: links.storeUrl,
  gmt_offset: "0",
  timezone_string: "UTC",
  namespaces: ["wc/v3"],
  authentication: [],
  routes: {},
});
