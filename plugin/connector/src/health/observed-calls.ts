import { spanned, traceparent } from "@tillgate/service/tracing";
import { type ObserveCall, operationOf } from "../store/observed-call.js";
import type { ClockWatch } from "./clocks.js";
import type { CalledSystem, ConnectorMetrics } from "./metrics.js";

export const observeCalls =
  (store: string, to: CalledSystem, metrics: ConnectorMetrics, clocks: ClockWatch): ObserveCall =>
  ({ operation, status, milliseconds, date }) => {
    metrics.call(store, to, operation, status === null ? "none" : String(status), milliseconds / 1000);
    clocks.observe(to, date);
  };

/** A fetch whose calls are observed; paths count from below `base`. */
export function observedFetch(
  observe: ObserveCall,
  base: string,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  return async (input, init) => {
    const startedMs = performance.now();
    const path = new URL(input instanceof Request ? input.url : input).pathname.replace(base, "");
    const operation = operationOf(init?.method ?? "GET", path.replace(/^\//, ""));
    const ended = (status: number | null, date: string | null) =>
      observe({ operation, status, date, milliseconds: performance.now() - startedMs });
    try {
      const response = await spanned(`Tillgate ${operation}`, { kind: "CLIENT" }, () => {
        const own = traceparent();
        if (own === null) return fetch(input, init);
        const headers = new Headers(init?.headers);
        headers.set("traceparent", own);
        return fetch(input, { ...init, headers });
      });
      ended(response.status, response.headers.get("date"));
      return response;
    } catch (error) {
      ended(null, null);
      throw error;
    }
  };
}
