import type { PayClient } from "@tillgate/client";
import { ConnectorError, type ConnectorErrorCode } from "./connector-error.js";
import { type ConnectorLog, createStoreLog } from "./connector-log.js";
import { ClockWatch } from "./health/clocks.js";
import { type ConnectorMetrics, createMetrics, type StoreGauges } from "./health/metrics.js";
import { errorText, Reporter } from "./health/reporter.js";
import { type ComparisonView, comparisonView } from "./payments/comparison-view.js";
import type { ConnectorContext } from "./payments/context.js";
import {
  type AcceptOutcome,
  acceptDifference,
  type RepairOutcome,
  repairDifference,
} from "./payments/differences.js";
import { drainDue } from "./payments/drain-due.js";
import { type HealthView, healthView } from "./payments/health-view.js";
import { type PaymentView, type ReadPaymentView, readPayment } from "./payments/read-payment.js";
import { type ReceivedWebhook, receiveWebhook, type WebhookOutcome } from "./payments/receive-webhook.js";
import { runComparison } from "./payments/run-comparison.js";
import { checkOrders } from "./payments/scheduled-checks.js";
import { requireSite } from "./payments/site.js";
import { type PaymentInput, startPayment } from "./payments/start-payment.js";
import {
  type ReceivedStoreWebhook,
  receiveStoreWebhook,
  type StoreWebhookOutcome,
} from "./payments/store-webhook.js";
import { type SweepOutcome, sweep } from "./payments/sweep.js";
import type { DifferenceName, Records } from "./records/records.js";
import { loadRules, type Rules } from "./rules.js";
import {
  type ConnectorSettings,
  defaultSettings,
  type RequiredSettings,
  type StoreCredential,
} from "./settings.js";
import type { StoreAccess } from "./store/store-access.js";
import { StoreAmountError } from "./store/store-amount.js";

export type ConnectorOptions = Records & {
  settings: RequiredSettings & Partial<ConnectorSettings>;
  store: StoreAccess;
  /** Client for the current credential. */
  tillgate: PayClient;
  /** Client for a retired credential. Without it, operations on payments that were started with a retired credential fail with `credential_gone`. */
  retiredTillgate?: (credential: StoreCredential) => PayClient | null;
  log: ConnectorLog;
  /** Default: the rules in the package. */
  rules?: Rules;
  metrics?: ConnectorMetrics;
  clocks?: ClockWatch;
  /** Seconds since 1970. Default: Tillgate's clock, from the `Date` header of its responses. */
  nowSeconds?: () => number;
};

/** The operations of one store's connector. Errors are documented at the function that implements each operation. */
export type Connector = {
  readonly settings: ConnectorSettings;
  startPayment(input: PaymentInput): Promise<PaymentView>;
  readPayment(storeOrderId: number, orderKey: string): Promise<ReadPaymentView>;
  receiveWebhook(delivery: ReceivedWebhook): Promise<WebhookOutcome>;
  /** Schedules the order check, which then runs in the background. */
  receiveStoreWebhook(delivery: ReceivedStoreWebhook): Promise<StoreWebhookOutcome>;
  sweep(): Promise<SweepOutcome>;
  /** Starts the nightly comparison if it is due, and continues a run in progress. @returns whether a run is still in progress */
  runComparison(): Promise<boolean>;
  /** Starts a comparison in the background. @returns false if a comparison is already in progress */
  startComparison(): Promise<boolean>;
  comparison(): Promise<ComparisonView>;
  acceptDifference(difference: DifferenceName): Promise<AcceptOutcome>;
  repairDifference(difference: DifferenceName): Promise<RepairOutcome>;
  health(): Promise<HealthView>;
  gauges(): Promise<StoreGauges>;
  /** Waits for the background work to end. */
  idle(): Promise<void>;
};

