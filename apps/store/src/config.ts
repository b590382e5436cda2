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
  rulesFor,
  type SettingsTable,
  wholeNumber,
} from "@tillgate/service/settings";

const webOrigin = readBy(
  "an address that begins with http:// or https://",
  (text) => parseWebAddress(text)?.origin,
);

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
  /** Public URL of the shop, used in links, webhooks and the origin check of forms. */
  storeUrl: { name: "STORE_URL", kind: webOrigin, default: "http://localhost:4003" },
  /** URL of the connector, called by the shop's server only. */
  connectorUrl: { name: "CONNECTOR_URL", kind: webOrigin, default: "http://localhost:4004" },
  /** ID of the shop in the connector. */
  storeId: {
    name: "STORE_ID",
    kind: matching(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, hyphens or underscores"),
    default: "demo",
  },
  /** The connector's endpoint for the shop's webhooks, registered at start. */
  webhookUrl: {
    name: "STORE_WEBHOOK_URL",
    kind: readBy("an absolute http or https URL", (text) => parseWebAddress(text) && text),
    ifUnset: "no webhooks",
  },
  /** Secret that signs the shop's webhooks. Required together with `STORE_WEBHOOK_URL`. */
  webhookSecret: {
    name: "STORE_WEBHOOK_SECRET",
    kind: longText(16, 200),
    ifUnset: "no webhooks",
    secret: true,
  },
  /** REST key with read and write access. */
  consumerKey: {
    name: "STORE_CONSUMER_KEY",
    kind: matching(/^ck_[\x21-\x7e]{8,200}$/, "ck_ and 8 to 200 characters"),
  },
  /** Secret of the REST key. */
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
    ifUnset: "`refuse` if `NODE_ENV` is `production`, else `loopback`",
  },
  /** Minutes after which the shop cancels an unpaid order with `created_via` `checkout`, as WooCommerce does for its classic checkout; orders of the shop's own checkout are never cancelled automatically. 0 disables the cancellation. */
  holdStockMinutes: { name: "STORE_HOLD_STOCK_MINUTES", kind: wholeNumber(0, 100_000), default: 60 },
  logLevel,
} satisfies SettingsTable;

const rule = rulesFor(storeSettings);
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

export const limits = {
  server: { requestMs: 20_000, maxHeaders: 100 },
  restBodyBytes: 1_048_576,
  formBodyBytes: 16_384,
  /** Maximum quantity of one product in a cart. */
  pieces: 99,
  cartLines: 50,
  /** Maximum metadata entries of a refund. */
  metaEntries: 500,
  /** Maximum line items, and maximum fees, per request. */
  orderItems: 500,
  connectorTimeoutMs: 10_000,
  connectorAnswerBytes: 65_536,
  /** Timeout of a webhook receiver, in milliseconds; at most the shutdown timeout. */
  webhookTimeoutMs: 4_000,
  /** Recorded consecutive failures above which the next failure disables a webhook, as in WooCommerce. */
  webhookFailures: 5,
  webhookPollMs: 500,
  webhookBatch: 20,
  /** Allowed clock difference of an OAuth timestamp, as in WooCommerce. */
  oauthWindowSeconds: 15 * 60,
  expiryPollMs: 60_000,
  /** Maximum unpaid orders cancelled per run. */
  expiryBatch: 100,
  /** Orders per page of the owner's list. */
  ownerPage: 20,
  ownerSessionHours: 12,
  /** Consecutive wrong owner passwords per address before a lockout. */
  ownerAttempts: 10,
  /** Maximum addresses whose wrong passwords are counted. */
  ownerAddresses: 10_000,
  ownerWaitMinutes: 15,
  shutdownMs: 4_000,
} as const;

export type Config = ReturnType<typeof readConfig>;

/** Reads the settings. @throws SettingsError naming every invalid or missing setting */
export function readConfig(environment: Environment) {
  const settings = readSettings(storeSettings, environment, rules);
  const { webhookUrl: deliveryUrl, webhookSecret: secret } = settings;
  return {
    ...settings,
    /** The connector's webhook; null if the shop sends no webhooks to the connector. */
    connectorWebhook: deliveryUrl && secret ? { deliveryUrl, secret } : null,
    basicOverHttp: settings.basicOverHttp ?? (environment.NODE_ENV === "production" ? "refuse" : "loopback"),
  };
}
