import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { migrate } from "@tillgate/migrate";
import { createLimitedServer, type Loop, listen, queryOneRow, startLoop } from "@tillgate/service";
import type { Logger } from "pino";
import { z } from "zod";
import { seedCatalogue } from "./catalogue/seed-catalogue.js";
import { type Config, limits } from "./config.js";
import { Database } from "./database/database.js";
import { createHttpApplication } from "./http-application.js";
import { expireOrders } from "./orders/change-status.js";
import { deliverWebhooks } from "./rest/deliver-webhooks.js";
import { Visitors } from "./shop/visitor.js";
import { registerConnectorWebhooks } from "./webhooks/webhook.js";

const secretSchema = z.object({ value: z.instanceof(Buffer) });

/** Loads a random key from the database, and creates the key at the first start. */
async function loadShopSecret(database: Database, name: string): Promise<Buffer> {
  const { value } = await queryOneRow(
    database,
    secretSchema,
    `INSERT INTO shop_secret (name, value) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET value = shop_secret.value RETURNING value`,
    [name, randomBytes(32)],
  );
  return value;
}

const migrationsFolder = fileURLToPath(new URL("../migrations", import.meta.url));

export type Store = {
  port: number;
  /** Stops accepting requests, finishes running requests and closes the database connections. */
  stop(): Promise<void>;
};

/**
 * Migrates the database, seeds an empty storefront, registers the connector's webhooks, and starts the server and the background jobs.
 * @throws PostgreSQL's or the operating system's error if the database or the port is unavailable
 */
export async function startStore(config: Config, logger: Logger): Promise<Store> {
  await migrate(config.databaseUrl, migrationsFolder);
  const database = new Database(config.databaseUrl, config.databaseConnections, (error) => {
    logger.warn({ err: error }, "an idle database connection was lost");
  });
  try {
    await seedCatalogue(database);
    if (config.connectorWebhook !== null) await registerConnectorWebhooks(database, config.connectorWebhook);
    const visitors = new Visitors(await loadShopSecret(database, "forms"), config.storeUrl);
    const server = createLimitedServer(createHttpApplication({ config, database, visitors, logger }), {
      ...limits.server,
      maxConnections: config.connections,
    });
    const serving = await listen(server, config);
    const loops = startLoops({ config, database, logger });
    return {
      port: serving.port,
      stop: async () => {
        await Promise.all([serving.close(limits.shutdownMs), ...loops.map((loop) => loop.close())]);
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

function startLoops(parts: { config: Config; database: Database; logger: Logger }): Loop[] {
  const { config, database, logger } = parts;
  const { storeUrl } = config;
  return [
    startLoop({
      name: "webhook delivery",
      intervalMs: limits.webhookPollMs,
      run: async () =>
        (await deliverWebhooks({ database, storeUrl, logger })) === limits.webhookBatch ? 0 : undefined,
      log: logger,
    }),
    startLoop({
      name: "expiry of unpaid orders",
      intervalMs: limits.expiryPollMs,
      run: async () =>
        (await expireOrders(database, config.holdStockMinutes)) === limits.expiryBatch ? 0 : undefined,
      log: logger,
    }),
  ];
}
