import { createHash, timingSafeEqual } from "node:crypto";
import { type RequestHandler, Router } from "express";
import type { MetricsRegistry } from "../health/metrics.js";
import { sendError } from "./answers.js";
import { healthPage } from "./health-page.js";
import { notAllowed } from "./payments-routes.js";
import type { Stores } from "./stores.js";

/**
 * The health of each store's connector, for machines and people, and the metrics: all behind one key, as Bearer token or as
 * the password of Basic authentication. Without a key these routes do not exist.
 */
export function healthRoutes(stores: Stores, registry: MetricsRegistry, key: string | null): Router {
  const router = Router();
  if (key === null) return router;
  const guard = requireKey(key);

  router
    .route("/v1/stores/:store/health")
    .get(guard, async (request, response) => {
      response.json(await stores.find(String(request.params.store)).health());
    })
    .all((_request, response) => notAllowed(response, "GET, HEAD"));
  router
    .route("/health/:store")
    .get(guard, async (request, response) => {
      response
        .type("html")
        .send(healthPage(await stores.find(String(request.params.store)).health(), new Date()));
    })
    .all((_request, response) => notAllowed(response, "GET, HEAD"));
  router
    .route("/metrics")
    .get(guard, async (_request, response) => {
      const gauges = await Promise.all(stores.all().map((connector) => connector.gauges()));
      response.set("Content-Type", registry.contentType).send(await registry.text(gauges));
    })
    .all((_request, response) => notAllowed(response, "GET, HEAD"));
  return router;
}

function requireKey(key: string): RequestHandler {
  const expected = digest(key);
  return (request, response, next) => {
    response.set("Cache-Control", "no-store");
    if (timingSafeEqual(digest(givenKey(request.headers.authorization ?? "")), expected)) return next();
    response.set("WWW-Authenticate", 'Basic realm="connector", charset="UTF-8"');
    sendError(response, {
      status: 401,
      code: "wrong_health_key",
      text: "The health key is missing or wrong",
    });
  };
}

function givenKey(header: string): string {
  const [scheme = "", value = ""] = header.split(" ", 2);
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme.toLowerCase() !== "basic") return "";
  const credentials = Buffer.from(value, "base64").toString("utf8");
  return credentials.slice(credentials.indexOf(":") + 1);
}

const digest = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();
