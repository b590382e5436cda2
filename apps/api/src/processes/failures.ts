import { Counter, Registry } from "prom-client";
import { z } from "zod";
import type { ProcessMetrics } from "../metrics/metrics.js";

const message = z.object({
  tillgate: z.literal("failures"),
  failures: z.record(z.string(), z.int().nonnegative()),
});
/** Label of the HTTP processes that this process forks. */
const HTTP = "http";

/** Counts failures of forked HTTP processes, and of other processes that `npm run up` reports to the API. */
export type Failures = { addHttp(): void; figures(): Promise<ProcessMetrics[]> };

export function countFailures(): Failures {
  const registry = new Registry();
  const counter = new Counter({
    name: "tillgate_process_failures_total",
    help: "Number of times a supervised process exited unexpectedly or could not be restarted",
    labelNames: ["process"],
    registers: [registry],
  });
  let http = 0;
  let others: Record<string, number> = {};
  const set = (): void => {
    counter.reset();
    for (const [process, count] of Object.entries({ ...others, [HTTP]: http }))
      counter.inc({ process }, count);
  };
  set();
  process.on("message", (received) => {
    const { data } = message.safeParse(received);
    if (data === undefined) return;
    others = data.failures;
    set();
  });
  return {
    addHttp() {
      http += 1;
      set();
    },
    figures: async () => [await registry.getMetricsAsJSON()],
  };
}
