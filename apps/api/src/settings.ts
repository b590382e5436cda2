import {
  isLoopbackHost,
  PARTNER_REQUESTS_A_MINUTE,
  PAY_REQUESTS_A_MINUTE,
  parseAddress,
  parseWebAddress,
  TOKEN_REQUESTS_A_MINUTE,
} from "@tillgate/contract";
import { parseKeyring } from "@tillgate/database";
import {
  baseAddress,
  either,
  host,
  hostNames,
  key,
  logLevel,
  networks,
  oneOf,
  postgresAddress,
  readBy,
  type SettingsTable,
  text,
  wholeNumber,
} from "@tillgate/service/settings";
import { z } from "zod";

/** The ports for sending programs: RFC 6409, RFC 8314. */
const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;
const MAX_NAME_LENGTH = 100;

/** Characters that would end a line of a header or a command. */
const hasControls = (text: string): boolean => /\p{Cc}/u.test(text);

/** TLS is required unless the mail server is on this machine, or on a host where development accepts plain connections. */
export const mustBeEncrypted = (
  { host }: SmtpServer,
  { production, httpHosts }: { production: boolean; httpHosts: readonly string[] },
): boolean => !isLoopbackHost(host) && (production || !httpHosts.includes(host.toLowerCase()));

/** Stands in the address of a trace's page for its id. */
export const TRACE_ID = "{trace_id}";

/** The address where a program shows traces. */
const tracePage = readBy(`an http or https address with ${TRACE_ID} in it`, (value) =>
  parseWebAddress(value.replace(TRACE_ID, "0")) && value.includes(TRACE_ID) ? value : undefined,
);

/** What a process does, where it listens, and its database. */
export const running = {
  /** `production` demands HTTPS and keys of your own; anything else is a development or demo system. */
  production: {
    name: "TILLGATE_ENVIRONMENT",
    kind: either("production", "development"),
    default: "development",
  },
  /** What this process does: serve HTTP, run the workers, or both. */
  role: { name: "TILLGATE_ROLE", kind: oneOf(["all", "http", "worker"]), default: "all" },
  /**
   * Processes that serve HTTP. With more than one, the process that is started forks them, runs the workers itself, and
   * starts again what ends. The role `worker` has none.
   */
  httpProcesses: {
    name: "TILLGATE_HTTP_PROCESSES",
    kind: wholeNumber(1, 64),
    leftOut: "the machine's cores less one, from 1 to 8",
  },
  host,
  /** Port to listen on. */
  port: { name: "PORT", kind: wholeNumber(1, 65_535), default: 4000 },
  /** Connections that one process has at the same time; one more is closed at once. */
  connections: { name: "TILLGATE_CONNECTIONS", kind: wholeNumber(1, 1_000_000), default: 10_000 },
  /** How long requests are still accepted after a signal to end, while readiness already says no, in milliseconds. */
  drainMs: {
    name: "TILLGATE_DRAIN_MS",
    kind: wholeNumber(0, 600_000),
    leftOut: "5000 in production, else 0",
  },
  /** How long accepted requests may take to finish after that, in milliseconds. */
  finishMs: { name: "TILLGATE_FINISH_MS", kind: wholeNumber(0, 600_000), default: 5_000 },
  /** PostgreSQL database of the api, as a role that owns nothing there; in production the api ends if it does. */
  databaseUrl: { name: "DATABASE_URL", kind: postgresAddress, secret: true },
  /**
   * The same database without a pooler in between, for LISTEN, commands and the role's own time limits. With another address
   * than `DATABASE_URL`, that one goes through a pooler.
   */
  databaseDirectUrl: {
    name: "DATABASE_DIRECT_URL",
    kind: postgresAddress,
    leftOut: "`DATABASE_URL`",
    secret: true,
  },
  /** The most database connections, shared out where processes are forked: each opens its share, but 4 at least. */
  databaseConnections: { name: "TILLGATE_DATABASE_CONNECTIONS", kind: wholeNumber(2, 200), default: 20 },
  /** Calls that may wait for a database connection in this process; one more is answered 503 at once. */
  databaseWaiting: { name: "TILLGATE_DATABASE_WAITING", kind: wholeNumber(1, 100_000), default: 512 },
  /** How long one statement may run, in milliseconds. */
  statementTimeoutMs: {
    name: "TILLGATE_STATEMENT_TIMEOUT_MS",
    kind: wholeNumber(100, 600_000),
    default: 15_000,
  },
  /**
   * `on` prepares the hot statements by name, once a connection; `off` is for a pooler that hands connections on between
   * transactions and does not know prepared statements.
   */
  statementNames: { name: "TILLGATE_STATEMENT_NAMES", kind: either("on", "off"), default: "on" },
  /**
   * When concurrent writes become one transaction: `auto` as soon as calls are queued, `never`, or `always`, a single one
   * too.
   */
  groupCommit: { name: "TILLGATE_GROUP_COMMIT", kind: oneOf(["auto", "never", "always"]), default: "auto" },
  /**
   * A collector of OpenTelemetry traces (OTLP over HTTP), such as `http://127.0.0.1:4318`. A payment is one trace, from the call
   * that made its order to the webhook.
   */
  traceCollector: { name: "TILLGATE_TRACE_COLLECTOR", kind: baseAddress, leftOut: "nothing is traced" },
  /** Where these traces are shown, such as `https://jaeger.example.com/trace/{trace_id}`: the console's pages of an order and of a payout link there. */
  tracePage: { name: "TILLGATE_TRACE_PAGE", kind: tracePage, leftOut: "there is no such link" },
  /** Samples one in this many root traces; a caller's `traceparent` decides for its own calls. */
  tracesOneOf: { name: "TILLGATE_TRACES_ONE_OF", kind: wholeNumber(1, 1_000_000), default: 1 },
  logLevel,
} satisfies SettingsTable;

