import { createHmac, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createPayClient, type PayClient } from "@tillgate/client";
import {
  type Connector,
  type ConnectorSettings,
  createConnector,
  openRecords,
  type StoreAccess,
  woocommerceStore,
} from "@tillgate/connector";
import { z } from "zod";
import { ApiDatabase } from "../fixtures/api-database.js";
import { CompletionLog } from "./completions.js";
import { pace } from "./pace.js";
import { Shop } from "./shop.js";
import { Shopper } from "./shopper.js";
import { type ReceivedWebhook, WebhookInbox } from "./webhook-inbox.js";

/** Environment variable with the folder of the running stack's sandbox.json and secrets.json. */
export const folderVariable = "TILLGATE_CONNECTOR_TEST_FOLDER";

const merchantSchema = z
  .object({ client_id: z.string(), client_secret: z.string(), api_token: z.string() })
  .transform(({ client_id, client_secret, api_token }) => ({
    clientId: client_id,
    clientSecret: client_secret,
    apiToken: api_token,
  }));
const sandboxSchema = z.object({
  api: z.string(),
  store: z.string(),
  database_url: z.string(),
  merchant: merchantSchema,
  other_merchant: merchantSchema,
  shoppers: z.array(z.object({ phone: z.string(), active: z.boolean(), currencies: z.array(z.string()) })),
  store_keys: z.object({ consumer_key: z.string(), consumer_secret: z.string() }),
});
const secretsSchema = z.object({ internal_key: z.string(), connector_database_password: z.string() });

export type Running = {
  api: string;
  shop: Shop;
  shopper: Shopper;
  books: ApiDatabase;
  merchant: z.output<typeof merchantSchema>;
  /** Merchant of tests whose calls and webhooks must not mix with those of the first merchant. */
  otherMerchant: z.output<typeof merchantSchema>;
  tillgate: PayClient;
  /** Phone number of a shopper with a EUR wallet. */
  recipient: string;
  connectorDatabaseUrl: string;
};

export async function findRunning(): Promise<Running> {
  const folder = process.env[folderVariable];
  if (folder === undefined)
    throw new Error("Run these tests in the Vitest project connector, whose setup starts the services.");
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(path.join(folder, name), "utf8"));
  const sandbox = sandboxSchema.parse(await read("sandbox.json"));
  const secrets = secretsSchema.parse(await read("secrets.json"));
  const database = new URL(sandbox.database_url);
  database.pathname = "/tillgate_connector";
  database.username = "tillgate_connector";
  database.password = secrets.connector_database_password;
  const { merchant, other_merchant: otherMerchant } = sandbox;
  return {
    api: sandbox.api,
    shop: new Shop({
      url: process.env.WOO_URL ?? sandbox.store,
      consumerKey: process.env.WOO_CONSUMER_KEY ?? sandbox.store_keys.consumer_key,
      consumerSecret: process.env.WOO_CONSUMER_SECRET ?? sandbox.store_keys.consumer_secret,
    }),
    shopper: new Shopper({ api: sandbox.api, internalKey: secrets.internal_key }),
    books: new ApiDatabase(sandbox.database_url),
    merchant,
    otherMerchant,
    tillgate: createPayClient({ baseUrl: sandbox.api, mode: "sandbox", ...merchant }),
    recipient:
      sandbox.shoppers.find(({ active, currencies }) => active && currencies.includes("EUR"))?.phone ?? "",
    connectorDatabaseUrl: database.href,
  };
}

/** A connector in this process, between the shop and the API under test. It gets only the webhooks that a test delivers. */
export type Bench = Running & {
  connector: Connector;
  mailbox: WebhookInbox;
  completions: CompletionLog;
  logged: string[];
  deliver(mail: ReceivedWebhook): ReturnType<Connector["receiveWebhook"]>;
  /** Delivers the shop's own order webhook, signed as the shop signs it. */
  deliverStoreWebhook(orderId: number): ReturnType<Connector["receiveStoreWebhook"]>;
  /** Runs a sweep, or waits for the sweep in progress: a process runs one sweep at a time. */
  sweep(): Promise<unknown>;
  close(): Promise<void>;
};

