import type { Server } from "node:http";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { migrate } from "@tillgate/migrate";
import type { Logger } from "pino";
import { seedCatalogue } from "./catalogue/seed-catalogue.js";
import { type Config, limits } from "./config.js";
import { Database } from "./database/database.js";
import { shopSecret } from "./database/shop-secret.js";
import { httpApplication } from "./http-application.js";
import { expireOrders } from "./orders/expire-orders.js";
import { type Repetition, repeat } from "./repeat.js";
import { storeApiKey } from "./rest/authentication.js";
import { RestLinks } from "./rest/links.js";
import { Visitors } from "./shop/visitor.js";
import { deliverWebhooks } from "./webhooks/deliver.js";
import { keepWebhooks } from "./webhooks/keep-webhooks.js";

/** Nobody holds a connection without asking. */
const serverLimits = {
  requestTimeout: limits.requestMs,
  headersTimeout: limits.headersMs,
  keepAliveTimeout: limits.keepAliveMs,
  connectionsCheckingInterval: 1_000,
};

const migrationsFolder = fileURLToPath(new URL("../migrations", import.meta.url));

/** A running shop. */
export interface Store {
  /** The port it listens on. */
  port: number;
  /** Stops accepting, finishes what is under way and closes the database. */
  stop(): Promise<void>;
}

/**
 * Brings the database up to date, fills an empty shop and listens.
 *
 * @throws what PostgreSQL or the operating system say when the database or the port is not to be had.
 */
export async function startStore(config: Config, logger: Logger): Promise<Store> {
  await migrate(config.databaseUrl, migrationsFolder);
  const database = new Database(config.databaseUrl, config.databaseConnections, (error) => {
    logger.warn({ err: error }, "a database connection that nobody used was lost");
  });
  try {
    await seedCatalogue(database);
    await storeApiKey(database, config.consumerKey, config.consumerSecret);
    if (config.connectorWebhook !== null) await keepWebhooks(database, config.connectorWebhook);
    const visitors = new Visitors(await shopSecret(database, "forms"), config.storeUrl);
    const server = createServer(serverLimits, httpApplication({ config, database, visitors, logger }));
    server.maxConnections = config.connections;
    server.maxHeadersCount = limits.headers;
    await listen(server, config);
    const repetitions = startRepetitions({ config, database, logger });
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : config.port;
    return {
      port,
      stop: async () => {
        await Promise.all([close(server), ...repetitions.map((repetition) => repetition.stop())]);
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** What the shop does besides answering: it delivers webhooks and ends unpaid orders. */
function startRepetitions(parts: { config: Config; database: Database; logger: Logger }): Repetition[] {
  const { config, database, logger } = parts;
  const links = new RestLinks(config.storeUrl);
  return [
    repeat({
      name: "delivering webhooks",
      everyMs: limits.webhookPollMs,
      round: async () => (await deliverWebhooks({ database, links, logger })) === limits.webhookBatch,
      logger,
    }),
    repeat({
      name: "ending unpaid orders",
      everyMs: limits.expiryPollMs,
      round: async () => (await expireOrders(database, config.holdStockMinutes)) === limits.expiryBatch,
      logger,
    }),
  ];
}

const listen = (server: Server, { host, port }: Config): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });

/** Lets requests under way finish, but not for longer than a shutdown may take. */
const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), limits.shutdownMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
