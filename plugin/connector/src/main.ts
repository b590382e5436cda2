#!/usr/bin/env node
import { createLimitedServer, createLog, listen, type Running, run } from "@tillgate/service";
import { startTracing } from "@tillgate/service/tracing";
import type { Logger } from "pino";
import { type Config, readConfig, SERVER_LIMITS, SHUTDOWN_TIMEOUT_MS } from "./config.js";
import type { Connector } from "./connector.js";
import { type ConnectorMetrics, createMetrics } from "./health/metrics.js";
import { createApp } from "./http/create-app.js";
import { startComparisonLoop, startSweepLoop } from "./loops.js";
import { openRecords } from "./records/open-records.js";
import type { OpenRecords } from "./records/records.js";
import { loadRules, type Rules } from "./rules.js";
import { defaultSettings } from "./settings.js";
import { listCredentials, type StoreConfig } from "./store-config.js";
import { wireConnector } from "./wire-connector.js";

async function start(): Promise<Running> {
  const config = readConfig(process.env);
  const log = createLog({ name: "connector", level: config.logLevel });
  const traces = await startTracing({
    service: "tillgate connector",
    collector: config.traceCollector,
    sampleRatio: config.traceSampleRatio,
  });
  const rules = loadRules();
  const records = await openRecords({
    url: config.databaseUrl,
    onConnectionError: (error) => log.warn({ error: error.message }, "Database connection lost"),
  });
  const registry = createMetrics();
  const connectors = config.stores.map((store) =>
    connect(config, store, records, registry.metrics, rules, log),
  );
  const application = createApp({
    connectors,
    ready: records.ready,
    registry,
    healthKey: config.healthKey ?? null,
    log,
    requests: records.requests,
    limits: { perAddress: config.requestsPerAddress, perOrder: config.requestsPerOrder },
    trustedProxies: config.trustedProxies,
  });
  const serving = await listen(
    createLimitedServer(application, { ...SERVER_LIMITS, maxConnections: config.connections }),
    config,
  );
  log.info({ host: config.host, port: serving.port, stores: connectors.length }, "The connector is ready");

  const loops = connectors.flatMap((connector) => [
    startSweepLoop(connector, log),
    startComparisonLoop(connector, log),
  ]);
  return {
    log,
    stop: async () => {
      await Promise.all([serving.close(SHUTDOWN_TIMEOUT_MS), ...loops.map((loop) => loop.close())]);
      await Promise.all(connectors.map((connector) => connector.idle()));
      await records.close();
      await traces.close();
    },
    stopWithinMs: SHUTDOWN_TIMEOUT_MS,
  };
}

function connect(
  config: Config,
  store: StoreConfig,
  records: OpenRecords,
  metrics: ConnectorMetrics,
  rules: Rules,
  log: Logger,
): Connector {
  const address = `${config.url}/v1/stores/${store.id}`;
  return wireConnector({
    records,
    metrics,
    rules,
    log,
    settings: {
      storeId: store.id,
      callbackUrl: `${address}/webhook`,
      siteUrl: store.url,
      movedFrom: store.moved_from ?? null,
      returnUrl: store.return_url,
      credentials: listCredentials(store, config.apiUrl),
      storeWebhookSecret: store.webhook_secret ?? null,
      storeWebhookUrl: store.webhook_secret === undefined ? null : `${address}/store-webhook`,
      shopRefunds: store.shop_refunds,
      refundLines: store.refund_lines,
      restockRefunds: store.restock_refunds,
      paymentMethod: store.payment_method,
      expiresInSeconds: store.expires_in,
      sweepIntervalMs: config.sweepSeconds * 1000,
      claimMs: Math.max(defaultSettings.claimMs, 2_000 * store.timeout_seconds),
    },
    store: {
      url: store.url,
      consumerKey: store.consumer_key,
      consumerSecret: store.consumer_secret,
      timeoutMs: store.timeout_seconds * 1000,
      statuses: { payable: store.payable_statuses, paid: store.paid_statuses },
    },
    tillgate: {
      baseUrl: config.apiUrl,
      // A shopper or a webhook delivery is waiting, so an early error is better than a late response.
      timeoutMs: 5_000,
      // Safe, because a retry has the same idempotency key.
      maxRetries: 1,
    },
  });
}

const HELP = `Usage: tillgate-connector

Connects WooCommerce stores to Tillgate. Settings are environment variables. Required:

  CONNECTOR_DATABASE_URL   its own PostgreSQL database, or a SQLite file (file:/absolute/path)
  CONNECTOR_URL            public URL of the connector
  TILLGATE_API_URL         URL of the Tillgate API
  CONNECTOR_STORES         the stores as JSON, written by npx tillgate-connect

See docs/settings.md for all settings.
`;

if (process.argv.slice(2).some((option) => option === "--help" || option === "-h"))
  process.stdout.write(HELP);
else await run("connector", start);
