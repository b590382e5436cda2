import cluster from "node:cluster";
import { reasonOf } from "@tillgate/service";
import { AggregatorRegistry } from "prom-client";
import { UnavailableError, within } from "../availability.js";
import type { Metrics } from "../metrics.js";
import { type FromForked, readFromPrimary } from "./messages.js";

/** How long the metrics of all processes may take, in milliseconds: a little longer than the library waits for each. */
const METRICS_LIMIT_MS = 6_000;

/** Tells the process that forked this one. Does nothing when that one is gone: then this one ends too. */
export function tellPrimary(message: FromForked): void {
  process.send?.(message, undefined, undefined, () => undefined);
}

/** Says why this process must not run. The primary says it once for all, and ends; this process ends with it. */
export function leaveToPrimary(error: unknown): Promise<never> {
  tellPrimary({ tillgate: "refused", reason: reasonOf(error) });
  return new Promise(() => undefined);
}

/** When the process that forked this one is gone, also by SIGKILL, this one ends as at SIGTERM. */
export function endWithPrimary(): void {
  const { worker } = cluster;
  worker?.once("disconnect", () => {
    // Else Node would end it at once, with requests under way.
    worker.exitedAfterDisconnect = true;
    process.kill(process.pid, "SIGTERM");
  });
}

/** Metrics whose text is that of all processes which serve HTTP, where this one was forked; else they stay as they are. */
export function metricsOfAll(metrics: Metrics): Metrics {
  if (cluster.isPrimary) return metrics;
  AggregatorRegistry.setRegistries(metrics.registry);
  // From now on it answers the primary.
  new AggregatorRegistry();
  const waiting = new Map<number, (text: string | undefined) => void>();
  let asked = 0;
  process.on("message", (message) => {
    const answer = readFromPrimary(message);
    if (answer) waiting.get(answer.id)?.(answer.text);
  });
  return {
    ...metrics,
    async text() {
      asked += 1;
      const id = asked;
      const answered = new Promise<string | undefined>((resolve) => waiting.set(id, resolve));
      tellPrimary({ tillgate: "metrics", id });
      try {
        const text = await within(answered, METRICS_LIMIT_MS);
        if (text === undefined) throw new UnavailableError("not all processes gave their metrics in time");
        return text;
      } finally {
        waiting.delete(id);
      }
    },
  };
}
