import {
  isLoopbackHost,
  PARTNER_REQUESTS_PER_MINUTE,
  PAY_REQUESTS_PER_MINUTE,
  parseAddress,
  parseWebAddress,
  TOKEN_REQUESTS_PER_MINUTE,
} from "@tillgate/contract";
import { parseKeyring } from "@tillgate/database";
import {
  baseAddress,
  either,
  host,
  hostNames,
  key,
  logLevel,
  matching,
  networks,
  oneOf,
  postgresAddress,
  readBy,
  type SettingsTable,
  text,
  traceCollector,
  traceSampleRatio,
  wholeNumber,
} from "@tillgate/service/settings";
import { z } from "zod";

/** Submission port, RFC 6409. */
const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;
const MAX_NAME_LENGTH = 100;

/** Returns whether the text contains control characters, which could inject a header or an SMTP command. */
const hasControls = (text: string): boolean => /\p{Cc}/u.test(text);

/** Returns whether e-mail needs TLS. It is optional for a local mail server and, outside production, for a host that may be used without TLS. */
export const mustBeEncrypted = (
  { host }: SmtpServer,
  { production, httpHosts }: { production: boolean; httpHosts: readonly string[] },
): boolean => !isLoopbackHost(host) && (production || !httpHosts.includes(host.toLowerCase()));

/** Placeholder for the trace ID in the URL of a trace page. */
export const TRACE_ID = "{trace_id}";

const tracePage = readBy(`an http or https URL with ${TRACE_ID} in it`, (value) =>
  parseWebAddress(value.replace(TRACE_ID, "0")) && value.includes(TRACE_ID) ? value : undefined,
);

/** Role of the process, listeners and database. */
export const running = {
  /** `production` requires HTTPS and your own keys. `development` is for development and demo systems. */
  production: {
    name: "TILLGATE_ENVIRONMENT",
    kind: either("production", "development"),
    default: "development",
  },
  /** Whether this process serves HTTP, runs the workers, or both. */
  role: { name: "TILLGATE_ROLE", kind: oneOf(["all", "http", "worker"]), default: "all" },
  /**
   * Processes that serve HTTP. With more than one, the main process forks them, restarts those that exit, and runs the
   * workers itself. Ignored for the role `worker`.
   */
  httpProcesses: {
    name: "TILLGATE_HTTP_PROCESSES",
    kind: wholeNumber(1, 64),
    ifUnset: "the machine's cores less one, from 1 to 8",
  },
  host,
  /** Port to listen on. */
  port: { name: "PORT", kind: wholeNumber(1, 65_535), default: 4000 },
  /** Maximum open connections of one process. Further connections are closed immediately. */
  connections: { name: "TILLGATE_CONNECTIONS", kind: wholeNumber(1, 1_000_000), default: 10_000 },
  /** How long requests are still accepted after SIGTERM, while `/readyz` already fails, in milliseconds. */
  drainMs: {
    name: "TILLGATE_DRAIN_MS",
    kind: wholeNumber(0, 600_000),
    ifUnset: "5000 in production, else 0",
  },
  /** How long accepted requests may take to finish after the drain time, in milliseconds. */
  finishMs: { name: "TILLGATE_FINISH_MS", kind: wholeNumber(0, 600_000), default: 5_000 },
  /** PostgreSQL database, with a role that owns none of its tables. In production the API does not start if the role owns any table. */
  databaseUrl: { name: "DATABASE_URL", kind: postgresAddress, secret: true },
  /** The same database without a connection pooler, for LISTEN, commands and role settings. Set it if `DATABASE_URL` goes through a pooler. */
  databaseDirectUrl: {
    name: "DATABASE_DIRECT_URL",
    kind: postgresAddress,
    ifUnset: "`DATABASE_URL`",
    secret: true,
  },
  /** Maximum database connections. Forked processes share them, with at least 4 each. */
  databaseConnections: { name: "TILLGATE_DATABASE_CONNECTIONS", kind: wholeNumber(2, 200), default: 20 },
  /** Calls that may wait for a database connection in this process. Further calls get a 503 immediately. */
  databaseWaiting: { name: "TILLGATE_DATABASE_WAITING", kind: wholeNumber(1, 100_000), default: 512 },
  /** Time limit of one statement, in milliseconds. */
  statementTimeoutMs: {
    name: "TILLGATE_STATEMENT_TIMEOUT_MS",
    kind: wholeNumber(100, 600_000),
    default: 15_000,
  },
  /** `on` uses named prepared statements for hot queries. `off` is for a pooler in transaction mode that does not support prepared statements. */
  statementNames: { name: "TILLGATE_STATEMENT_NAMES", kind: either("on", "off"), default: "on" },
  /** When concurrent writes share one transaction: `auto` as soon as calls are queued, `never`, or `always`, even for a single call. */
  groupCommit: { name: "TILLGATE_GROUP_COMMIT", kind: oneOf(["auto", "never", "always"]), default: "auto" },
  traceCollector,
  /** Trace viewer, such as `https://jaeger.example.com/trace/{trace_id}`. The console links orders and payouts to it. */
  tracePage: { name: "TILLGATE_TRACE_PAGE", kind: tracePage, ifUnset: "no link" },
  traceSampleRatio,
  logLevel,
} satisfies SettingsTable;