/** Who may call what, and from where. */
export const edges = {
  /** Public address of the hosted page; payment_url and QR start with it. In production https. */
  payUrl: { name: "TILLGATE_PAY_URL", kind: baseAddress, default: "http://localhost:4001" },
  /** Shared with the hosted page: its holder may use the checkout edge. */
  internalKey: { name: "TILLGATE_INTERNAL_KEY", kind: key, secret: true },
  /** Shared with the console: its holder may use the console edge. A key that the page does not know. */
  consoleKey: { name: "TILLGATE_CONSOLE_KEY", kind: key, leftOut: "there is no console edge", secret: true },
  /** Public address of the console; mailed links start with it. In production https. */
  consoleUrl: {
    name: "TILLGATE_CONSOLE_URL",
    kind: baseAddress,
    leftOut: "no links are mailed to console users",
  },
  /**
   * Whether anybody may make a sandbox account in the console, by a mailed link. `open` needs the console's address and a way to
   * mail. Live wallets are an administrator's to open all the same. `npm start` opens it.
   */
  sandboxSignUp: { name: "TILLGATE_SANDBOX_SIGN_UP", kind: either("open", "closed"), default: "closed" },
  /** Port of `/metrics`, for Prometheus. Nothing else is served there. */
  metricsPort: {
    name: "TILLGATE_METRICS_PORT",
    kind: wholeNumber(1, 65_535),
    leftOut: "there are no metrics",
  },
  /** Address of that port. */
  metricsHost: { name: "TILLGATE_METRICS_HOST", kind: text, default: "127.0.0.1" },
  /** Sent by Prometheus as a Bearer token. In production required where that address is not loopback. */
  metricsKey: {
    name: "TILLGATE_METRICS_KEY",
    kind: key,
    leftOut: "all who reach the port may read them",
    secret: true,
  },
  /** Separate address for the edges of the page and the console; needs the port. */
  internalHost: { name: "TILLGATE_INTERNAL_HOST", kind: text, leftOut: "`HOST`" },
  /** Separate port for the edges of the page and the console. */
  internalPort: {
    name: "TILLGATE_INTERNAL_PORT",
    kind: wholeNumber(1, 65_535),
    leftOut: "they listen with the others, where only their keys guard them",
  },
  /** Encrypts secrets at rest and signs form tokens; the current key first. */
  keyring: {
    name: "TILLGATE_ENCRYPTION_KEYS",
    kind: readBy("`<key id>:<base64 of 32 bytes>[,…]`", parseKeyring),
    secret: true,
  },
  /** Proxies whose X-Forwarded-* headers count. */
  trustedProxies: { name: "TILLGATE_TRUSTED_PROXIES", kind: networks, default: "" },
  /** Hosts beside loopback on which plain HTTP is accepted outside production. */
  httpHosts: { name: "TILLGATE_HTTP_HOSTS", kind: hostNames, default: "" },
} satisfies SettingsTable;

