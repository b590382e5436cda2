import type { Mode } from "@tillgate/contract";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
const ATTEMPT_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

/** Events that may be attacks or mistakes. The log and the metrics use the same names. */
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

/** `amount` is in minor units of its currency. */
export type StatusChange = { status: string; mode: Mode; currency: string; amount: bigint };

export type Counters = {
  registry: Registry;
  security(event: SecurityEvent, api: string): void;
  /** @param route the pattern of the route; undefined if none matched. */
  request(route: string | undefined, method: string, status: number, seconds: number): void;
  /** Must be called after the commit, and not for a repeated call. */
  moved(kind: "payment" | "refund" | "payout", change: StatusChange): void;
  /** @param outcome `delivered`, or the stored reason of the failure. */
  attempt(mode: Mode, outcome: string, seconds: number): void;
};

export function createCounters(): Counters {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const security = new Counter({
    name: "tillgate_security_events_total",
    help: "Wrong secrets, PINs, passwords and codes; lockouts; rejected forms, keys and tokens; and rate-limited calls",
    labelNames: ["event", "api"],
    registers,
  });
  const requests = new Histogram({
    name: "tillgate_request_seconds",
    help: "Duration of requests",
    labelNames: ["route", "method", "status"],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const labelNames = ["kind", "status", "mode", "currency"];
  const amounts = new Counter({
    name: "tillgate_money_minor_units_total",
    help: "Amounts of payments, refunds and payouts by new status, in minor units of the currency",
    labelNames,
    registers,
  });
  const changes = new Counter({
    name: "tillgate_money_changes_total",
    help: "Number of payments, refunds and payouts by new status",
    labelNames,
    registers,
  });
  const attempts = new Histogram({
    name: "tillgate_delivery_attempt_seconds",
    help: "Duration of delivery attempts",
    labelNames: ["mode", "outcome"],
    buckets: ATTEMPT_SECONDS,
    registers,
  });
  return {
    registry,
    security: (event, api) => security.inc({ event, api }),
    request: (route, method, status, seconds) =>
      requests.observe({ route: route ?? "none", method, status: String(status) }, seconds),
    moved(kind, { status, mode, currency, amount }) {
      const labels = { kind, status: status.toLowerCase(), mode, currency };
      amounts.inc(labels, Number(amount));
      changes.inc(labels);
    },
    attempt: (mode, outcome, seconds) => attempts.observe({ mode, outcome }, seconds),
  };
}