/** Public addresses, keys and listeners of the APIs. */
export const listeners = {
  /** Public address of the payment page, used in `payment_url` and QR codes. HTTPS in production. */
  payUrl: { name: "TILLGATE_PAY_URL", kind: baseAddress, default: "http://localhost:4001" },
  /** Shared with the payment page: grants access to the internal checkout API. */
  internalKey: { name: "TILLGATE_INTERNAL_KEY", kind: key, secret: true },
  /** Shared with the console: grants access to the internal console API. Must differ from the page's key. */
  consoleKey: {
    name: "TILLGATE_CONSOLE_KEY",
    kind: key,
    ifUnset: "no internal API for the console",
    secret: true,
  },
  /** Public address of the console, used in e-mail links. HTTPS in production. */
  consoleUrl: {
    name: "TILLGATE_CONSOLE_URL",
    kind: baseAddress,
    ifUnset: "no e-mail to console users",
  },
  /**
   * Whether anyone can sign up for a sandbox account in the console, confirmed by e-mail. `open` requires the console's
   * address and a mail setting. Live wallets are still opened by an administrator. `npm start` sets `open`.
   */
  sandboxSignUp: { name: "TILLGATE_SANDBOX_SIGN_UP", kind: either("open", "closed"), default: "closed" },
  /** Where to report vulnerabilities, as a `mailto:` or `https:` URL, for `/.well-known/security.txt` (RFC 9116). */
  securityContact: {
    name: "TILLGATE_SECURITY_CONTACT",
    kind: matching(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "a mailto: or https: URL"),
    ifUnset: "no security.txt",
  },
  /** Port of `/metrics` for Prometheus. The port serves nothing else. */
  metricsPort: {
    name: "TILLGATE_METRICS_PORT",
    kind: wholeNumber(1, 65_535),
    ifUnset: "no metrics",
  },
  /** Listen address of the metrics port. */
  metricsHost: { name: "TILLGATE_METRICS_HOST", kind: text, default: "127.0.0.1" },
  /** Bearer token for Prometheus. Required in production unless the metrics address is loopback. */
  metricsKey: {
    name: "TILLGATE_METRICS_KEY",
    kind: key,
    ifUnset: "anyone who can reach the port can read the metrics",
    secret: true,
  },
  /** Separate listen address of the internal APIs. Requires `TILLGATE_INTERNAL_PORT`. */
  internalHost: { name: "TILLGATE_INTERNAL_HOST", kind: text, ifUnset: "`HOST`" },
  /** Separate port of the internal APIs, for the payment page and the console. */
  internalPort: {
    name: "TILLGATE_INTERNAL_PORT",
    kind: wholeNumber(1, 65_535),
    ifUnset: "served on the public port, protected by their keys only",
  },
  /** Encrypts secrets at rest and signs form tokens. The current key comes first. */
  keyring: {
    name: "TILLGATE_ENCRYPTION_KEYS",
    kind: readBy("`<key id>:<32 bytes in base64>[,…]`", parseKeyring),
    secret: true,
  },
  /** Proxies whose X-Forwarded-* headers are trusted. */
  trustedProxies: { name: "TILLGATE_TRUSTED_PROXIES", kind: networks, default: "" },
  /** Hosts besides loopback that may use plain HTTP outside production. */
  httpHosts: { name: "TILLGATE_HTTP_HOSTS", kind: hostNames, default: "" },
} satisfies SettingsTable;

