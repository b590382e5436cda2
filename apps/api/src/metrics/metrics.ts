import type pg from "pg";
import {
  AggregatorRegistry,
  Gauge,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from "prom-client";
import type { Config } from "../config.js";
import type { Availability } from "../platform/availability.js";

export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

type GaugesOptions = {
  availability: Pick<Availability, "reachable" | "clock">;
  pool: pg.Pool;
  config: Pick<Config, "mail">;
};

/** Adds gauges that are computed when scraped. Across processes, their values are summed unless `aggregator` is set. */
export function addGauges(registry: Registry, { availability, pool, config }: GaugesOptions): void {
  const registers = [registry];
  new Gauge({
    name: "tillgate_database_reachable",
    help: "1 while the database responds",
    aggregator: "min",
    registers,
    collect() {
      this.set(availability.reachable ? 1 : 0);
    },
  });
  new Gauge({
    name: "tillgate_clock_offset_seconds",
    help: "How far this process's clock is ahead of the database's; NaN until the clocks have been compared",
    aggregator: "first",
    registers,
    collect() {
      this.set((availability.clock.offsetMs ?? Number.NaN) / 1_000);
    },
  });
  new Gauge({
    name: "tillgate_mail_configured",
    help: "1 if e-mail is configured",
    aggregator: "first",
    registers,
    collect() {
      this.set(config.mail ? 1 : 0);
    },
  });
  new Gauge({
    name: "tillgate_database_connections",
    help: "Database connections, by state",
    labelNames: ["state"],
    registers,
    collect() {
      this.set({ state: "busy" }, pool.totalCount - pool.idleCount);
      this.set({ state: "idle" }, pool.idleCount);
    },
  });
  new Gauge({
    name: "tillgate_database_waiting_calls",
    help: "Calls waiting for a database connection",
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
}

export const renderMetrics = (figures: ProcessMetrics[]): Promise<string> =>
  AggregatorRegistry.aggregate(figures).metrics();
