import type pg from "pg";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type Availability, within } from "./availability.js";
import type { Config } from "./config.js";
import { countNoticeMails } from "./mail/notice-mails.js";

/** Upper ends of how long a request takes, in seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
/** How long `/metrics` waits for the database's counts, in milliseconds. */
const COUNT_LIMIT_MS = 2_000;

/** Names of attacks, and of mistakes that look like one, in the log and in the metrics alike. */
export type SecurityEvent =
  | "wrong_secret"
  | "wrong_pin"
  | "wrong_password"
  | "wrong_code"
  | "locked"
  | "refused_form"
  | "refused_key"
  | "refused_token"
  | "rate_limited";

/** What this process counts. */
export type Metrics = {
  security(event: SecurityEvent, api: string): void;
  /** @param route the pattern of the route; undefined for an address that no route has. */
  request(route: string | undefined, method: string, status: number, seconds: number): void;
  contentType: string;
  registry: Registry;
  /** The text of `/metrics`. */
  text(): Promise<string>;
};

type MetricsOptions = {
  /** Whether the database answers, and how this process's clock is set against its. */
  availability: Pick<Availability, "reachable" | "clock">;
  pool: pg.Pool;
  config: Pick<Config, "mail">;
};

/**
 * Prometheus metrics of one process, in a separate registry. Where several processes serve, a figure is their sum, unless its
 * `aggregator` says otherwise.
 */
export function createMetrics({ availability, pool, config }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const security = new Counter({
    name: "tillgate_security_events_total",
    help: "Wrong secrets, PINs, passwords and codes, locks, refused forms, keys and tokens, calls over a limit",
    labelNames: ["event", "api"],
    registers,
  });
  const requests = new Histogram({
    name: "tillgate_request_seconds",
    help: "Requests, and how long they took",
    labelNames: ["route", "method", "status"],
    buckets: REQUEST_SECONDS,
    registers,
  });
  new Gauge({
    name: "tillgate_database_reachable",
    help: "1 while the database answers",
    aggregator: "min",
    registers,
    collect() {
      this.set(availability.reachable ? 1 : 0);
    },
  });
  new Gauge({
    name: "tillgate_clock_offset_seconds",
    help: "How far this process's clock is ahead of the database's; NaN until it was compared",
    aggregator: "first",
    registers,
    collect() {
      this.set((availability.clock.offsetMs ?? Number.NaN) / 1_000);
    },
  });
  new Gauge({
    name: "tillgate_mail_configured",
    help: "1 where notices are mailed",
    aggregator: "first",
    registers,
    collect() {
      this.set(config.mail ? 1 : 0);
    },
  });
  new Gauge({
    name: "tillgate_notice_mails",
    help: "Notices to merchants' people by mail, of all processes; not counted while the database does not answer",
    labelNames: ["status"],
    aggregator: "first",
    registers,
    async collect() {
      this.reset();
      // The other figures matter most when the database is away.
      const counts = availability.reachable
        ? await within(countNoticeMails(pool), COUNT_LIMIT_MS).catch(() => undefined)
        : undefined;
      for (const [status, count] of Object.entries(counts ?? {})) this.set({ status }, count);
    },
  });
  return {
    security: (event, api) => security.inc({ event, api }),
    request: (route, method, status, seconds) =>
      requests.observe({ route: route ?? "none", method, status: String(status) }, seconds),
    contentType: registry.contentType,
    registry,
    text: () => registry.metrics(),
  };
}
