import { parseWebAddress } from "@tillgate/contract";
import {
  type Environment,
  host,
  logLevel,
  longText,
  matching,
  networks,
  oneOf,
  postgresAddress,
  readBy,
  readSettings,
  rulesOf,
  type SettingsTable,
  wholeNumber,
} from "@tillgate/service/settings";

const webOrigin = readBy(
  "an address that begins with http:// or https://",
  (text) => parseWebAddress(text)?.origin,
);

/** Every setting of the demo shop. */
export const storeSettings = {
  host,
  /** Port to listen on. 0 picks a free one. */
  port: { name: "PORT", kind: wholeNumber(0, 65_535), default: 4003 },
  /** Maximum open connections. Further ones are closed immediately. */
  connections: { name: "STORE_CONNECTIONS", kind: wholeNumber(10, 100_000), default: 1_000 },
  /** Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted. */
  trustedProxies: { name: "STORE_TRUSTED_PROXIES", kind: networks, default: "" },
  /** PostgreSQL database of the shop. */
  databaseUrl: { name: "STORE_DATABASE_URL", kind: postgresAddress, secret: true },
  /** Maximum database connections. */
  databaseConnections: { name: "STORE_DATABASE_CONNECTIONS", kind: wholeNumber(2, 100), default: 10 },
  /** Public address of the shop, used in links, webhooks and the origin check of forms. */
  storeUrl: { name: "STORE_URL", kind: webOrigin, default: "http://localhost:4003" },
  /** Address of the connector, called by the shop's server only. */
  connectorUrl: { name: "CONNECTOR_URL", kind: webOrigin, default: "http://localhost:4004" },
  /** Id of the shop at the connector. */
  storeId: {
    name: "STORE_ID",
    kind: matching(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, hyphens or underscores"),
    default: "demo",
  },
  /** The connector's endpoint for the shop's webhooks, registered at start. */
  webhookUrl: {
    name: "STORE_WEBHOOK_URL",
    kind: readBy("an absolute http or https address", (text) => parseWebAddress(text) && text),
    leftOut: "no webhooks",
  },
  /** Signs those webhooks. Required together with their address. */
  webhookSecret: {
    name: "STORE_WEBHOOK_SECRET",
    kind: longText(16, 200),
    leftOut: "no webhooks",
    secret: true,
  },
  /** REST key with read and write access, stored at start. */
  consumerKey: {
    name: "STORE_CONSUMER_KEY",
    kind: matching(/^ck_[\x21-\x7e]{8,200}$/, "ck_ and 8 to 200 characters"),
  },
  /** Secret of that key. */
  consumerSecret: {
    name: "STORE_CONSUMER_SECRET",
    kind: matching(/^cs_[\x21-\x7e]{8,200}$/, "cs_ and 8 to 200 characters"),
    secret: true,
  },
  /** Password of the shop owner's pages. */
  ownerPassword: { name: "STORE_OWNER_PASSWORD", kind: longText(8, 200), secret: true },
  /** Currency of the catalogue and of the checkout. */
  currency: {
    name: "STORE_CURRENCY",
    kind: matching(/^[A-Z]{3}$/, "an uppercase ISO 4217 code"),
    default: "EUR",
  },
  /** Whether REST keys may be sent as Basic authentication over plain HTTP from this machine. WooCommerce itself rejects that. */
  basicOverHttp: {
    name: "STORE_BASIC_OVER_HTTP",
    kind: oneOf(["loopback", "refuse"]),
    leftOut: "`refuse` if `NODE_ENV` is `production`, else `loopback`",
  },
  /** Minutes after which WooCommerce cancels an unpaid order from its classic checkout. 0 is never. */
  holdStockMinutes: { name: "STORE_HOLD_STOCK_MINUTES", kind: wholeNumber(0, 100_000), default: 60 },
  logLevel,
} satisfies SettingsTable;

const rule = rulesOf(storeSettings);
const rules = [
  rule(
    ["webhookSecret", "webhookUrl"],
    ({ webhookSecret, webhookUrl }) =>
      webhookUrl !== undefined && webhookSecret === undefined && "is required with STORE_WEBHOOK_URL",
  ),
  rule(
    ["webhookUrl", "webhookSecret"],
    ({ webhookSecret, webhookUrl }) =>
      webhookSecret !== undefined && webhookUrl === undefined && "is required with STORE_WEBHOOK_SECRET",
  ),
];

/** Limits that are the same everywhere. */
export const limits = {
  /** What a connection may hold. */
  server: { requestMs: 20_000, maxHeaders: 100 },
  /** Bytes of a REST body. */
  restBodyBytes: 1_048_576,
  /** Bytes of a shop form. */
  formBodyBytes: 16_384,
  /** Pieces of one product in a cart. */
  pieces: 99,
  /** Different products in a cart. */
  cartLines: 50,
  /** Meta data entries of one refund. */
  metaEntries: 500,
  /** Items that one request adds to an order. */
  orderItems: 500,
  /** Milliseconds the connector has for an answer. */
  connectorTimeoutMs: 10_000,
  /** Bytes of a connector's answer. */
  connectorAnswerBytes: 65_536,
  /** Milliseconds a webhook’s receiver has; not longer than a shutdown may take. */
  webhookTimeoutMs: 4_000,
  /** A webhook is switched off by the failure that follows this many in a row. */
  webhookFailures: 5,
  /** Milliseconds between two looks for webhook deliveries. */
  webhookPollMs: 500,
  /** Deliveries taken out at once. */
  webhookBatch: 20,
  /** Seconds by which an OAuth timestamp may differ, as in WooCommerce. */
  oauthWindowSeconds: 15 * 60,
  /** Milliseconds between two looks for unpaid orders. */
  expiryPollMs: 60_000,
  /** Unpaid orders cancelled in one round. */
  expiryBatch: 100,
  /** Orders on a page of the owner's list. */
  ownerPage: 20,
  /** Hours an owner stays signed in. */
  ownerSessionHours: 12,
  /** Wrong owner passwords in a row from one address before it has to wait. */
  ownerAttempts: 10,
  /** Addresses whose wrong passwords are counted. */
  ownerAddresses: 10_000,
  /** Minutes that this wait lasts. */
  ownerWaitMinutes: 15,
  /** Milliseconds a shutdown may take. */
  shutdownMs: 4_000,
} as const;

/** The settings as the code uses them. */
export type Config = ReturnType<typeof readConfig>;

/** Reads the settings. @throws SettingsError naming every setting that is missing or wrong. */
export function readConfig(environment: Environment) {
  const settings = readSettings(storeSettings, environment, rules);
  const { webhookUrl: deliveryUrl, webhookSecret: secret } = settings;
  return {
    ...settings,
    /** Null: the shop sends the connector no webhooks. */
    connectorWebhook: deliveryUrl && secret ? { deliveryUrl, secret } : null,
    basicOverHttp: settings.basicOverHttp ?? (environment.NODE_ENV === "production" ? "refuse" : "loopback"),
  };
}
