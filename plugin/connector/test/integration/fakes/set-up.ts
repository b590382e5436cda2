import { createServer } from "node:http";
import pg from "pg";
import { createDatabase, databaseUrl, dropDatabase } from "../../../../../scripts/testing/databases.js";
import type { Connector } from "../../../src/connector.js";
import type { ConnectorLog } from "../../../src/connector-log.js";
import { createMetrics } from "../../../src/health/metrics.js";
import { createApp } from "../../../src/http/create-app.js";
import type { RequestLimits } from "../../../src/http/request-limit.js";
import { openRecords } from "../../../src/records/open-records.js";
import type { OpenRecords } from "../../../src/records/records.js";
import type { ConnectorSettings } from "../../../src/settings.js";
import { wireConnector } from "../../../src/wire-connector.js";
import { FakeStore } from "./fake-store.js";
import { CLIENT_SECRET, type Delivery, FakeTillgate } from "./fake-tillgate.js";
import { listenLocally } from "./listen-locally.js";

export const HEALTH_KEY = "health_6f1d2c3b4a5968778695a4b3c2d1e0f9";
export const STORE_WEBHOOK_SECRET = "whs_77f0e1d2c3b4a5968778695a4b3c2d1e";
export const CONSUMER_SECRET = "cs_1f2e3d4c5b6a79880f1e2d3c4b5a69788f9e0d1c";

/** Tillgate's URL in the settings; https, as required in live mode. Requests go to the fake. */
const TILLGATE_URL = "https://tillgate.test";

export type Reply = {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
};

export type Bench = {
  url: string;
  store: FakeStore;
  tillgate: FakeTillgate;
  connector: Connector;
  records: OpenRecords;
  database: pg.Pool;
  /** All log entries, as text. */
  logged: string[];
  start(orderId: number, orderKey?: string): Promise<Reply>;
  read(orderId: number, orderKey?: string): Promise<Reply>;
  deliver(delivery: Delivery): Promise<Reply>;
  call(path: string, init?: RequestInit): Promise<Reply>;
  /** Makes all scheduled checks due. */
  makeDue(): Promise<void>;
  /** Deletes all scheduled checks, so that a test checks only its own orders. */
  forgetDue(): Promise<void>;
  /** Schedules a check of an order. */
  scheduleCheck(orderId: number): Promise<void>;
  close(): Promise<void>;
};

/** Starts a connector service with a real database, a fake store and a fake Tillgate. */
export async function setUp(
  settings: Partial<ConnectorSettings> = {},
  {
    healthKey = HEALTH_KEY,
    limits = { perAddress: 10_000, perOrder: 10_000 },
    trustedProxies = [],
  }: { healthKey?: string | null; limits?: RequestLimits; trustedProxies?: string[] } = {},
): Promise<Bench> {
  const name = await createDatabase("connector");
  const address = databaseUrl(name);

  const store = await FakeStore.start();
  const tillgate = await FakeTillgate.start();
  const logged: string[] = [];
  const write = (fields: object, text: string) => void logged.push(`${text} ${JSON.stringify(fields)}`);
  const log: ConnectorLog = { info: write, warn: write, error: write };
  const records = await openRecords({
    url: address.href,
    onConnectionError: () => undefined,
  });
  const registry = createMetrics();
  const connector = wireConnector({
    records,
    metrics: registry.metrics,
    log,
    settings: {
      storeId: "demo",
      callbackUrl: "http://connector.test/v1/stores/demo/webhook",
      returnUrl: "http://store.test/checkout/return?order={order_id}&key={order_key}",
      siteUrl: store.url,
      credentials: [{ mode: "sandbox", clientId: "ci_demo", clientSecret: CLIENT_SECRET }],
      storeWebhookSecret: STORE_WEBHOOK_SECRET,
      storeWebhookUrl: "http://connector.test/v1/stores/demo/store-webhook",
      ...settings,
    },
    store: {
      url: store.url,
      consumerKey: "ck_0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
      consumerSecret: CONSUMER_SECRET,
      timeoutMs: 1_000,
    },
    tillgate: {
      baseUrl: TILLGATE_URL,
      fetch: (address, init) => fetch(String(address).replace(TILLGATE_URL, tillgate.url), init),
      timeoutMs: 1_000,
      maxRetries: 1,
      retryDelayMs: 1,
    },
  });
  const server = await listenLocally(
    createServer(
      createApp({
        connectors: [connector],
        ready: records.ready,
        registry,
        healthKey,
        log,
        requests: records.requests,
        limits,
        trustedProxies,
      }),
    ),
  );
  const database = new pg.Pool({ connectionString: address.href, max: 2 });
  database.on("error", () => undefined);

  const call = async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const response = await fetch(`${server.url}${path}`, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
  };
  const keyOf = (orderId: number) => store.order(orderId).order_key;

  return {
    url: server.url,
    store,
    tillgate,
    connector,
    records,
    database,
    logged,
    call,
    start: (orderId, orderKey = keyOf(orderId)) =>
      call("/v1/stores/demo/payments", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ order_id: orderId, order_key: orderKey }),
      }),
    read: (orderId, orderKey = keyOf(orderId)) =>
      call(`/v1/stores/demo/payments/${orderId}?order_key=${encodeURIComponent(orderKey)}`),
    deliver: ({ body, headers }) => call("/v1/stores/demo/webhook", { method: "POST", body, headers }),
    async makeDue() {
      await database.query("UPDATE due SET due_at = 0");
    },
    async forgetDue() {
      await database.query("DELETE FROM due");
    },
    scheduleCheck: (orderId) =>
      records.of("demo").due.schedule("order", [{ subject: String(orderId), storeOrderId: orderId }], 0),
    async close() {
      await server.close();
      await connector.idle();
      await database.end();
      await records.close();
      await store.close();
      await tillgate.close();
      await dropDatabase(name);
    },
  };
}
