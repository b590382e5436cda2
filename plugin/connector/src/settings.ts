import type { Credential } from "./records/records.js";

export type StoreCredential = Credential & {
  clientSecret: string;
};

export type ConnectorSettings = {
  /** The store's ID in the connector's URLs. */
  storeId: string;
  /** Webhook URL for the events of this store's orders. */
  callbackUrl: string;
  /** The store's URL without a trailing slash. Part of the idempotency keys of its refunds. */
  siteUrl: string;
  /** The previous URL of the store or connector after a move, otherwise null. */
  movedFrom: string | null;
  /** Where the shopper returns after the payment, with the placeholders `{order_id}` and `{order_key}`. */
  returnUrl: string;
  /** The current credential, then the retired ones. The API must confirm events signed with a retired credential before they are applied. */
  credentials: readonly [StoreCredential, ...StoreCredential[]];
  /** Secret of the store's webhook; null if it has none. */
  storeWebhookSecret: string | null;
  storeWebhookUrl: string | null;
  /** Whether a refund made in the shop is executed at Tillgate, or is only a record. */
  shopRefunds: "send" | "ignore";
  /** Whether records of Tillgate refunds have proportional lines, tax and shipping. */
  refundLines: boolean;
  /** Whether a single full refund made in Tillgate restocks the order's items. */
  restockRefunds: boolean;
  paymentMethod: string;
  /** Seconds until a payment expires if it is not paid. Must be shorter than the store holds stock. */
  expiresInSeconds: number;
  /** Maximum age of a signature, and how far it may be in the future, in seconds. */
  webhookToleranceSeconds: number;
  /** Expiry of a claim that is not extended, in milliseconds. Longer than any single request. */
  claimMs: number;
  /** How long an operation waits for another operation on the same order, in milliseconds. */
  claimWaitMs: number;
  sweepIntervalMs: number;
  /** Due items per batch, and batches per sweep. */
  sweepBatch: number;
  sweepMaxBatches: number;
  sweepConcurrency: number;
  /** Maximum delay between retries of a due item, in milliseconds. */
  maxCheckDelayMs: number;
  /** Consecutive failures after which a due item is abandoned, with an order note. */
  maxFailedChecks: number;
  /** Overlap with the previous read of the store's changes, in milliseconds. */
  storeOverlapMs: number;
  /** Pages of changed orders read per sweep. */
  storeMaxPages: number;
  /** Overlap with the previous read of Tillgate's refunds, in milliseconds. */
  refundOverlapMs: number;
  /** Pages of Tillgate's refunds read per sweep. */
  refundMaxPages: number;
  /** How long a refund made in the shop is checked for deletion, in milliseconds. */
  refundWatchMs: number;
  storeWebhookCheckMs: number;
  /** Age limit of the payments that are compared with the store and Tillgate, in milliseconds. */
  compareBackMs: number;
  /** Payments per call to Tillgate in a comparison, and calls per `runComparison`. Limited, because the shop's customers take precedence. */
  compareBatch: number;
  compareMaxBatches: number;
  /** Consecutive failures to read a payment's store order after which a comparison skips it. */
  compareMaxFailures: number;
  /** How long a problem is shown after its last occurrence, in milliseconds. */
  keepProblemsMs: number;
  /** Retention of processed events, in milliseconds. Longer than Tillgate retries a delivery. */
  keepEventsMs: number;
};

export type RequiredSettings = Pick<
  ConnectorSettings,
  "storeId" | "callbackUrl" | "siteUrl" | "returnUrl" | "credentials"
>;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export const defaultSettings: Omit<ConnectorSettings, keyof RequiredSettings> = {
  movedFrom: null,
  storeWebhookSecret: null,
  storeWebhookUrl: null,
  shopRefunds: "send",
  refundLines: true,
  restockRefunds: false,
  paymentMethod: "tillgate",
  expiresInSeconds: 900,
  webhookToleranceSeconds: 300,
  claimMs: MINUTE,
  claimWaitMs: 8_000,
  sweepIntervalMs: 2 * MINUTE,
  sweepBatch: 50,
  sweepMaxBatches: 20,
  sweepConcurrency: 4,
  maxCheckDelayMs: 30 * MINUTE,
  maxFailedChecks: 60,
  storeOverlapMs: 5 * MINUTE,
  storeMaxPages: 10,
  refundOverlapMs: 10 * MINUTE,
  refundMaxPages: 10,
  refundWatchMs: 7 * DAY,
  storeWebhookCheckMs: 10 * MINUTE,
  compareBackMs: 90 * DAY,
  compareBatch: 50,
  compareMaxBatches: 4,
  compareMaxFailures: 3,
  keepProblemsMs: 30 * DAY,
  keepEventsMs: 90 * DAY,
};
