import { createPayClient, type PayClientOptions } from "@tillgate/client";
import { PAY_API_PATH } from "@tillgate/contract";
import { type Connector, createConnector } from "./connector.js";
import type { ConnectorLog } from "./connector-log.js";
import { ClockWatch } from "./health/clocks.js";
import type { ConnectorMetrics } from "./health/metrics.js";
import { observeCalls, observedFetch } from "./health/observed-calls.js";
import type { OpenRecords } from "./records/records.js";
import type { Rules } from "./rules.js";
import type { ConnectorSettings, RequiredSettings, StoreCredential } from "./settings.js";
import { type WooCommerceStoreOptions, woocommerceStore } from "./store/woocommerce-store.js";

export type WireOptions = {
  settings: RequiredSettings & Partial<ConnectorSettings>;
  store: Omit<WooCommerceStoreOptions, "observe">;
  /** With the settings' credentials. */
  tillgate: Omit<PayClientOptions, keyof StoreCredential>;
  records: Pick<OpenRecords, "of">;
  metrics: ConnectorMetrics;
  log: ConnectorLog;
  /** The shipped rules where left out. */
  rules?: Rules;
};

/** The connector of a WooCommerce store, with every call of store and Tillgate measured and its clock read. */
export function wireConnector(options: WireOptions): Connector {
  const { settings, store, tillgate, records, metrics, log, rules } = options;
  const clocks = new ClockWatch();
  const payClient = ({ mode, clientId, clientSecret }: StoreCredential) =>
    createPayClient({
      ...tillgate,
      mode,
      clientId,
      clientSecret,
      fetch: observedFetch(
        observeCalls(settings.storeId, "tillgate", metrics, clocks),
        PAY_API_PATH[mode],
        tillgate.fetch,
      ),
    });
  const [current, ...others] = settings.credentials;
  const retired = new Map(others.map((credential) => [credential, payClient(credential)]));
  return createConnector({
    ...records.of(settings.storeId),
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
