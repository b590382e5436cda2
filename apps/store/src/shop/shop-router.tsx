import { parseWebAddress } from "@tillgate/contract";
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from "express";
import { limits } from "../config.js";
import { addCatalogueRoutes } from "./catalogue-routes.js";
import { addCheckoutRoutes } from "./checkout-routes.js";
import { addOrderRoutes } from "./order-routes.js";
import { MessagePage, sendPage } from "./page.js";
import { CsrfError, PageNotFound, type ShopContext } from "./shop-context.js";

/** Checks `Origin` or `Referer`, and `Sec-Fetch-Site`. Clients that send none of these are not browsers and need only the CSRF token. */
function requireSameOrigin(storeUrl: string): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    if (request.method !== "POST") return next();
    const origin = request.get("origin") ?? parseWebAddress(request.get("referer") ?? "")?.origin;
    const ownOrigins = [storeUrl, `${request.protocol}://${request.get("host") ?? ""}`];
    if (origin !== undefined && !ownOrigins.includes(origin)) return next(new CsrfError());
    if (request.get("sec-fetch-site") === "cross-site") return next(new CsrfError());
    return next();
  };
}

/** Creates the router that parses forms from this shop's pages and rejects forms from other origins. */
export function createFormParser(storeUrl: string): Router {
  const router = Router();
  router.use(requireSameOrigin(storeUrl));
  router.use(express.urlencoded({ extended: false, limit: limits.formBodyBytes, parameterLimit: 200 }));
  return router;
}

export function createShopRouter(context: ShopContext): Router {
  const router = Router();
  addCatalogueRoutes(router, context);
  addCheckoutRoutes(router, context);
  addOrderRoutes(router, context);
  return router;
}

type Failure = {
  title: string;
  text: string;
  status: number;
};

/** Finds the text and status for an expected error; undefined for any other error. */
function findFailure(error: unknown): Failure | undefined {
  if (error instanceof PageNotFound) {
    const text = "This page doesn’t exist, or the address is incomplete.";
    return { title: "Not found", text, status: 404 };
  }
  if (error instanceof CsrfError) {
    const text = "This form has expired. Nothing was changed. Please try again.";
    return { title: "Please try again", text, status: 403 };
  }
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  if (status === 404) return findFailure(new PageNotFound());
  if (status === 413) {
    return { title: "Something went wrong", text: "The form is too large.", status };
  }
  if (status >= 400 && status < 500) {
    return { title: "Something went wrong", text: "We couldn’t read the form.", status };
  }
  return undefined;
}

const unforeseen: Failure = {
  title: "Something went wrong",
  text: "Something went wrong on our side. Please try again in a moment. If you’ve already paid, please don’t pay again.",
  status: 500,
};

export function createErrorHandler({ logger }: Pick<ShopContext, "logger">) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const failure = findFailure(error);
    if (!failure) logger.error({ err: error, path: request.path }, "a page request failed");
    const { title, text, status } = failure ?? unforeseen;
    sendPage(response, <MessagePage title={title} text={text} />, status);
  };
}