/** Creates a store's connector, which does nothing until one of its operations is called. */
export function createConnector(options: ConnectorOptions): Connector {
  const {
    settings,
    rules = loadRules(),
    metrics = createMetrics().metrics,
    clocks = new ClockWatch(),
    // Signatures carry Tillgate's time, so their age is measured by Tillgate's clock.
    nowSeconds = () => Math.floor(clocks.nowMs("tillgate") / 1000),
    retiredTillgate = () => null,
    ...dependencies
  } = options;
  const log = createStoreLog(dependencies.log, settings.storeId);
  const context: ConnectorContext = {
    ...dependencies,
    log,
    settings: { ...defaultSettings, ...settings },
    rules,
    clocks,
    nowSeconds,
    retiredTillgate,
    reporter: new Reporter(settings.storeId, dependencies.health, metrics, log),
  };
  const orderChecks = createBackgroundTask(context, "processing changes in the shop", () =>
    drainDue(context, checkOrders),
  );
  const comparisonTask = createBackgroundTask(context, COMPARING, () => runComparison(context));
  const withErrorReport = async <T>(
    description: string,
    order: number | null,
    work: Promise<T>,
  ): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!isCallerError(error)) await context.reporter.error(description, error, order);
      throw error;
    }
  };
  return {
    settings: context.settings,
    async startPayment(input) {
      try {
        const view = await withErrorReport(
          "starting a payment",
          input.storeOrderId,
          startPayment(context, input),
        );
        await context.reporter.paymentStart(null);
        return view;
      } catch (error) {
        if (!isCallerError(error)) await context.reporter.paymentStart(error);
        throw error;
      }
    },
    async readPayment(orderId, key) {
      await requireSite(context);
      return readPayment(context, orderId, key);
    },
    async receiveWebhook(delivery) {
      await requireSite(context);
      return receiveWebhook(context, delivery);
    },
    async receiveStoreWebhook(delivery) {
      await requireSite(context);
      const doing = "receiving the store's webhook";
      let outcome: StoreWebhookOutcome;
      try {
        outcome = await withErrorReport(doing, null, receiveStoreWebhook(context, delivery));
      } catch (error) {
        await context.reporter.storeWebhook("failed");
        throw error;
      }
      if (outcome === "refused") await context.reporter.rejectedStoreWebhook();
      else await context.reporter.storeWebhook(outcome);
      if (outcome === "queued") orderChecks.start();
      return outcome;
    },
    async sweep() {
      await requireSite(context);
      await context.reporter.resolveProblem("site", "site");
      return sweep(context);
    },
    async runComparison() {
      await requireSite(context);
      return withErrorReport(COMPARING, null, runComparison(context));
    },
    async startComparison() {
      await requireSite(context);
      const started = await context.comparisons.start();
      comparisonTask.start();
      return started;
    },
    comparison: () => comparisonView(context),
    acceptDifference: (difference) => acceptDifference(context, difference),
    async repairDifference(difference) {
      return withErrorReport("repairing a difference", null, repairDifference(context, difference));
    },
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
    async idle() {
      await Promise.all([orderChecks.idle(), comparisonTask.idle()]);
    },
  };
}

/** Completes "Error while …". */
const COMPARING = "comparing orders with Tillgate";

/** Creates a task that has at most one run at a time; `start` during a run adds another run afterwards. Failures are reported, not thrown. */
function createBackgroundTask(context: ConnectorContext, description: string, work: () => Promise<unknown>) {
  let running: Promise<void> | null = null;
  let isRequested = false;
  const run = async (): Promise<void> => {
    do {
      isRequested = false;
      try {
        await work();
      } catch (error) {
        await context.reporter.error(description, error);
        context.log.warn({ error: errorText(error) }, `Error while ${description}; will retry`);
      }
    } while (isRequested);
    running = null;
  };
  return {
    start() {
      isRequested = true;
      running ??= run();
    },
    async idle() {
      await running;
    },
  };
}

/** A request for an order that does not exist or cannot be paid is not a failure of the connector. */
const CALLER_ERRORS: readonly ConnectorErrorCode[] = ["order_not_found", "payment_not_found", "not_payable"];
const isCallerError = (error: unknown): boolean =>
  error instanceof ConnectorError &&
  CALLER_ERRORS.includes(error.code) &&
  // An invalid total is a misconfiguration of the shop, and is reported.
  !(error.cause instanceof StoreAmountError);
