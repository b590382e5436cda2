import { type Logger, pino } from "pino";
import { readConfig } from "../../src/config.js";
import { Database } from "../../src/database/database.js";
import { startStore } from "../../src/start-store.js";
import { type FakeConnector, startFakeConnector } from "./fake-connector.js";
import { createTestDatabase } from "./test-database.js";

export const consumerKey = "ck_test_key_of_the_shop";
export const consumerSecret = "cs_test_secret_of_the_shop";
export const ownerPassword = "the owner's password";

export type RestResponse = {
  status: number;
  // Checked with matchers; IDs are read by `idOf`.
  data: unknown;
  headers: Headers;
};

export type ShopUnderTest = {
  url: string;
  connector: FakeConnector;
  database: Database;
  /** Calls the REST API with the shop's key. */
  rest(method: string, path: string, body?: unknown): Promise<RestResponse>;
  stop(): Promise<void>;
};

/** Starts a shop on a free port, with a new database and a fake connector. */
export async function startShop(
  settings: Record<string, string> = {},
  logger: Logger = pino({ level: "silent" }),
): Promise<ShopUnderTest> {
  const testDatabase = await createTestDatabase();
  const connector = await startFakeConnector();
  const config = readConfig({
    PORT: "0",
    STORE_DATABASE_URL: testDatabase.url,
    STORE_URL: "http://shop.example",
    CONNECTOR_URL: connector.url,
    STORE_CONSUMER_KEY: consumerKey,
    STORE_CONSUMER_SECRET: consumerSecret,
    STORE_OWNER_PASSWORD: ownerPassword,
    LOG_LEVEL: "silent",
    ...settings,
  });
  const store = await startStore(config, logger);
  const database = new Database(testDatabase.url, 2, () => undefined);
  const url = `http://127.0.0.1:${store.port}`;
  const authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString("base64")}`;
  return {
    url,
    connector,
    database,
    rest: async (method, path, body) => {
      const response = await fetch(`${url}/wp-json/wc/v3/${path}`, {
        method,
        headers: { Authorization: authorization, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, data: await response.json(), headers: response.headers };
    },
    stop: async () => {
      await store.stop();
      await database.close();
      await connector.stop();
      await testDatabase.drop();
    },
  };
}

/** The ID in a response. */
export function idOf({ status, data }: RestResponse): number {
  if (typeof data === "object" && data !== null && "id" in data && typeof data.id === "number")
    return data.id;
  throw new Error(`The response (status ${status}) has no ID: ${JSON.stringify(data)}`);
}

export async function countOf(database: Database, table: "shop_order" | "order_refund" | "order_note") {
  const { rows } = await database.query(`SELECT count(*) AS rows FROM ${table}`);
  return Number(rows[0]?.rows);
}
