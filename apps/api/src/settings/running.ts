import {
  baseAddress,
  either,
  host,
  logLevel,
  oneOf,
  postgresAddress,
  type SettingsTable,
  wholeNumber,
} from "@tillgate/service/settings";
import { tracePage } from "./trace-page.js";

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
   * When writes of several callers become one transaction: `crowded` as soon as calls wait for each other, `never`, or
   * `always`, a single one too.
   */
  sets: { name: "TILLGATE_SETS", kind: oneOf(["crowded", "never", "always"]), default: "crowded" },
  /**
   * A collector of OpenTelemetry traces (OTLP over HTTP), such as `http://127.0.0.1:4318`. A payment is one trace, from the call
   * that made its order to the webhook.
   */
  traceCollector: { name: "TILLGATE_TRACE_COLLECTOR", kind: baseAddress, leftOut: "nothing is traced" },
  /** Where these traces are shown, such as `https://jaeger.example.com/trace/{trace_id}`: the console's pages of an order and of a payout link there. */
  tracePage: { name: "TILLGATE_TRACE_PAGE", kind: tracePage, leftOut: "there is no such link" },
  /** Of so many traces that begin here, one is kept; a caller's own `traceparent` decides for its calls. */
  tracesOneOf: { name: "TILLGATE_TRACES_ONE_OF", kind: wholeNumber(1, 1_000_000), default: 1 },
  logLevel,
} satisfies SettingsTable;