/** How shoppers sign in and pay. */
export const shoppers = {
  /** How long a shopper who chose to stay signed in is remembered after the last PIN, in seconds: for name and wallets only. */
  walletSessionSeconds: {
    name: "TILLGATE_WALLET_SESSION_SECONDS",
    kind: wholeNumber(60, 30 * 86_400),
    default: 7 * 86_400,
  },
  /** How long other shoppers stay signed in after the last PIN, in seconds, unless the browser is closed before. */
  walletVisitSeconds: {
    name: "TILLGATE_WALLET_VISIT_SECONDS",
    kind: wholeNumber(60, 86_400),
    default: 3_600,
  },
  /** How long after a PIN a shopper pays the order it was entered for without another, in seconds. */
  pinFreshSeconds: { name: "TILLGATE_PIN_FRESH_SECONDS", kind: wholeNumber(0, 3_600), default: 300 },
  /** Sign-ins in a minute, to the console too, after which an address is slowed, and an own device refused. */
  signInsAMinute: { name: "TILLGATE_SIGN_INS_A_MINUTE", kind: wholeNumber(1, 100_000), default: 30 },
  /** Wrong PINs after which a phone number or e-mail is locked for strangers, or an own device, for a while; of a console user wrong passwords, or codes. */
  wrongPinsUntilLock: { name: "TILLGATE_WRONG_PINS_UNTIL_LOCK", kind: wholeNumber(1, 100), default: 5 },
  /** Wrong PINs of strangers, or wrong passwords, after which their client address is slowed; one is forgotten every 10 minutes. */
  wrongPinsAnAddress: { name: "TILLGATE_WRONG_PINS_AN_ADDRESS", kind: wholeNumber(1, 100_000), default: 30 },
  /** How long the first such lock lasts, in seconds; the next ones 5, 15, 60, 240 and 1,440 times that, a day at most. */
  pinLockSeconds: { name: "TILLGATE_PIN_LOCK_SECONDS", kind: wholeNumber(1, 86_400), default: 60 },
  /** Payments one shopper may try to confirm in a minute. */
  confirmsAMinute: { name: "TILLGATE_CONFIRMS_A_MINUTE", kind: wholeNumber(1, 100_000), default: 30 },
  /** Quotes one shopper may ask for in a minute. */
  shopperQuotesAMinute: {
    name: "TILLGATE_SHOPPER_QUOTES_A_MINUTE",
    kind: wholeNumber(1, 100_000),
    default: 30,
  },
  /** Live status streams one order may have open in this process. */
  streamsAnOrder: { name: "TILLGATE_STREAMS_AN_ORDER", kind: wholeNumber(1, 10_000), default: 20 },
  /** Live status streams one client address may have open in this process. */
  streamsAnAddress: { name: "TILLGATE_STREAMS_AN_ADDRESS", kind: wholeNumber(1, 10_000), default: 30 },
} satisfies SettingsTable;

/** What merchants' programs may ask, and how their credentials are guarded. */
export const requests = {
  /** Requests a minute of one merchant and mode to the Pay API, unless an administrator gave it another limit. */
  payRequestsAMinute: {
    name: "TILLGATE_PAY_REQUESTS_A_MINUTE",
    kind: wholeNumber(1, 100_000_000),
    default: PAY_REQUESTS_A_MINUTE,
  },
  /** The same for the Partner API. */
  partnerRequestsAMinute: {
    name: "TILLGATE_PARTNER_REQUESTS_A_MINUTE",
    kind: wholeNumber(1, 100_000_000),
    default: PARTNER_REQUESTS_A_MINUTE,
  },
  /** Requests a minute of one client address to the token endpoint. */
  tokensAMinute: {
    name: "TILLGATE_TOKENS_A_MINUTE",
    kind: wholeNumber(1, 100_000_000),
    default: TOKEN_REQUESTS_A_MINUTE,
  },
  /** Wrong secrets for one client id from one address in 15 minutes, after which further wrong ones wait. */
  wrongSecretsAClient: {
    name: "TILLGATE_WRONG_SECRETS_A_CLIENT",
    kind: wholeNumber(0, 1_000_000),
    default: 5,
  },
  /** Wrong secrets from one address in 15 minutes, after which further wrong ones wait. */
  wrongSecretsAnAddress: {
    name: "TILLGATE_WRONG_SECRETS_AN_ADDRESS",
    kind: wholeNumber(0, 1_000_000),
    default: 20,
  },
  /**
   * Recipients of payouts that do not exist and that one merchant may ask for in one mode and day, by lookups, quotes and bulk payouts.
   * Above it no lookup reveals a name until the day is over.
   */
  unknownRecipientsADay: {
    name: "TILLGATE_UNKNOWN_RECIPIENTS_A_DAY",
    kind: wholeNumber(1, 1_000_000),
    default: 200,
  },
  /** How long the log of merchants' calls of the API is kept, in days. */
  keepRequestsDays: { name: "TILLGATE_KEEP_REQUESTS_DAYS", kind: wholeNumber(1, 365), default: 7 },
  /** How long a credential is remembered, in milliseconds: a revocation takes that long at the most. */
  credentialCacheMs: { name: "TILLGATE_CREDENTIAL_CACHE_MS", kind: wholeNumber(0, 2_000), default: 2_000 },
} satisfies SettingsTable;

