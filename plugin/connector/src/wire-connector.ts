import { createPayClient, type PayClientOptions } from "@tillgate/client";
import { PAY_API_PATH } from "@tillgate/contract";
import { type Connector, createConnector } from "./connector.js";
import type { ConnectorLog } from "./connector-log.js";
import { ClockWatch } from "./health/clocks.js";
import type { ConnectorMetrics } from "./health/metrics.js";
import { observeCalls, observedFetch } from "./health/observed-calls.js";
import type { Records } from "./records/records.js";
import type { Rules } from "./rules.js";
import type { ConnectorSettings, RequiredSettings } from "./settings.js";
import { type WooCommerceStoreOptions, woocommerceStore } from "./store/woocommerce-store.js";

export interface WireOptions {
  settings: RequiredSettings & Partial<ConnectorSettings>;
  store: Omit<WooCommerceStoreOptions, "observe">;
  tillgate: Omit<PayClientOptions, "fetch">;
  records: Records;
  metrics: ConnectorMetrics;
  log: ConnectorLog;
  /** The shipped rules where left out. */
  rules?: Rules;
}

/** The connector of a WooCommerce store, with every call of store and Tillgate measured and its clock read. */
export function wireConnector(options: WireOptions): Connector {
  const { settings, store, tillgate, records, metrics, log, rules } = options;
  const clocks = new ClockWatch();
  return createConnector({
    ...records,
    settings,
    metrics,
    clocks,
    log,
    store: woocommerceStore({
      ...store,
      observe: observeCalls(settings.storeId, "store", metrics, clocks),
    }),
    tillgate: createPayClient({
      ...tillgate,
      fetch: observedFetch(
        observeCalls(settings.storeId, "tillgate", metrics, clocks),
        PAY_API_PATH[tillgate.mode],
      ),
    }),
    ...(rules === undefined ? {} : { rules }),
  });
}
