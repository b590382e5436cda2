import { withoutTrailingSlashes } from "@tillgate/contract";
import { parseKeyring } from "@tillgate/database";
import { isNetwork } from "@tillgate/service";
import { z } from "zod";
import { ConfigError } from "./config-error.js";
import { type MailSettings, mustBeEncrypted, parseSender, parseSmtpUrl } from "./mail/settings.js";
import { isWeakKey } from "./weak-key.js";

/** A whole number in plain digits, within limits. */
const count = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

const databaseAddress = z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgresql:// address" });

/** A public address that a path can be put behind. */
const webAddress = z
  .url({ protocol: /^https?$/, error: "must be an http or https address", abort: true })
  .refine((text) => /^[^?#@]+$/.test(text), { error: "must have no credentials, query or fragment" })
  .transform(withoutTrailingSlashes);

/** A text that a function reads; what it cannot read is refused without being shown. */
const readBy = <Value>(read: (text: string) => Value | undefined, error: string) =>
  z.string().transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });

const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
  );

/** Long enough for a balancer to notice that readiness fell, in milliseconds. */
const PRODUCTION_DRAIN_MS = 5_000;

/** What a header can carry: printable ASCII without spaces. */
const HEADER_SAFE = /^[\x21-\x7e]*$/;

/** What another program of ours shows to use an edge. */
const edgeKey = z
  .string()
  .min(32, { error: "must be at least 32 characters" })
  .regex(HEADER_SAFE, { error: "must be printable ASCII without spaces" });

