import { createPayClient, type PayClientOptions } from "@tillgate/client";
import { PAY_API_PATH } from "@tillgate/contract";
import { traceparent, withSpan } from "@tillgate/service/tracing";
import { type Connector, createConnector } from "./connector.js";
import type { ConnectorLog } from "./connector-log.js";
import { ClockWatch } from "./health/clocks.js";
import type { CalledSystem, ConnectorMetrics } from "./health/metrics.js";
import { siteHeader } from "./payments/site.js";
import type { OpenRecords } from "./records/records.js";
import type { Rules } from "./rules.js";
import type { ConnectorSettings, RequiredSettings, StoreCredential } from "./settings.js";
import { type ObserveCall, toOperation } from "./store/observed-call.js";
import { type WooCommerceStoreOptions, woocommerceStore } from "./store/woocommerce-store.js";

const observeCalls =
  (store: string, to: CalledSystem, metrics: ConnectorMetrics, clocks: ClockWatch): ObserveCall =>
  ({ operation, status, milliseconds, date }) => {
    metrics.call(store, to, operation, status === null ? "none" : String(status), milliseconds / 1000);
    clocks.observe(to, date);
  };

/** Creates a fetch that identifies this site to Tillgate and records each request. `base` is removed from the recorded path. */
function observedFetch(
  observe: ObserveCall,
  base: string,
  site: () => Promise<string>,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  return async (input, init) => {
    const startedMs = performance.now();
    const path = new URL(input instanceof Request ? input.url : input).pathname.replace(base, "");
    const operation = toOperation(init?.method ?? "GET", path.replace(/^\//, ""));
    const ended = (status: number | null, date: string | null) =>
      observe({ operation, status, date, milliseconds: performance.now() - startedMs });
    try {
      const response = await withSpan(`Tillgate ${operation}`, { kind: "CLIENT" }, async () => {
        const headers = new Headers(init?.headers);
        headers.set("Tillgate-Site", await site());
        const parent = traceparent();
        if (parent !== null) headers.set("traceparent", parent);
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

export type WireOptions = {
  settings: RequiredSettings & Partial<ConnectorSettings>;
  store: Omit<WooCommerceStoreOptions, "observe">;
  /** Client options; the credentials come from the settings. */
  tillgate: Omit<PayClientOptions, keyof StoreCredential>;
  records: Pick<OpenRecords, "of">;
  metrics: ConnectorMetrics;
  log: ConnectorLog;
  /** Default: the rules in the package. */
  rules?: Rules;
};

/** Creates a connector that records metrics and clock differences for all requests to the store and Tillgate. */
export function wireConnector(options: WireOptions): Connector {
  const { settings, store, tillgate, records, metrics, log, rules } = options;
  const clocks = new ClockWatch();
  const storeRecords = records.of(settings.storeId);
  const site = () => siteHeader(storeRecords.cursors, settings);
  const payClient = ({ mode, clientId, clientSecret }: StoreCredential) =>
    createPayClient({
      ...tillgate,
      mode,
      clientId,
      clientSecret,
      fetch: observedFetch(
        observeCalls(settings.storeId, "tillgate", metrics, clocks),
        PAY_API_PATH[mode],
        site,
        tillgate.fetch,
      ),
    });
  const [current, ...others] = settings.credentials;
  const retired = new Map(others.map((credential) => [credential, payClient(credential)]));
  return createConnector({
    ...storeRecords,
    settings,
    metrics,
    clocks,
    log,
    store: woocommerceStore({
      ...store,
      observe: observeCalls(settings.storeId, "store", metrics, clocks),
    }),
    tillgate: payClient(current),
    retiredTillgate: (credential) => retired.get(credential) ?? null,
    ...(rules === undefined ? {} : { rules }),
  });
}
