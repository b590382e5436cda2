import { isNetwork } from "@tillgate/service";
import { z } from "zod";
import { webOrigin } from "./web-origin.js";
import type { ConnectorWebhook } from "./webhooks/keep-webhooks.js";

/** What stops the start: settings that are missing or wrong, one sentence each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const webAddress = z
  .string({ error: "is required" })
  .regex(/^https?:\/\//, { error: "must be an address that begins with http:// or https://" })
  .transform((value, context) => {
    const origin = webOrigin(value);
    if (origin !== undefined) return origin;
    context.addIssue({ code: "custom", message: "must be a full address" });
    return z.NEVER;
  });

const wholeNumber = (lowest: number, highest: number, standard: number) =>
  z.coerce
    .number({ error: "must be a whole number" })
    .int({ error: "must be a whole number" })
    .min(lowest, { error: `must be at least ${lowest}` })
    .max(highest, { error: `must be at most ${highest}` })
    .default(standard);

/** Addresses and networks, separated by commas; none where it is left out. */
const networks = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((one) => one.trim() || []))
  .refine((list) => list.every(isNetwork), {
    error: "must be addresses or networks, separated by commas: 10.0.0.1, 10.0.0.0/8",
  });

/** Every setting of the demo shop. */
const settings = z.object({
  /** Address to listen on. */
  HOST: z.string().min(1).default("127.0.0.1"),
  /** Port to listen on; 0 takes a free one. */
  PORT: wholeNumber(0, 65_535, 4003),
  /** Connections at once; more are closed at once. */
  STORE_CONNECTIONS: wholeNumber(10, 100_000, 1_000),
  /** Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed; none: the headers are anybody's. */
  STORE_TRUSTED_PROXIES: networks,
  /** PostgreSQL address of the shop's own database. */
  STORE_DATABASE_URL: z
    .string({ error: "is required" })
    .regex(/^postgres(ql)?:\/\//, { error: "must begin with postgresql://" }),
  /** Connections to the database, at most. */
  STORE_DATABASE_CONNECTIONS: wholeNumber(2, 100, 10),
  /** The shop's public address, used in links, webhooks and the check of where a form comes from. */
  STORE_URL: webAddress.default("http://localhost:4003"),
  /** Address of the connector, called by the shop's server only. */
  CONNECTOR_URL: webAddress.default("http://localhost:4004"),
  /** The shop's name at the connector. */
  STORE_ID: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "must be 1 to 64 letters, digits, hyphens or underscores" })
    .default("demo"),
  /** Where the connector takes the shop's webhooks, which are kept there from the start; empty: the shop sends none. */
  STORE_WEBHOOK_URL: z
    .url({ protocol: /^https?$/, error: "must be an absolute http or https address" })
    .optional(),
  /** Signs those webhooks. */
  STORE_WEBHOOK_SECRET: z
    .string()
    .min(16, { error: "must have at least 16 characters" })
    .max(200, { error: "must have at most 200 characters" })
    .optional(),
  /** REST key that the shop accepts (read and write), stored at the start. */
  STORE_CONSUMER_KEY: z
    .string({ error: "is required" })
    .regex(/^ck_[\x21-\x7e]{8,200}$/, { error: "must be ck_ and 8 to 200 characters" }),
  /** Secret of that key. */
  STORE_CONSUMER_SECRET: z
    .string({ error: "is required" })
    .regex(/^cs_[\x21-\x7e]{8,200}$/, { error: "must be cs_ and 8 to 200 characters" }),
  /** Password of the owner's pages. */
  STORE_OWNER_PASSWORD: z
    .string({ error: "is required" })
    .min(8, { error: "must have at least 8 characters" })
    .max(200, { error: "must have at most 200 characters" }),
  /** Currency of the catalogue and of the checkout. */
  STORE_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: "must be an uppercase ISO 4217 code" })
    .default("EUR"),
  /** Whether REST keys may come by Basic over plain HTTP from this machine; WooCommerce itself refuses them. */
  STORE_BASIC_OVER_HTTP: z.enum(["loopback", "refuse"], { error: "must be loopback or refuse" }).optional(),
  /** Minutes after which WooCommerce cancels an unpaid order that came from its own classic checkout; 0 is never. */
  STORE_HOLD_STOCK_MINUTES: wholeNumber(0, 100_000, 60),
  /** How much is logged. */
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], { error: "is not a log level" })
    .default("info"),
  /** `production` refuses what is only good on a developer's machine. */
  NODE_ENV: z.string().optional(),
});

/** The settings as the code uses them. */
export interface Config {
  host: string;
  port: number;
  connections: number;
  trustedProxies: string[];
  databaseUrl: string;
  databaseConnections: number;
  storeUrl: string;
  connectorUrl: string;
  storeId: string;
  consumerKey: string;
  consumerSecret: string;
  /** Null: the shop sends the connector no webhooks. */
  connectorWebhook: ConnectorWebhook | null;
  ownerPassword: string;
  currency: string;
  basicOverHttp: "loopback" | "refuse";
  holdStockMinutes: number;
  logLevel: string;
}

/** Limits that are the same everywhere. */
export const limits = {
  /** Milliseconds a client may take to send a request. */
  requestMs: 20_000,
  /** Milliseconds of these for its headers. */
  headersMs: 10_000,
  /** Milliseconds a connection is kept for the next request: longer than a balancer keeps its own. */
  keepAliveMs: 65_000,
  /** Headers of one request. */
  headers: 100,
  /** Bytes of a REST body. */
  restBodyBytes: 1_048_576,
  /** Bytes of a shop form. */
  formBodyBytes: 16_384,
  /** Pieces of one product in a cart. */
  pieces: 99,
  /** Different products in a cart. */
  cartLines: 50,
  /** Meta data entries of one order or refund. */
  metaEntries: 500,
  /** Items of one order. */
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

/**
 * Reads the settings once.
 *
 * @param environment variables by name, usually `process.env`; an empty one counts as left out.
 * @throws ConfigError with one sentence for each setting that is wrong.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const sentences = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}.`);
    throw new ConfigError([...new Set(sentences)].join(" "));
  }
  const value = parsed.data;
  const { STORE_WEBHOOK_URL: deliveryUrl, STORE_WEBHOOK_SECRET: secret } = value;
  if ((deliveryUrl === undefined) !== (secret === undefined))
    throw new ConfigError("STORE_WEBHOOK_URL and STORE_WEBHOOK_SECRET go together.");
  return {
    host: value.HOST,
    port: value.PORT,
    connections: value.STORE_CONNECTIONS,
    trustedProxies: value.STORE_TRUSTED_PROXIES,
    databaseUrl: value.STORE_DATABASE_URL,
    databaseConnections: value.STORE_DATABASE_CONNECTIONS,
    storeUrl: value.STORE_URL,
    connectorUrl: value.CONNECTOR_URL,
    storeId: value.STORE_ID,
    consumerKey: value.STORE_CONSUMER_KEY,
    consumerSecret: value.STORE_CONSUMER_SECRET,
    connectorWebhook: deliveryUrl === undefined || secret === undefined ? null : { deliveryUrl, secret },
    ownerPassword: value.STORE_OWNER_PASSWORD,
    currency: value.STORE_CURRENCY,
    basicOverHttp: value.STORE_BASIC_OVER_HTTP ?? (value.NODE_ENV === "production" ? "refuse" : "loopback"),
    holdStockMinutes: value.STORE_HOLD_STOCK_MINUTES,
    logLevel: value.LOG_LEVEL,
  };
}