/** Every setting: environment variable, default, limit, and what it is for. */
const settingsSchema = z.object({
  /** `production` demands HTTPS and keys of your own; anything else is a development or demo system. */
  TILLGATE_ENVIRONMENT: oneOf(["production", "development"]).default("development"),
  /** What this process does: serve HTTP, run the workers, or both. */
  TILLGATE_ROLE: oneOf(["all", "http", "worker"]).default("all"),
  /** Address to listen on. */
  HOST: z.string().min(1).default("127.0.0.1"),
  /** Port to listen on. */
  PORT: count(1, 65_535).default(4000),
  /** Connections at the same time; one more is closed at once. */
  TILLGATE_CONNECTIONS: count(1, 1_000_000).default(10_000),
  /** How long requests are still accepted after a signal to end, while readiness already says no, in milliseconds. Default: 5000 in production, else 0. */
  TILLGATE_DRAIN_MS: count(0, 600_000).optional(),
  /** How long accepted requests may take to finish after that, in milliseconds. */
  TILLGATE_FINISH_MS: count(0, 600_000).default(5_000),
  /** PostgreSQL database of the api. */
  DATABASE_URL: databaseAddress,
  /** The same database without a pooler in between, for LISTEN. Default: DATABASE_URL. */
  DATABASE_DIRECT_URL: databaseAddress.optional(),
  /** The most database connections this process opens. */
  TILLGATE_DATABASE_CONNECTIONS: count(2, 200).default(20),
  /** Calls that may wait for a database connection in this process; one more is answered 503 at once. */
  TILLGATE_DATABASE_WAITING: count(1, 100_000).default(512),
  /** How long one statement may run, in milliseconds. */
  TILLGATE_STATEMENT_TIMEOUT_MS: count(100, 600_000).default(15_000),
  /** Public address of the hosted page; payment_url and QR start with it. */
  TILLGATE_PAY_URL: webAddress.default("http://localhost:4001"),
  /** Shared with the hosted page: whoever knows it may use the checkout edge. */
  TILLGATE_INTERNAL_KEY: edgeKey,
  /** Shared with the console, which may speak for any of its users: a key that the page does not know. Without one there is no console edge. */
  TILLGATE_CONSOLE_KEY: edgeKey.optional(),
  /** Shown by the program that collects metrics, as a Bearer token at `/metrics`. Without one there are no metrics. */
  TILLGATE_METRICS_KEY: edgeKey.optional(),
  /** Address and port of their own for the edges of the page and the console and for the metrics. Default: HOST and PORT, where only their keys guard them. */
  TILLGATE_INTERNAL_HOST: z.string().min(1).optional(),
  TILLGATE_INTERNAL_PORT: count(1, 65_535).optional(),
  /** `<key id>:<base64 of 32 bytes>[,…]`, the current key first: encrypts secrets at rest and signs form tokens. */
  TILLGATE_ENCRYPTION_KEYS: z.string().transform((text, context) => {
    try {
      return parseKeyring(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  }),
  /** Addresses or networks of proxies whose X-Forwarded-* headers count, separated by commas. */
  TILLGATE_TRUSTED_PROXIES: list.refine((networks) => networks.every(isNetwork), {
    error: "must be addresses or networks (10.0.0.0/8), separated by commas",
  }),
  /** Host names beside loopback on which plain HTTP is accepted outside production, separated by commas. */
  TILLGATE_HTTP_HOSTS: list.transform((hosts) => hosts.map((host) => host.toLowerCase())),
  /** Whether webhooks may go to private and loopback addresses: `allow` is for development only. */
  TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: oneOf(["allow", "refuse"]).default("refuse"),
  /** How long a shopper who chose to stay signed in is remembered after the last PIN, in seconds: for name and wallets only. */
  TILLGATE_WALLET_SESSION_SECONDS: count(60, 30 * 86_400).default(7 * 86_400),
  /** How long one who did not is signed in after the last PIN, in seconds, unless the browser is closed before. */
  TILLGATE_WALLET_VISIT_SECONDS: count(60, 86_400).default(3_600),
  /** How long after a PIN a shopper pays the order it was entered for without another, in seconds. */
  TILLGATE_PIN_FRESH_SECONDS: count(0, 3_600).default(300),
  /** Sign-ins in a minute after which an address is slowed, and an own device refused. */
  TILLGATE_SIGN_INS_A_MINUTE: count(1, 100_000).default(30),
  /** Wrong PINs after which a phone number or e-mail is locked for strangers, or an own device, for a while. */
  TILLGATE_WRONG_PINS_UNTIL_LOCK: count(1, 100).default(5),
  /** Wrong PINs of strangers after which their client address is slowed; one is forgotten every 10 minutes. */
  TILLGATE_WRONG_PINS_AN_ADDRESS: count(1, 100_000).default(30),
  /** How long the first such lock lasts, in seconds; the next ones 5, 15, 60, 240 and 1,440 times that, a day at most. */
  TILLGATE_PIN_LOCK_SECONDS: count(1, 86_400).default(60),
  /** Payments one shopper may try to confirm in a minute. */
  TILLGATE_CONFIRMS_A_MINUTE: count(1, 100_000).default(30),
  /** Quotes one shopper may ask for in a minute. */
  TILLGATE_SHOPPER_QUOTES_A_MINUTE: count(1, 100_000).default(30),
  /** Requests a minute of one merchant and mode to the Pay API, unless an administrator gave it another limit. */
  TILLGATE_PAY_REQUESTS_A_MINUTE: count(1, 100_000_000).default(600),
  /** The same for the Partner API. */
  TILLGATE_PARTNER_REQUESTS_A_MINUTE: count(1, 100_000_000).default(120),
  /** Requests a minute of one client address to the token endpoint. */
  TILLGATE_TOKENS_A_MINUTE: count(1, 100_000_000).default(30),
  /** Wrong secrets for one client id from one address in 15 minutes, after which further wrong ones wait. */
  TILLGATE_WRONG_SECRETS_A_CLIENT: count(0, 1_000_000).default(5),
  /** Wrong secrets from one address in 15 minutes, after which further wrong ones wait. */
  TILLGATE_WRONG_SECRETS_AN_ADDRESS: count(0, 1_000_000).default(20),
  /** How long a credential is remembered, in milliseconds: a revocation takes that long at the most. */
  TILLGATE_CREDENTIAL_CACHE_MS: count(0, 2_000).default(2_000),
  /** Live status streams one order may have open in this process. */
  TILLGATE_STREAMS_AN_ORDER: count(1, 10_000).default(20),
  /** Live status streams one client address may have open in this process. */
  TILLGATE_STREAMS_AN_ADDRESS: count(1, 10_000).default(30),
  /** Webhook deliveries this process sends at the same time. */
  TILLGATE_DELIVERIES_AT_ONCE: count(1, 1_000).default(50),
  /** How long one webhook attempt may take in all, in milliseconds. */
  TILLGATE_DELIVERY_TIMEOUT_MS: count(100, 60_000).default(15_000),
  /** How long the attempts of settled webhook deliveries are kept, in days. */
  TILLGATE_KEEP_ATTEMPTS_DAYS: count(7, 3_650).default(30),
  /** How long events are kept with their deliveries, in days; also the merchants' timelines. The database refuses less. */
  TILLGATE_KEEP_EVENTS_DAYS: count(30, 36_500).default(400),
  /** The mail server for notices to merchants' people: `smtp://user:password@host:587` (STARTTLS) or `smtps://…`, percent-encoded. Without one nothing is mailed. */
  TILLGATE_SMTP_URL: readBy(
    parseSmtpUrl,
    "must be smtp:// or smtps://, with a host, and with both or neither of user and password, percent-encoded",
  ).optional(),
  /** Who such mails are from: `notices@example.com` or `Tillgate <notices@example.com>`. */
  TILLGATE_MAIL_FROM: readBy(
    parseSender,
    "must be one e-mail address, such as Tillgate <notices@example.com>",
  ).optional(),
  /** How much is logged. */
  LOG_LEVEL: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

const KEY_SETTINGS = [
  "TILLGATE_INTERNAL_KEY",
  "TILLGATE_CONSOLE_KEY",
  "TILLGATE_METRICS_KEY",
  "TILLGATE_ENCRYPTION_KEYS",
] as const;

type Settings = z.output<typeof settingsSchema>;

/** The settings under the names the code uses. */
export type Config = {
  production: boolean;
  role: Settings["TILLGATE_ROLE"];
  host: string;
  port: number;
  connections: number;
  drainMs: number;
  finishMs: number;
  databaseUrl: string;
  databaseDirectUrl: string;
  databaseConnections: number;
  databaseWaiting: number;
  statementTimeoutMs: number;
  payUrl: string;
  internalKey: string;
  /** Undefined: there are no metrics. */
  metricsKey: string | undefined;
  /** Where the internal edges listen; undefined: with the others. */
  internal: { host: string; port: number } | undefined;
  /** Undefined: there is no console edge. */
  consoleKey: string | undefined;
  keyring: Settings["TILLGATE_ENCRYPTION_KEYS"];
  trustedProxies: string[];
  httpHosts: string[];
  privateWebhookAddresses: boolean;
  walletSessionSeconds: number;
  walletVisitSeconds: number;
  signInsAMinute: number;
  pinFreshSeconds: number;
  wrongPinsUntilLock: number;
  wrongPinsAnAddress: number;
  pinLockSeconds: number;
  confirmsAMinute: number;
  shopperQuotesAMinute: number;
  payRequestsAMinute: number;
  partnerRequestsAMinute: number;
  tokensAMinute: number;
  wrongSecretsAClient: number;
  wrongSecretsAnAddress: number;
  credentialCacheMs: number;
  streamsAnOrder: number;
  streamsAnAddress: number;
  deliveriesAtOnce: number;
  deliveryTimeoutMs: number;
  keepAttemptsDays: number;
  keepEventsDays: number;
  /** Undefined: notices are not mailed. */
  mail: MailSettings | undefined;
  logLevel: Settings["LOG_LEVEL"];
};

/** The names of keys that were not drawn at random. Encryption keys are judged one by one, without their ids. */
const weakKeys = (given: Record<string, string | undefined>): string[] =>
  KEY_SETTINGS.filter((name) =>
    (given[name] ?? "")
      .split(",")
      .map((key) => key.slice(key.indexOf(":") + 1))
      .some((key) => key !== "" && isWeakKey(key)),
  );

/** Reads the settings. @throws ConfigError naming every setting that is missing or wrong. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success)
    throw new ConfigError(
      parsed.error.issues
        .map(
          ({ path, message, code }) =>
            `${path.join(".")}: ${given[String(path[0])] === undefined && code === "invalid_type" ? "is required" : message}`,
        )
        .join("\n"),
    );
  const s = parsed.data;
  const production = s.TILLGATE_ENVIRONMENT === "production";
  if (s.TILLGATE_INTERNAL_HOST !== undefined && s.TILLGATE_INTERNAL_PORT === undefined)
    throw new ConfigError("TILLGATE_INTERNAL_PORT: is required with TILLGATE_INTERNAL_HOST");
  if (production && s.TILLGATE_WEBHOOK_PRIVATE_ADDRESSES === "allow")
    throw new ConfigError("TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: must be refuse in production");
  if (production && !s.TILLGATE_PAY_URL.startsWith("https://"))
    throw new ConfigError("TILLGATE_PAY_URL: must be an https address in production");
  const weak = production ? weakKeys(given) : [];
  if (weak.length > 0)
    throw new ConfigError(
      weak.map((name) => `${name}: is too easy to guess for production; draw it at random`).join("\n"),
    );
  if ((s.TILLGATE_SMTP_URL === undefined) !== (s.TILLGATE_MAIL_FROM === undefined))
    throw new ConfigError(
      s.TILLGATE_SMTP_URL
        ? "TILLGATE_MAIL_FROM: is required with TILLGATE_SMTP_URL"
        : "TILLGATE_SMTP_URL: is required with TILLGATE_MAIL_FROM",
    );
  if (s.TILLGATE_CONSOLE_KEY === s.TILLGATE_INTERNAL_KEY)
    throw new ConfigError("TILLGATE_CONSOLE_KEY: must not be TILLGATE_INTERNAL_KEY");
  return {
    production,
    role: s.TILLGATE_ROLE,
    host: s.HOST,
    port: s.PORT,
    connections: s.TILLGATE_CONNECTIONS,
    drainMs: s.TILLGATE_DRAIN_MS ?? (production ? PRODUCTION_DRAIN_MS : 0),
    finishMs: s.TILLGATE_FINISH_MS,
    databaseUrl: s.DATABASE_URL,
    databaseDirectUrl: s.DATABASE_DIRECT_URL ?? s.DATABASE_URL,
    databaseConnections: s.TILLGATE_DATABASE_CONNECTIONS,
    databaseWaiting: s.TILLGATE_DATABASE_WAITING,
    statementTimeoutMs: s.TILLGATE_STATEMENT_TIMEOUT_MS,
    payUrl: s.TILLGATE_PAY_URL,
    internalKey: s.TILLGATE_INTERNAL_KEY,
    consoleKey: s.TILLGATE_CONSOLE_KEY,
    metricsKey: s.TILLGATE_METRICS_KEY,
    internal:
      s.TILLGATE_INTERNAL_PORT === undefined
        ? undefined
        : { host: s.TILLGATE_INTERNAL_HOST ?? s.HOST, port: s.TILLGATE_INTERNAL_PORT },
    keyring: s.TILLGATE_ENCRYPTION_KEYS,
    trustedProxies: s.TILLGATE_TRUSTED_PROXIES,
    httpHosts: s.TILLGATE_HTTP_HOSTS,
    privateWebhookAddresses: s.TILLGATE_WEBHOOK_PRIVATE_ADDRESSES === "allow",
    walletSessionSeconds: s.TILLGATE_WALLET_SESSION_SECONDS,
    walletVisitSeconds: s.TILLGATE_WALLET_VISIT_SECONDS,
    signInsAMinute: s.TILLGATE_SIGN_INS_A_MINUTE,
    pinFreshSeconds: s.TILLGATE_PIN_FRESH_SECONDS,
    wrongPinsUntilLock: s.TILLGATE_WRONG_PINS_UNTIL_LOCK,
    wrongPinsAnAddress: s.TILLGATE_WRONG_PINS_AN_ADDRESS,
    pinLockSeconds: s.TILLGATE_PIN_LOCK_SECONDS,
    confirmsAMinute: s.TILLGATE_CONFIRMS_A_MINUTE,
    shopperQuotesAMinute: s.TILLGATE_SHOPPER_QUOTES_A_MINUTE,
    payRequestsAMinute: s.TILLGATE_PAY_REQUESTS_A_MINUTE,
    partnerRequestsAMinute: s.TILLGATE_PARTNER_REQUESTS_A_MINUTE,
    tokensAMinute: s.TILLGATE_TOKENS_A_MINUTE,
    wrongSecretsAClient: s.TILLGATE_WRONG_SECRETS_A_CLIENT,
    wrongSecretsAnAddress: s.TILLGATE_WRONG_SECRETS_AN_ADDRESS,
    credentialCacheMs: s.TILLGATE_CREDENTIAL_CACHE_MS,
    streamsAnOrder: s.TILLGATE_STREAMS_AN_ORDER,
    streamsAnAddress: s.TILLGATE_STREAMS_AN_ADDRESS,
    deliveriesAtOnce: s.TILLGATE_DELIVERIES_AT_ONCE,
    deliveryTimeoutMs: s.TILLGATE_DELIVERY_TIMEOUT_MS,
    keepAttemptsDays: s.TILLGATE_KEEP_ATTEMPTS_DAYS,
    keepEventsDays: s.TILLGATE_KEEP_EVENTS_DAYS,
    mail:
      s.TILLGATE_SMTP_URL && s.TILLGATE_MAIL_FROM
        ? {
            ...s.TILLGATE_SMTP_URL,
            from: s.TILLGATE_MAIL_FROM,
            demandTls: mustBeEncrypted(s.TILLGATE_SMTP_URL, { production, httpHosts: s.TILLGATE_HTTP_HOSTS }),
          }
        : undefined,
    logLevel: s.LOG_LEVEL,
  };
}
