import type { PayClient } from "@tillgate/client";
import type { ConnectorContext, ConnectorLog } from "./payments/context.js";
import type { PaymentView } from "./payments/payment-view.js";
import { type ReadPaymentView, readPayment } from "./payments/read-payment.js";
import { type ReceivedWebhook, receiveWebhook, type WebhookOutcome } from "./payments/receive-webhook.js";
import { startPayment } from "./payments/start-payment.js";
import { type SweepOutcome, sweep } from "./payments/sweep.js";
import type { Records } from "./records/records.js";
import { loadRules, type Rules } from "./rules.js";
import { type ConnectorSettings, defaultSettings, type RequiredSettings } from "./settings.js";
import type { StoreAccess } from "./store/store-access.js";

export interface ConnectorOptions extends Records {
  /** What differs from {@link defaultSettings}, and what has no default. */
  settings: RequiredSettings & Partial<ConnectorSettings>;
  store: StoreAccess;
  tillgate: PayClient;
  log: ConnectorLog;
  /** The shipped rules where left out. */
  rules?: Rules;
  /** Seconds since 1970; the system's clock where left out. */
  nowSeconds?: () => number;
}

/** One store's connector. What each operation throws is written at the operation. */
export interface Connector {
  readonly settings: ConnectorSettings;
  startPayment(storeOrderId: number, orderKey: string): Promise<PaymentView>;
  readPayment(storeOrderId: number, orderKey: string): Promise<ReadPaymentView>;
  receiveWebhook(delivery: ReceivedWebhook): Promise<WebhookOutcome>;
  sweep(): Promise<SweepOutcome>;
}

/** Connects one store to one Tillgate account. The parts come from outside, so a shop may bring its own. */
export function createConnector(options: ConnectorOptions): Connector {
  const { settings, rules = loadRules(), nowSeconds = systemSeconds, ...parts } = options;
  const context: ConnectorContext = {
    ...parts,
    settings: { ...defaultSettings, ...settings },
    rules,
    nowSeconds,
  };
  return {
    settings: context.settings,
    startPayment: (storeOrderId, orderKey) => startPayment(context, storeOrderId, orderKey),
    readPayment: (storeOrderId, orderKey) => readPayment(context, storeOrderId, orderKey),
    receiveWebhook: (delivery) => receiveWebhook(context, delivery),
    sweep: () => sweep(context),
  };
}

const systemSeconds = (): number => Math.floor(Date.now() / 1000);
