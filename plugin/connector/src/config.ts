import { z } from "zod";

/** The largest body an edge reads, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;
/** How long a stop waits for what is under way, in milliseconds. */
export const SHUTDOWN_TIMEOUT_MS = 4_500;
/** How long a client may take to send its request, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 20_000;

const webAddress = z
  .string({ error: "must be an absolute http or https address" })
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: "must be an absolute http or https address",
  })
  .transform((value) => value.replace(/\/+$/, ""));

const storeSchema = z.strictObject({
  /** The store's name in the connector's addresses. */
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "must be 1 to 64 letters, digits, hyphens or underscores" }),
  /** The store's address, as WordPress knows it. */
  url: webAddress,
  /** A REST key of the store that may read and write. */
  consumer_key: z.string().min(1),
  consumer_secret: z.string().min(1),
  /** The Tillgate credential whose mode is `mode`. */
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  /** The secret before the current one, for as long as a rotation lasts. */
  previous_client_secret: z.string().min(1).optional(),
  mode: z.enum(["sandbox", "live"]),
  /** Where the shopper goes afterwards. */
  return_url: z
    .string()
    .refine(
      (value) =>
        value.includes("{order_id}") && value.includes("{order_key}") && webAddress.safeParse(value).success,
      { error: "must be an absolute address that holds {order_id} and {order_key}" },
    ),
  /** The payment method's id in the store. */
  payment_method: z.string().min(1).default("tillgate"),
  /** Seconds in which a payment must be made; keep it below the store's minutes of holding stock. */
  expires_in: z.int().min(60).max(3600).default(900),
});
export type StoreConfig = z.infer<typeof storeSchema>;

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

const configSchema = z.object({
  /** The address to listen on. Default 127.0.0.1. */
  HOST: z.string().min(1).default("127.0.0.1"),
  /** The port to listen on. Default 4004. */
  PORT: wholeNumber(0, 65_535, 4004),
  /** The connector's own PostgreSQL database, as its owner. */
  CONNECTOR_DATABASE_URL: z
    .string({ error: "is required" })
    .regex(/^postgres(ql)?:\/\//, { error: "must be a postgresql:// address" }),
  /** The connector's public address: events are sent there. */
  CONNECTOR_URL: webAddress,
  /** The address of the Tillgate API. */
  TILLGATE_API_URL: webAddress,
  /** The stores, as a JSON array. */
  CONNECTOR_STORES: stores,
  /** Seconds between two sweeps, 5 to 240. Default 120: a lost event is repaired in under 5 minutes. */
  CONNECTOR_SWEEP_SECONDS: wholeNumber(5, 240, 120),
  /** trace, debug, info, warn, error, fatal or silent. Default info. */
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});
export type Config = z.infer<typeof configSchema>;

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
  const parsed = configSchema.safeParse(environment);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const [name, ...inside] = issue?.path ?? [];
  const where = inside.length === 0 ? String(name) : `${String(name)} (${inside.join(".")})`;
  throw new ConfigError(`${where} ${issue?.message ?? "can not be used"}`);
}