export type BenchOptions = {
  settings?: Partial<ConnectorSettings>;
  /** Storage of the connector's records. Default: PostgreSQL. */
  records?: "postgres" | "sqlite";
  /** Addresses of proxies in front of the shop and the API. Default: no proxies. */
  shopUrl?: string;
  apiUrl?: string;
  wrapStore?: (store: StoreAccess) => StoreAccess;
  nowSeconds?: () => number;
  /** Timeout of the connector's calls to the shop and the API, in milliseconds. */
  timeoutMs?: number;
};

const SHOP_SECRET = "the secret of the shop's own webhook";
export const SWEEP_INTERVAL_MS = 1_000;

export async function openBench(options: BenchOptions = {}): Promise<Bench> {
  const running = await findRunning();
  const { merchant, shop } = running;
  const mailbox = await WebhookInbox.open();
  const folder = await mkdtemp(path.join(tmpdir(), "tillgate-connector-"));
  const timeoutMs = options.timeoutMs ?? pace.callTimeoutMs;
  const url =
    options.records === "sqlite" ? `file:${path.join(folder, "records.db")}` : running.connectorDatabaseUrl;
  const records = await openRecords({ url, onConnectionError: () => undefined });
  const completions = new CompletionLog();
  const logged: string[] = [];
  const write = (fields: object, text: string) => void logged.push(`${text} ${JSON.stringify(fields)}`);
  const tillgate = createPayClient({
    baseUrl: options.apiUrl ?? running.api,
    mode: "sandbox",
    ...merchant,
    timeoutMs,
    maxRetries: 1,
  });
  // A separate store ID per bench, because they share a database.
  const { storeId = `shop-${randomBytes(4).toString("hex")}` } = options.settings ?? {};
  const store = completions.watch(
    woocommerceStore({ ...shop.keys, url: options.shopUrl ?? shop.keys.url, timeoutMs }),
    (orderId) => shop.notes(orderId),
  );
  const connector = createConnector({
    ...records.of(storeId),
    log: { info: write, warn: write, error: write },
    settings: {
      storeId,
      callbackUrl: mailbox.url,
      siteUrl: shop.keys.url,
      returnUrl: `${shop.keys.url}/checkout/return?order={order_id}&key={order_key}`,
      credentials: [{ mode: "sandbox", clientId: merchant.clientId, clientSecret: merchant.clientSecret }],
      storeWebhookSecret: SHOP_SECRET,
      sweepIntervalMs: SWEEP_INTERVAL_MS,
      // The shop is on this machine, so there is no clock skew.
      storeOverlapMs: 3_000,
      // There is no clock skew with the API either. A longer overlap would read the refunds of thousands of test orders of this merchant again.
      refundOverlapMs: 10_000,
      ...options.settings,
    },
    store: options.wrapStore?.(store) ?? store,
    tillgate,
    ...(options.nowSeconds === undefined ? {} : { nowSeconds: options.nowSeconds }),
  });
  let sweeping: Promise<unknown> | undefined;
  return {
    ...running,
    connector,
    mailbox,
    completions,
    logged,
    deliver: ({ headers, body }) => connector.receiveWebhook({ headers, body }),
    deliverStoreWebhook(orderId) {
      const body = Buffer.from(JSON.stringify({ id: orderId }), "utf8");
      const signature = createHmac("sha256", SHOP_SECRET).update(body).digest("base64");
      return connector.receiveStoreWebhook({
        signature,
        topic: "order.updated",
        contentType: "application/json",
        body,
      });
    },
    sweep() {
      sweeping ??= connector.sweep().finally(() => {
        sweeping = undefined;
      });
      return sweeping;
    },
    async close() {
      await records.close();
      await mailbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Repeats `check` until it succeeds. @throws the error of the first check that fails after the timeout; a running check is not interrupted */
export async function eventually<T>(check: () => Promise<T>, timeoutMs = pace.stateTimeoutMs): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