/** Sign-in and payment of shoppers. */
export const shoppers = {
  /** How long a shopper who chose to stay signed in remains so after last entering the PIN, in seconds. Meanwhile the page shows the shopper's name and wallets; paying still needs the PIN or a passkey. */
  walletSessionSeconds: {
    name: "TILLGATE_WALLET_SESSION_SECONDS",
    kind: wholeNumber(60, 30 * 86_400),
    default: 7 * 86_400,
  },
  /** How long other shoppers stay signed in after last entering the PIN, in seconds, unless the browser is closed first. */
  walletVisitSeconds: {
    name: "TILLGATE_WALLET_VISIT_SECONDS",
    kind: wholeNumber(60, 86_400),
    default: 3_600,
  },
  /** How long a PIN entered for an order remains valid for paying it, in seconds. */
  pinFreshSeconds: { name: "TILLGATE_PIN_FRESH_SECONDS", kind: wholeNumber(0, 3_600), default: 300 },
  /** Sign-ins per minute, including those to the console, before a client address is slowed down or a trusted device is rejected. */
  signInsPerMinute: { name: "TILLGATE_SIGN_INS_PER_MINUTE", kind: wholeNumber(1, 100_000), default: 30 },
  /** Wrong PINs before a phone number or e-mail is locked for unknown devices, or before a trusted device is locked. For console users: wrong passwords or codes. */
  wrongPinsUntilLock: { name: "TILLGATE_WRONG_PINS_UNTIL_LOCK", kind: wholeNumber(1, 100), default: 5 },
  /** Wrong PINs from unknown devices, or wrong passwords, before the client address is slowed down. One is forgotten every 10 minutes. */
  wrongPinsPerIpAddress: {
    name: "TILLGATE_WRONG_PINS_PER_IP_ADDRESS",
    kind: wholeNumber(1, 100_000),
    default: 30,
  },
  /** Duration of the first lockout, in seconds. Further lockouts last 5, 15, 60, 240 and 1,440 times as long, at most a day. */
  pinLockSeconds: { name: "TILLGATE_PIN_LOCK_SECONDS", kind: wholeNumber(1, 86_400), default: 60 },
  /** Payments, passkey challenges, conversions, top-ups and PIN changes one shopper may attempt per minute, together. */
  confirmsPerMinute: { name: "TILLGATE_CONFIRMS_PER_MINUTE", kind: wholeNumber(1, 100_000), default: 30 },
  /** Quotes one shopper may request per minute. */
  shopperQuotesPerMinute: {
    name: "TILLGATE_SHOPPER_QUOTES_PER_MINUTE",
    kind: wholeNumber(1, 100_000),
    default: 30,
  },
  /** Maximum live status streams of one order in this process. */
  streamsPerOrder: { name: "TILLGATE_STREAMS_PER_ORDER", kind: wholeNumber(1, 10_000), default: 20 },
  /** Maximum live status streams of one client address in this process. */
  streamsPerIpAddress: { name: "TILLGATE_STREAMS_PER_IP_ADDRESS", kind: wholeNumber(1, 10_000), default: 30 },
} satisfies SettingsTable;

/** Rate limits of merchants and protection of their credentials. */
export const requests = {
  /** Pay API requests per minute for one merchant and mode, unless an administrator set a custom limit. */
  payRequestsPerMinute: {
    name: "TILLGATE_PAY_REQUESTS_PER_MINUTE",
    kind: wholeNumber(1, 100_000_000),
    default: PAY_REQUESTS_PER_MINUTE,
  },
  /** Partner API requests per minute for one merchant and mode, unless an administrator set a custom limit. */
  partnerRequestsPerMinute: {
    name: "TILLGATE_PARTNER_REQUESTS_PER_MINUTE",
    kind: wholeNumber(1, 100_000_000),
    default: PARTNER_REQUESTS_PER_MINUTE,
  },
  /** Token requests per minute from one client address. */
  tokensPerMinute: {
    name: "TILLGATE_TOKENS_PER_MINUTE",
    kind: wholeNumber(1, 100_000_000),
    default: TOKEN_REQUESTS_PER_MINUTE,
  },
  /** Wrong secrets for one client ID from one address in 15 minutes before further ones get a 429, for a time that doubles with each failure. */
  wrongSecretsPerClient: {
    name: "TILLGATE_WRONG_SECRETS_PER_CLIENT",
    kind: wholeNumber(0, 1_000_000),
    default: 5,
  },
  /** Wrong secrets from one address in 15 minutes before further ones get a 429, for a time that doubles with each failure. */
  wrongSecretsPerIpAddress: {
    name: "TILLGATE_WRONG_SECRETS_PER_IP_ADDRESS",
    kind: wholeNumber(0, 1_000_000),
    default: 20,
  },
  /**
   * Unknown payout recipients one merchant may look up per mode within 24 hours, across lookups, quotes and bulk
   * payouts. Once this limit is reached, no lookup reveals a name until 24 hours have passed since the first of these.
   */
  unknownRecipientsPerDay: {
    name: "TILLGATE_UNKNOWN_RECIPIENTS_PER_DAY",
    kind: wholeNumber(1, 1_000_000),
    default: 200,
  },
  /** Retention of the API request log, in days. */
  requestRetentionDays: { name: "TILLGATE_KEEP_REQUESTS_DAYS", kind: wholeNumber(1, 365), default: 7 },
  /** How long a credential is cached, in milliseconds. A revocation takes effect within this time. */
  credentialCacheMs: { name: "TILLGATE_CREDENTIAL_CACHE_MS", kind: wholeNumber(0, 2_000), default: 2_000 },
} satisfies SettingsTable;

