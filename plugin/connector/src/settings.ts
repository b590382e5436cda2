import type { Credential } from "./records/records.js";

/** A client of Tillgate with its secret. */
export type StoreCredential = Credential & {
  clientSecret: string;
};

/** The settings of one store's connector. */
export type ConnectorSettings = {
  /** The store's name in the connector's addresses. */
  storeId: string;
  /** Where Tillgate sends the events of this store's orders. */
  callbackUrl: string;
  /** The store's address without a slash at its end: part of the keys of its refunds. */
  siteUrl: string;
  /** The address of store or connector before a move; null where nothing moved. */
  movedFrom: string | null;
  /** Where the shopper goes afterwards, with `{order_id}` and `{order_key}` to be filled in. */
  returnUrl: string;
  /**
   * The credential in use and, after it, the retired ones: they reach payments that were begun with them, and the API
   * confirms what they sign before it acts.
   */
  credentials: readonly [StoreCredential, ...StoreCredential[]];
  /** The secret of the store's own webhook; null where there is none. */
  storeWebhookSecret: string | null;
  /** Where the store's own webhook delivers; null where there is none. */
  storeWebhookUrl: string | null;
  /** Whether a refund made in the shop moves the money at Tillgate, or is a record only. */
  shopRefunds: "send" | "ignore";
  /** Whether records of refunds made at Tillgate carry lines, tax and shipping in proportion. */
  refundLines: boolean;
  /** Whether the items of an order that is refunded at once at Tillgate go back into stock. */
  restockRefunds: boolean;
  /** The id of the payment method in the store. */
  paymentMethod: string;
  /** How long a payment may be paid, in seconds. Keep it below the store's minutes of holding stock. */
  expiresInSeconds: number;
  /** How far the sender's clock may be from ours, in seconds. */
  webhookToleranceSeconds: number;
  /** How long a claim holds without being kept, in milliseconds: longer than any single call takes. */
  claimMs: number;
  /** How long an operation waits for another that works on the same order, in milliseconds. */
  claimWaitMs: number;
  /** The time between two sweeps, in milliseconds. */
  sweepIntervalMs: number;
  /** How much that is due is taken at once, and batches in one sweep. */
  sweepBatch: number;
  sweepMaxBatches: number;
  /** How many of them are worked on at the same time. */
  sweepConcurrency: number;
  /** The longest wait between two failed tries of what is due, in milliseconds. */
  maxCheckDelayMs: number;
  /** Failed checks in a row after which something due is given up, with a note. */
  maxFailedChecks: number;
  /** How far behind its cursor the store's changes are read again, in milliseconds. */
  storeOverlapMs: number;
  /** Pages of changed orders read in one sweep. */
  storeMaxPages: number;
  /** How far behind its cursor Tillgate's list of refunds is read again, in milliseconds. */
  refundOverlapMs: number;
  /** Pages of Tillgate's refunds read in one sweep. */
  refundMaxPages: number;
  /** How long a refund made in the shop is looked at again, to see whether it is deleted there, in milliseconds. */
  refundWatchMs: number;
  /** The time between two looks at the state of the store's own webhook, in milliseconds. */
  storeWebhookCheckMs: number;
  /** Payments that were begun within this time are compared with the store and Tillgate, in milliseconds. */
  compareBackMs: number;
  /** How many payments are read at once for that, and compared before the others' calls of Tillgate get their turn. */
  compareBatch: number;
  compareMaxBatches: number;
  /** Failed tries in a row to compare a payment after which the comparison goes on without it. */
  compareMaxFailures: number;
  /** How long a problem stays in the health panel after it was last seen, in milliseconds. */
  keepProblemsMs: number;
  /** How long a done event is kept, in milliseconds: longer than Tillgate repeats a delivery. */
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
