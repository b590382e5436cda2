import { parseAddress, withoutTrailingSlashes } from "@tillgate/contract";
import { isNetwork } from "@tillgate/service";
import { z } from "zod";
import { ID_AS_SECRET, isNoClientId, isNoSecret, SECRET_AS_ID } from "./credential-shape.js";
import { isLiveAddress } from "./live-address.js";
import { isRecordsUrl } from "./records/open-records.js";
import type { StoreCredential } from "./settings.js";

/** The largest body an edge reads, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;
/** The largest delivery of the store's own webhook, in bytes: a whole order with all its lines. */
export const MAX_STORE_BODY_BYTES = 2 * 1024 * 1024;
/** How long a payment may be paid where the settings do not say, in seconds. */
const DEFAULT_EXPIRES_IN = 900;
/** A payment ends this many seconds before the store gives its stock to another, or at half that time where it is short. */
const HOLD_STOCK_MARGIN = 600;
/** How long a stop waits for what is under way, in milliseconds. */
export const SHUTDOWN_TIMEOUT_MS = 4_500;
/** How long a client may take to send its request, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 20_000;
/** How long it may take for the headers of it, in milliseconds. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** How long a connection is kept for the next request, in milliseconds: longer than a balancer keeps its own. */
export const KEEP_ALIVE_MS = 65_000;
/** Headers of one request. */
export const MAX_HEADERS = 100;

const webAddress = z
  .string({ error: "must be an absolute http or https address" })
  .refine((value) => /^https?:$/.test(parseAddress(value)?.protocol ?? ""), {
    error: "must be an absolute http or https address",
  })
  .transform(withoutTrailingSlashes);

/** The longest time for a payment that is safe with a store's minutes of holding stock, in seconds. */
const longestPayment = (holdStockMinutes: number): number =>
  holdStockMinutes * 60 - Math.min(HOLD_STOCK_MARGIN, holdStockMinutes * 30);

const clientId = z.string().min(1).refine(isNoSecret, { error: SECRET_AS_ID });
const clientSecret = z.string().min(1).refine(isNoClientId, { error: ID_AS_SECRET });

const storeSchema = z
  .strictObject({
    /** The store's name in the connector's addresses. */
    id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "must be 1 to 64 letters, digits, hyphens or underscores" }),
    /** The store's address, as WordPress knows it. */
    url: webAddress,
    /** A REST key of the store that may read and write. */
    consumer_key: z.string().regex(/^(?!cs_)./, { error: "must be a consumer key, not its secret" }),
    consumer_secret: z.string().regex(/^(?!ck_)./, { error: "must be a consumer secret, not its key" }),
    /** The Tillgate credential whose mode is `mode`. */
    client_id: clientId,
    client_secret: clientSecret,
    /** The secret before the current one, for as long as a rotation lasts. */
    previous_client_secret: clientSecret.optional(),
    /** Its client id and mode, where the store moved to another client or from the sandbox to live. */
    previous_client_id: clientId.optional(),
    previous_mode: z.enum(["sandbox", "live"]).optional(),
    mode: z.enum(["sandbox", "live"]),
    /** Where the shopper goes afterwards. */
    return_url: z
      .string()
      .refine(
        (value) =>
          value.includes("{order_id}") &&
          value.includes("{order_key}") &&
          webAddress.safeParse(value).success,
        { error: "must be an absolute address that holds {order_id} and {order_key}" },
      ),
    /** The payment method's id in the store. */
    payment_method: z.string().min(1).default("tillgate"),
    /** Seconds in which a payment must be made, 60 to 3600, at least 10 minutes below hold_stock_minutes. Default 900. */
    expires_in: z.int().min(60).max(3600).optional(),
    /**
     * WooCommerce's "Hold stock (minutes)": unpaid orders are cancelled after it. Default 60, as in WooCommerce; where the
     * store holds for ever, leave it.
     */
    hold_stock_minutes: z.int().min(2).max(100_000).default(60),
    /** The secret of the store's own webhook (order.updated) to /v1/stores/{id}/store-webhook. */
    webhook_secret: z.string().min(1).optional(),
    /** What a refund made in the store does: move the money at Tillgate, or nothing. */
    shop_refunds: z.enum(["send", "ignore"]).default("send"),
  })
  .transform((store, context) => {
    const longest = longestPayment(store.hold_stock_minutes);
    const expires_in = store.expires_in ?? Math.min(DEFAULT_EXPIRES_IN, longest);
    if (expires_in > longest) {
      context.addIssue({
        code: "custom",
        path: ["expires_in"],
        message: `must be at most ${longest}, so that a payment ends before the store gives up its stock`,
      });
    }
    const ofPrevious = ["previous_client_id", "previous_mode"] as const;
    for (const name of ofPrevious.filter((one) => store[one] !== undefined)) {
      if (store.previous_client_secret !== undefined) break;
      context.addIssue({ code: "custom", path: [name], message: "needs previous_client_secret" });
    }
    return { ...store, expires_in };
  });
