export { type Connector, type ConnectorOptions, createConnector } from "./connector.js";
export { ConnectorError, type ConnectorErrorCode } from "./connector-error.js";
export type { ConnectorLog } from "./connector-log.js";
export { type ConnectorMetrics, createMetrics, type MetricsRegistry } from "./health/metrics.js";
export type { HealthView } from "./payments/health-view.js";
export type { PaymentStatus, PaymentView, ReadPaymentView } from "./payments/read-payment.js";
export type { ReceivedWebhook, WebhookOutcome } from "./payments/receive-webhook.js";
export type { ReceivedStoreWebhook, StoreWebhookOutcome } from "./payments/store-webhook.js";
export type { SweepOutcome } from "./payments/sweep.js";
export { type OpenRecordsOptions, openRecords } from "./records/open-records.js";
export type * from "./records/records.js";
export { loadRules, type Rules, RulesError } from "./rules.js";
export {
  type ConnectorSettings,
  defaultSettings,
  type RequiredSettings,
  type StoreCredential,
} from "./settings.js";
export * from "./store/store-access.js";
export { type WooCommerceStoreOptions, woocommerceStore } from "./store/woocommerce-store.js";
export { type WireOptions, wireConnector } from "./wire-connector.js";
