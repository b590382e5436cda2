import { fileURLToPath } from "node:url";
import compression from "compression";
import express, { type Express } from "express";
import helmet from "helmet";
import type { Logger } from "pino";
import type { Config } from "./config.js";
import type { Database } from "./database/database.js";
import { createOwnerRouter } from "./owner/owner-router.js";
import { OwnerSessions } from "./owner/session.js";
import { ConnectorClient } from "./payments/connector-client.js";
import { createRestRouter } from "./rest/rest-router.js";
import { PageNotFound } from "./shop/shop-context.js";
import { createErrorHandler, createFormParser, createShopRouter } from "./shop/shop-router.js";
import type { Visitors } from "./shop/visitor.js";

const publicFolder = fileURLToPath(new URL("../public", import.meta.url));

export type ApplicationParts = {
  config: Config;
  database: Database;
  visitors: Visitors;
  logger: Logger;
};

export function createHttpApplication({ config, database, visitors, logger }: ApplicationParts): Express {
  const application = express();
  application.disable("x-powered-by");
  application.set("trust proxy", config.trustedProxies);
  application.set("query parser", "simple");
  application.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          imgSrc: ["'self'"],
          connectSrc: ["'self'"],
          formAction: ["'self'"],
          baseUri: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
      strictTransportSecurity: config.storeUrl.startsWith("https:"),
      // Order URLs contain the order key, so no Referer may leak them.
      referrerPolicy: { policy: "same-origin" },
    }),
  );

  application.use(compression());

  application.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  application.get("/readyz", async (_request, response) => {
    try {
      await database.query("SELECT 1");
      response.json({ status: "ok" });
    } catch (error) {
      logger.error({ err: error }, "not ready: the database query failed");
      response.status(503).json({ status: "unavailable" });
    }
  });

  application.use(
    "/assets",
    express.static(publicFolder, { index: false, maxAge: "1h", fallthrough: false }),
  );

  const { storeUrl, currency } = config;
  application.use("/wp-json", createRestRouter({ database, logger, storeUrl, currency }, config));

  const shop = { config, database, visitors, logger, connector: new ConnectorClient(config) };
  application.use(createFormParser(config.storeUrl));
  application.use("/owner", createOwnerRouter(shop, new OwnerSessions(database, config)));
  application.use(createShopRouter(shop));

  application.use((_request, _response, next) => next(new PageNotFound()));
  application.use(createErrorHandler(shop));
  return application;
}