export type StoreConfig = z.infer<typeof storeSchema>;

/** The credential in use and, where there is one, the one before it. */
export function credentialsOf(store: StoreConfig): [StoreCredential, ...StoreCredential[]] {
  const { mode, client_id, client_secret, previous_client_secret } = store;
  const current = { mode, clientId: client_id, clientSecret: client_secret };
  if (previous_client_secret === undefined) return [current];
  const { previous_mode = mode, previous_client_id = client_id } = store;
  return [
    current,
    { mode: previous_mode, clientId: previous_client_id, clientSecret: previous_client_secret },
  ];
}

const stores = z
  .string({ error: "is required" })
  .transform((text, context) => {
    try {
      const value: unknown = JSON.parse(text);
      return value;
    } catch {
      context.addIssue({ code: "custom", message: "must be a JSON array" });
      return z.NEVER;
    }
  })
  .pipe(z.array(storeSchema).min(1, { error: "must name at least one store" }).max(100))
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, {
    error: "must not name a store twice",
  });

const wholeNumber = (min: number, max: number, standard: number) =>
  z.coerce
    .number({ error: `must be a whole number from ${min} to ${max}` })
    .int({ error: `must be a whole number from ${min} to ${max}` })
    .min(min, { error: `must be at least ${min}` })
    .max(max, { error: `must not be greater than ${max}` })
    .default(standard);

const networks = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((one) => one.trim() || []))
  .refine((list) => list.every(isNetwork), {
    error: "must be addresses or networks, separated by commas: 10.0.0.1, 10.0.0.0/8",
  });

const configSchema = z.object({
  /** The address to listen on. Default 127.0.0.1. */
  HOST: z.string().min(1).default("127.0.0.1"),
  /** The port to listen on. Default 4004. */
  PORT: wholeNumber(0, 65_535, 4004),
  /** Connections at once; more are closed at once. Default 1000. */
  CONNECTOR_CONNECTIONS: wholeNumber(10, 100_000, 1_000),
  /**
   * Addresses or networks, separated by commas, whose X-Forwarded-For says who asks: a proxy in front of the connector, and
   * the shop's own server where it passes its shoppers' addresses on. Default none: the header is not believed.
   */
  CONNECTOR_TRUSTED_PROXIES: networks,
  /** Requests a minute from one address to the payments of any store. Default 1200. */
  CONNECTOR_REQUESTS_PER_ADDRESS: wholeNumber(10, 1_000_000, 1_200),
  /** Requests a minute from one address for one order. Default 60. */
  CONNECTOR_REQUESTS_PER_ORDER: wholeNumber(10, 1_000_000, 60),
  /** The connector's own PostgreSQL database, as its owner, or a SQLite file. */
  CONNECTOR_DATABASE_URL: z.string({ error: "is required" }).refine(isRecordsUrl, {
    error: "must be a postgresql:// address or a file:/absolute/path",
  }),
  /** The connector's public address: events are sent there. */
  CONNECTOR_URL: webAddress,
  /** The address of the Tillgate API. */
  TILLGATE_API_URL: webAddress,
  /** The stores, as a JSON array. */
  CONNECTOR_STORES: stores,
  /** Seconds between two sweeps, 5 to 240. Default 120: a lost event is repaired in under 5 minutes. */
  CONNECTOR_SWEEP_SECONDS: wholeNumber(5, 240, 120),
  /** Opens health panel and metrics, at least 32 characters. Left out or empty: they are not there. */
  CONNECTOR_HEALTH_KEY: z
    .string()
    .refine((value) => value === "" || value.length >= 32, { error: "must have at least 32 characters" })
    .default("")
    .transform((value) => (value === "" ? null : value)),
  /** trace, debug, info, warn, error, fatal or silent. Default info. */
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});

const settingsSchema = configSchema.superRefine((config, context) => {
  const live = config.CONNECTOR_STORES.find((store) =>
    credentialsOf(store).some(({ mode }) => mode === "live"),
  );
  if (live === undefined) return;
  const refuse = (path: (string | number)[]) =>
    context.addIssue({ code: "custom", path, message: `must be https: the store ${live.id} is live` });
  if (!isLiveAddress(config.TILLGATE_API_URL)) refuse(["TILLGATE_API_URL"]);
  if (!isLiveAddress(config.CONNECTOR_URL)) refuse(["CONNECTOR_URL"]);
  if (!isLiveAddress(live.return_url))
    refuse(["CONNECTOR_STORES", config.CONNECTOR_STORES.indexOf(live), "return_url"]);
});
export type Config = z.infer<typeof settingsSchema>;

/** A setting that stops the start. Its text names the setting and never repeats its value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * Reads the settings once, from the environment.
 *
 * @throws ConfigError with one line about the first setting that can not be used
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = settingsSchema.safeParse(environment);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const [name, ...inside] = issue?.path ?? [];
  const where = inside.length === 0 ? String(name) : `${String(name)} (${inside.join(".")})`;
  throw new ConfigError(`${where} ${issue?.message ?? "can not be used"}`);
}
