import type { PayClient } from "@tillgate/client";
import { ConnectorError, type ConnectorFailure } from "./connector-error.js";
import { type ConnectorLog, logOfStore } from "./connector-log.js";
import { ClockWatch } from "./health/clocks.js";
import { type ConnectorMetrics, createMetrics, type StoreGauges } from "./health/metrics.js";
import { Reporter, textOf } from "./health/reporter.js";
import type { ConnectorContext } from "./payments/context.js";
import { lookAtOrders } from "./payments/duties.js";
import { type HealthView, healthView } from "./payments/health-view.js";
import type { PaymentView } from "./payments/payment-view.js";
import { type ReadPaymentView, readPayment } from "./payments/read-payment.js";
import {
  type ReceivedStoreWebhook,
  receiveStoreWebhook,
  type StoreWebhookOutcome,
} from "./payments/receive-store-webhook.js";
import { type ReceivedWebhook, receiveWebhook, type WebhookOutcome } from "./payments/receive-webhook.js";
import { type AskedPayment, startPayment } from "./payments/start-payment.js";
import { type SweepOutcome, sweep } from "./payments/sweep.js";
import { workOff } from "./payments/work-off.js";
import type { Records } from "./records/records.js";
import { loadRules, type Rules } from "./rules.js";
import {
  type ConnectorSettings,
  defaultSettings,
  type RequiredSettings,
  type StoreCredential,
} from "./settings.js";
import type { StoreAccess } from "./store/store-access.js";

export type ConnectorOptions = Records & {
  /** What differs from {@link defaultSettings}, and what has no default. */
  settings: RequiredSettings & Partial<ConnectorSettings>;
  store: StoreAccess;
  /** With the first of the credentials. */
  tillgate: PayClient;
  /** With one of those after it; where left out, their payments are not asked about any more. */
  retiredTillgate?: (credential: StoreCredential) => PayClient | null;
  log: ConnectorLog;
  /** The shipped rules where left out. */
  rules?: Rules;
  /** Separate metrics where left out. */
  metrics?: ConnectorMetrics;
  /** What was learned of the clocks; nothing where left out. */
  clocks?: ClockWatch;
  /** Seconds since 1970; left out: Tillgate's clock, from its answers. */
  nowSeconds?: () => number;
};

/** One store's connector. What each operation throws is written at the operation. */
export type Connector = {
  readonly settings: ConnectorSettings;
  startPayment(asked: AskedPayment): Promise<PaymentView>;
  readPayment(storeOrderId: number, orderKey: string): Promise<ReadPaymentView>;
  receiveWebhook(delivery: ReceivedWebhook): Promise<WebhookOutcome>;
  /** Its work is done at once, after this returned. */
  receiveStoreWebhook(delivery: ReceivedStoreWebhook): Promise<StoreWebhookOutcome>;
  sweep(): Promise<SweepOutcome>;
  health(): Promise<HealthView>;
  gauges(): Promise<StoreGauges>;
  /** Waits until what was begun in the background has ended. */
  idle(): Promise<void>;
};

/** Connects one store to one Tillgate account. The parts come from outside, so a shop may bring its own. */
export function createConnector(options: ConnectorOptions): Connector {
  const {
    settings,
    rules = loadRules(),
    metrics = createMetrics().metrics,
    clocks = new ClockWatch(),
    // Tillgate signs by its own clock, so that is the one that says how old a signature is.
    nowSeconds = () => Math.floor(clocks.nowMs("tillgate") / 1000),
    retiredTillgate = () => null,
    ...parts
  } = options;
  const log = logOfStore(parts.log, settings.storeId);
  const context: ConnectorContext = {
    ...parts,
    log,
    settings: { ...defaultSettings, ...settings },
    rules,
    clocks,
    nowSeconds,
    retiredTillgate,
    reporter: new Reporter(settings.storeId, parts.health, metrics, log),
  };
  const background = inBackground(context);
  const reported = async <T>(doing: string, order: number | null, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!isCallersMistake(error)) await context.reporter.error(doing, error, order);
      throw error;
    }
  };
  return {
    settings: context.settings,
    startPayment: (asked) => reported("starting a payment", asked.storeOrderId, startPayment(context, asked)),
    readPayment: (orderId, key) => readPayment(context, orderId, key),
    receiveWebhook: (delivery) => receiveWebhook(context, delivery),
    async receiveStoreWebhook(delivery) {
      const doing = "receiving the store's webhook";
      const outcome = await reported(doing, null, receiveStoreWebhook(context, delivery));
      if (outcome === "refused") await context.reporter.refusedStoreWebhook();
      else await context.reporter.storeWebhook(outcome);
      if (outcome === "queued") background.start();
      return outcome;
    },
    sweep: () => sweep(context),
    health: () => healthView(context),
    async gauges() {
      const { storeId } = context.settings;
      const [{ underWay, givenUp }, waitingChanges, problems] = await Promise.all([
        context.payments.count(),
        context.due.count("order"),
        context.health.countProblems(),
      ]);
      return {
        store: storeId,
        underWay,
        givenUp,
        waitingChanges,
        problems,
        clockSeconds: clocks.differences(),
      };
    },
    idle: () => background.idle(),
  };
}

/**
 * Looks at the due orders, one run at a time; orders that come in meanwhile get another run. If the process dies, a sweep
 * does it.
 */
function inBackground(context: ConnectorContext) {
  let running: Promise<void> | null = null;
  let again = false;
  const run = async (): Promise<void> => {
    do {
      again = false;
      try {
        await workOff(context, lookAtOrders);
      } catch (error) {
        await context.reporter.error("following changes in the store", error);
        context.log.warn(
          { error: textOf(error) },
          "Changes in the store could not be followed at once; the sweep follows them",
        );
      }
    } while (again);
    running = null;
  };
  return {
    start() {
      again = true;
      running ??= run();
    },
    async idle() {
      await running;
    },
  };
}

/** Anybody may ask for an order that does not exist; that is no error of the connector. */
const CALLERS_MISTAKES: readonly ConnectorFailure[] = ["order_not_found", "payment_not_found", "not_payable"];
const isCallersMistake = (error: unknown): boolean =>
  error instanceof ConnectorError && CALLERS_MISTAKES.includes(error.failure);
