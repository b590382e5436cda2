import { createServer, type Server } from "node:http";
import { createLog } from "@tillgate/service";
import type { Logger } from "pino";
import {
  type Config,
  credentialsOf,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  MAX_HEADERS,
  REQUEST_TIMEOUT_MS,
  readConfig,
  SHUTDOWN_TIMEOUT_MS,
  type StoreConfig,
} from "./config.js";
import type { Connector } from "./connector.js";
import { type ConnectorMetrics, createMetrics } from "./health/metrics.js";
import { createApp } from "./http/create-app.js";
import { openRecords } from "./records/open-records.js";
import type { OpenRecords } from "./records/records.js";
import { loadRules, type Rules } from "./rules.js";
import { startSweeping } from "./sweeping.js";
import { wireConnector } from "./wire-connector.js";

/** The service: one connector for each store, their edges, and their sweeps. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog({ name: "connector", level: config.LOG_LEVEL });
  const rules = loadRules();
  const records = await openRecords({
    url: config.CONNECTOR_DATABASE_URL,
    onConnectionError: (error) => log.warn({ error: error.message }, "A database connection broke"),
  });
  const registry = createMetrics();
  const connectors = config.CONNECTOR_STORES.map((store) =>
    connect(config, store, records, registry.metrics, rules, log),
  );
  const healthKey = config.CONNECTOR_HEALTH_KEY;
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 1_000,
    },
    createApp({
      connectors,
      ready: records.ready,
      registry,
      healthKey,
      log,
      requests: records.requests,
      limits: {
        perAddress: config.CONNECTOR_REQUESTS_PER_ADDRESS,
        perOrder: config.CONNECTOR_REQUESTS_PER_ORDER,
      },
      trustedProxies: config.CONNECTOR_TRUSTED_PROXIES,
    }),
  );
  server.maxConnections = config.CONNECTOR_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADERS;
  await listen(server, config);
  log.info({ host: config.HOST, port: config.PORT, stores: connectors.length }, "The connector is ready");

  const sweeping = startSweeping(connectors, log);
  const stop = async (signal: string): Promise<void> => {
    log.info({ signal }, "The connector stops");
    // Whatever is still under way after that is found again: claims run out, deliveries and sweeps repeat.
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref();
    server.closeIdleConnections();
    await Promise.all([new Promise((resolve) => server.close(resolve)), sweeping.stop()]);
    await Promise.all(connectors.map((connector) => connector.idle()));
    await records.close();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop(signal));
}

function connect(
  config: Config,
  store: StoreConfig,
  records: OpenRecords,
  metrics: ConnectorMetrics,
  rules: Rules,
  log: Logger,
): Connector {
  const address = `${config.CONNECTOR_URL}/v1/stores/${store.id}`;
  return wireConnector({
    records,
    metrics,
    rules,
    log,
    settings: {
      storeId: store.id,
      callbackUrl: `${address}/webhook`,
      siteUrl: store.url,
      returnUrl: store.return_url,
      credentials: credentialsOf(store),
      storeWebhookSecret: store.webhook_secret ?? null,
      storeWebhookUrl: store.webhook_secret === undefined ? null : `${address}/store-webhook`,
      shopRefunds: store.shop_refunds,
      paymentMethod: store.payment_method,
      expiresInSeconds: store.expires_in,
      sweepIntervalMs: config.CONNECTOR_SWEEP_SECONDS * 1000,
    },
    store: { url: store.url, consumerKey: store.consumer_key, consumerSecret: store.consumer_secret },
    tillgate: {
      baseUrl: config.TILLGATE_API_URL,
      // The shopper or a delivery waits: better an early "try again" than a late answer.
      timeoutMs: 5_000,
      // With the same key: a call whose answer was lost finds what it made.
      maxRetries: 1,
    },
  });
}

function listen(server: Server, { HOST, PORT }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(PORT, HOST, resolve);
  });
}

/** PostgreSQL's "connection refused" on a name with two addresses has its reason in the code only. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return "code" in error ? String(error.code) : error.name;
}

main().catch((error: unknown) => {
  process.stderr.write(`The connector can not start: ${reasonOf(error)}\n`);
  process.exit(1);
});
