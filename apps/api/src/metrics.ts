import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Upper ends of how long a request takes, in seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** What an attack, or a caller's mistake that looks like one, is called: in the log and in the metrics alike. */
export type SecurityEvent =
  | "wrong_secret"
  | "wrong_pin"
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
  /** The text of `/metrics`. */
  text(): Promise<string>;
};

/** Prometheus metrics of one process, in a registry of their own. @param reachable whether the database answers now. */
export function createMetrics(reachable: () => boolean): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const security = new Counter({
    name: "tillgate_security_events_total",
    help: "Wrong secrets and PINs, locks, refused forms, keys and tokens, calls over a limit",
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
    registers,
    collect() {
      this.set(reachable() ? 1 : 0);
    },
  });
  return {
    security: (event, api) => security.inc({ event, api }),
    request: (route, method, status, seconds) =>
      requests.observe({ route: route ?? "none", method, status: String(status) }, seconds),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