/** Webhooks, mail and retention. */
export const events = {
  /** Whether webhooks may be sent to private and loopback addresses. `allow` is for development only. */
  privateWebhookAddresses: {
    name: "TILLGATE_WEBHOOK_PRIVATE_ADDRESSES",
    kind: either("allow", "refuse"),
    default: "refuse",
  },
  /**
   * Concurrent webhook deliveries of this process to receivers that respond. Slow or unresponsive receivers get up to ten
   * times as many in addition.
   */
  deliveriesAtOnce: { name: "TILLGATE_DELIVERIES_AT_ONCE", kind: wholeNumber(1, 1_000), default: 50 },
  /** Time limit of one webhook attempt, in milliseconds. */
  deliveryTimeoutMs: {
    name: "TILLGATE_DELIVERY_TIMEOUT_MS",
    kind: wholeNumber(100, 60_000),
    default: 15_000,
  },
  /** Retention of the attempts of settled webhook deliveries, in days. */
  attemptRetentionDays: { name: "TILLGATE_KEEP_ATTEMPTS_DAYS", kind: wholeNumber(7, 3_650), default: 30 },
  /** Retention of events and their deliveries, and of merchants' timelines, in days. The database enforces the minimum. */
  eventRetentionDays: { name: "TILLGATE_KEEP_EVENTS_DAYS", kind: wholeNumber(30, 36_500), default: 400 },
  /**
   * Mail server for notices and summaries to merchants, and for links and approval requests to console users:
   * `smtp://user:password@host:587` (STARTTLS) or `smtps://…`.
   */
  smtpServer: {
    name: "TILLGATE_SMTP_URL",
    kind: readBy(
      "smtp:// or smtps://, with a host, and with both or neither of user and password, percent-encoded",
      parseSmtpUrl,
    ),
    ifUnset: "no e-mail is sent",
    secret: true,
  },
  /** Folder that e-mails are written to, one file each, instead of being sent by a mail server. Not in production. */
  mailFolder: { name: "TILLGATE_MAIL_FOLDER", kind: text, ifUnset: "e-mails are not written to files" },
  /** Sender of all e-mails. Required together with the mail server. */
  mailFrom: {
    name: "TILLGATE_MAIL_FROM",
    kind: readBy("one e-mail address, such as Tillgate <notices@example.com>", parseSender),
    ifUnset: "no e-mail is sent",
  },
} satisfies SettingsTable;

export type MailSettings = {
  host: string;
  port: number;
  /** TLS from the first byte on (smtps). */
  implicitTls: boolean;
  credentials: { user: string; password: string } | undefined;
  /** Whether TLS with a verified certificate is required. */
  demandTls: boolean;
  from: { name: string; address: string };
};

export type SmtpServer = Omit<MailSettings, "from" | "demandTls">;

/** Parses an SMTP URL with percent-encoded user and password. The text is a secret: never log it. @returns undefined for any other text. */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = hasControls(text) ? undefined : parseAddress(text);
  if (url === undefined) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = url;
  if (protocol !== "smtp:" && protocol !== "smtps:") return undefined;
  if (hostname === "" || !["", "/"].includes(pathname) || search !== "" || hash !== "" || port === "0")
    return undefined;
  if ((username === "") !== (password === "")) return undefined;
  const user = decodePart(username);
  const secret = decodePart(password);
  if (user === undefined || secret === undefined) return undefined;
  const implicitTls = protocol === "smtps:";
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (implicitTls ? SUBMISSIONS_PORT : SUBMISSION_PORT) : Number(port),
    implicitTls,
    credentials: user === "" ? undefined : { user, password: secret },
  };
}

function decodePart(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    return hasControls(plain) ? undefined : plain;
  } catch {
    // A lone % is not a valid encoding.
    return undefined;
  }
}

/** Reads `notices@example.com` or `Tillgate <notices@example.com>`. @returns undefined for anything else. */
export function parseSender(text: string): MailSettings["from"] | undefined {
  const [, name = "", inBrackets, alone = ""] = /^(?:([^<>]*)<([^<>]*)>|([^<>]*))$/.exec(text.trim()) ?? [];
  const address = (inBrackets ?? alone).trim();
  if (hasControls(text) || name.length > MAX_NAME_LENGTH || !z.email().safeParse(address).success)
    return undefined;
  return { name: name.trim(), address };
}
