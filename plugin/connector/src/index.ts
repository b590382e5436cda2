export { type Connector, type ConnectorOptions, createConnector } from "./connector.js";
export { ConnectorError, type ConnectorFailure } from "./connector-error.js";
export type { ConnectorLog } from "./payments/context.js";
export type { PaymentStatus, PaymentView } from "./payments/payment-view.js";
export type { ReadPaymentView } from "./payments/read-payment.js";
export type { ReceivedWebhook, WebhookOutcome } from "./payments/receive-webhook.js";
export type { SweepOutcome } from "./payments/sweep.js";
export {
  type OpenPostgresRecordsOptions,
  openPostgresRecords,
  type PostgresRecords,
} from "./records/postgres/open-postgres-records.js";
export type * from "./records/records.js";
export { loadRules, type Rules, RulesError } from "./rules.js";
export { type ConnectorSettings, defaultSettings, type RequiredSettings } from "./settings.js";
export * from "./store/store-access.js";
export { type WooCommerceStoreOptions, woocommerceStore } from "./store/woocommerce-store.js";
