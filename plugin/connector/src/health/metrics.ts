import { Counter, Gauge, Histogram, Registry } from "prom-client";

export type CalledSystem = "store" | "tillgate";

export type ConnectorMetrics = {
  /** Counts a delivery from Tillgate: applied, repeated, ignored, refused, not_found or failed. */
  webhook(store: string, outcome: string): void;
  /** Counts a delivery from the store: queued, ignored, ping, refused or, if an error was thrown, failed. */
  storeWebhook(store: string, outcome: string): void;
  sweep(store: string, outcome: "done" | "failed", seconds: number): void;
  /** @param outcome the HTTP status, or `none` without a response */
  call(store: string, to: CalledSystem, operation: string, outcome: string, seconds: number): void;
  error(store: string, cause: string): void;
};

export type StoreGauges = {
  store: string;
  underWay: number;
  givenUp: number;
  waitingChanges: number;
  problems: ReadonlyMap<string, number>;
  clockSeconds: Readonly<Partial<Record<CalledSystem, number>>>;
};

export type MetricsRegistry = {
  metrics: ConnectorMetrics;
  contentType: string;
  text(stores: readonly StoreGauges[]): Promise<string>;
};

const callSeconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const sweepSeconds = [0.1, 0.5, 1, 5, 15, 30, 60, 120, 300];

export function createMetrics(): MetricsRegistry {
  const registry = new Registry();
  const registers = [registry];
  const prefix = "tillgate_connector_";
  const counter = (name: string, help: string, ...labels: string[]) =>
    new Counter({ name: prefix + name, help, labelNames: ["store", ...labels], registers });
  const gauge = (name: string, help: string, ...labels: string[]) =>
    new Gauge({ name: prefix + name, help, labelNames: ["store", ...labels], registers });

  const webhooks = counter("webhooks_total", "Webhook deliveries from Tillgate", "outcome");
  const storeWebhooks = counter("store_webhooks_total", "Webhook deliveries from the store", "outcome");
  const errors = counter("errors_total", "Errors by likely cause", "cause");
  const sweeps = new Histogram({
    name: `${prefix}sweep_seconds`,
    help: "Duration of sweeps",
    labelNames: ["store", "outcome"],
    buckets: sweepSeconds,
    registers,
  });
  const calls = new Histogram({
    name: `${prefix}call_seconds`,
    help: "Duration of requests to the store and Tillgate",
    labelNames: ["store", "to", "operation", "outcome"],
    buckets: callSeconds,
    registers,
  });
  const payments = gauge("pending_attempts", "Open payments", "checked");
  const changes = gauge("waiting_changes", "Store changes to process");
  const problems = gauge("problems", "Problems that need attention, including mismatches", "kind");
  const clocks = gauge("clock_difference_seconds", "How far a clock is ahead of this machine's", "of");

  return {
    contentType: registry.contentType,
    metrics: {
      webhook: (store, outcome) => webhooks.inc({ store, outcome }),
      storeWebhook: (store, outcome) => storeWebhooks.inc({ store, outcome }),
      sweep: (store, outcome, seconds) => sweeps.observe({ store, outcome }, seconds),
      call: (store, to, operation, outcome, seconds) =>
        calls.observe({ store, to, operation, outcome }, seconds),
      error: (store, cause) => errors.inc({ store, cause }),
    },
    async text(stores) {
      // Without a reset, resolved kinds of problems would keep their last value.
      for (const one of [payments, changes, problems, clocks]) one.reset();
      for (const { store, underWay, givenUp, waitingChanges, ...rest } of stores) {
        payments.set({ store, checked: "yes" }, underWay - givenUp);
        payments.set({ store, checked: "given_up" }, givenUp);
        changes.set({ store }, waitingChanges);
        problems.set({ store, kind: "mismatch" }, 0);
        for (const [kind, count] of rest.problems) problems.set({ store, kind }, count);
        for (const [of, seconds] of Object.entries(rest.clockSeconds)) clocks.set({ store, of }, seconds);
      }
      return registry.metrics();
    },
  };
}