/** Webhooks, mail, and how long what happened is kept. */
export const events = {
  /** Whether webhooks may go to private and loopback addresses: `allow` is for development only. */
  privateWebhookAddresses: {
    name: "TILLGATE_WEBHOOK_PRIVATE_ADDRESSES",
    kind: either("allow", "refuse"),
    default: "refuse",
  },
  /** Webhook deliveries this process sends at the same time. */
  deliveriesAtOnce: { name: "TILLGATE_DELIVERIES_AT_ONCE", kind: wholeNumber(1, 1_000), default: 50 },
  /** How long one webhook attempt may take in all, in milliseconds. */
  deliveryTimeoutMs: {
    name: "TILLGATE_DELIVERY_TIMEOUT_MS",
    kind: wholeNumber(100, 60_000),
    default: 15_000,
  },
  /** How long the attempts of settled webhook deliveries are kept, in days. */
  keepAttemptsDays: { name: "TILLGATE_KEEP_ATTEMPTS_DAYS", kind: wholeNumber(7, 3_650), default: 30 },
  /** How long events are kept with their deliveries, in days; also the merchants' timelines. The database refuses less. */
  keepEventsDays: { name: "TILLGATE_KEEP_EVENTS_DAYS", kind: wholeNumber(30, 36_500), default: 400 },
  /** The mail server for notices and summaries to merchants' people, and for links and what waits to console users: `smtp://user:password@host:587` (STARTTLS) or `smtps://…`. */
  smtpServer: {
    name: "TILLGATE_SMTP_URL",
    kind: readBy(
      "smtp:// or smtps://, with a host, and with both or neither of user and password, percent-encoded",
      parseSmtpUrl,
    ),
    leftOut: "nothing is mailed",
    secret: true,
  },
  /** A folder that mails are written to, one file each, where there is no mail server. Not in production. */
  mailFolder: { name: "TILLGATE_MAIL_FOLDER", kind: text, leftOut: "they are not written" },
  /** The sender of such mails; needs the mail server, and the mail server needs it. */
  mailFrom: {
    name: "TILLGATE_MAIL_FROM",
    kind: readBy("one e-mail address, such as Tillgate <notices@example.com>", parseSender),
    leftOut: "nothing is mailed",
  },
} satisfies SettingsTable;

/** The mail server, and the sender of mails. */
export type MailSettings = {
  host: string;
  port: number;
  /** TLS from the first byte on (smtps). */
  implicitTls: boolean;
  credentials: { user: string; password: string } | undefined;
  /** Whether STARTTLS is required, and the certificate checked: everywhere but on this machine. */
  demandTls: boolean;
  from: { name: string; address: string };
};

export type SmtpServer = Omit<MailSettings, "from" | "demandTls">;

/**
 * Reads `smtp://` (STARTTLS) or `smtps://` (TLS from the start), with user and password percent-encoded. The text is a
 * secret: never log it.
 * @returns undefined for anything else.
 */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = hasControls(text) ? undefined : parseAddress(text);
  if (url === undefined) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = url;
  if (protocol !== "smtp:" && protocol !== "smtps:") return undefined;
  if (hostname === "" || !["", "/"].includes(pathname) || search !== "" || hash !== "" || port === "0")
    return undefined;
  if ((username === "") !== (password === "")) return undefined;
  const user = decoded(username);
  const secret = decoded(password);
  if (user === undefined || secret === undefined) return undefined;
  const implicitTls = protocol === "smtps:";
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (implicitTls ? SUBMISSIONS_PORT : SUBMISSION_PORT) : Number(port),
    implicitTls,
    credentials: user === "" ? undefined : { user, password: secret },
  };
}

function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    return hasControls(plain) ? undefined : plain;
  } catch {
    // A lone % is no encoding.
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
