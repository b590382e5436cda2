import type { PayClient } from "@tillgate/client";
import { type ComparisonRules, loadComparisonRules } from "./comparison-rules.js";
import { ConnectorError, type ConnectorFailure } from "./connector-error.js";
import { type ConnectorLog, logOfStore } from "./connector-log.js";
import { ClockWatch } from "./health/clocks.js";
import { type ConnectorMetrics, createMetrics, type StoreGauges } from "./health/metrics.js";
import { Reporter, textOf } from "./health/reporter.js";
import { compareBooks } from "./payments/compare-books.js";
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
  /** The shipped rules of the comparison where left out. */
  comparison?: ComparisonRules;
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
  startPayment(asked: PaymentInput): Promise<PaymentView>;
  readPayment(storeOrderId: number, orderKey: string): Promise<ReadPaymentView>;
  receiveWebhook(delivery: ReceivedWebhook): Promise<WebhookOutcome>;
  /** Its work is done at once, after this returned. */
  receiveStoreWebhook(delivery: ReceivedStoreWebhook): Promise<StoreWebhookOutcome>;
  sweep(): Promise<SweepOutcome>;
  /** Goes on with a comparison of the books, and begins the night's. @returns whether one is still under way */
  compareBooks(): Promise<boolean>;
  /** Begins a comparison, and goes on with it at once, after this returned. @returns whether it began: not while one is under way */
  askComparison(): Promise<boolean>;
  comparison(): Promise<ComparisonView>;
  /** The owner says that a difference is right as it is. */
  accept(difference: DifferenceName): Promise<AcceptOutcome>;
  repair(difference: DifferenceName): Promise<RepairOutcome>;
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
    comparison = loadComparisonRules(),
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
    comparison,
    clocks,
    nowSeconds,
    retiredTillgate,
    reporter: new Reporter(settings.storeId, parts.health, metrics, log),
  };
  const looks = inBackground(context, "following changes in the store", () => drainDue(context, checkOrders));
  const comparing = inBackground(context, COMPARING, () => compareBooks(context));
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
    async startPayment(asked) {
      try {
        const view = await reported("starting a payment", asked.storeOrderId, startPayment(context, asked));
        await context.reporter.start(null);
        return view;
      } catch (error) {
        if (!isCallersMistake(error)) await context.reporter.start(error);
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
      const outcome = await reported(doing, null, receiveStoreWebhook(context, delivery));
      if (outcome === "refused") await context.reporter.refusedStoreWebhook();
      else await context.reporter.storeWebhook(outcome);
      if (outcome === "queued") looks.start();
      return outcome;
    },
    async sweep() {
      await requireSite(context);
      await context.reporter.settled("site", "site");
      return sweep(context);
    },
    async compareBooks() {
      await requireSite(context);
      return reported(COMPARING, null, compareBooks(context));
    },
    async askComparison() {
      await requireSite(context);
      const begun = await context.comparisons.begin();
      comparing.start();
      return begun;
    },
    comparison: () => comparisonView(context),
    accept: (difference) => acceptDifference(context, difference),
    async repair(difference) {
      return reported("repairing a difference", null, repairDifference(context, difference));
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
      await Promise.all([looks.idle(), comparing.idle()]);
    },
  };
}

/** As it goes on after "While". */
const COMPARING = "comparing the books with Tillgate";

/**
 * Does some work, one run at a time; what is asked for meanwhile gets another run. If it fails or the process dies, the next
 * sweep or comparison does it.
 */
function inBackground(context: ConnectorContext, doing: string, work: () => Promise<unknown>) {
  let running: Promise<void> | null = null;
  let again = false;
  const run = async (): Promise<void> => {
    do {
      again = false;
      try {
        await work();
      } catch (error) {
        await context.reporter.error(doing, error);
        context.log.warn({ error: textOf(error) }, `Failed at once ${doing}; it is tried again`);
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
  error instanceof ConnectorError &&
  CALLERS_MISTAKES.includes(error.failure) &&
  // A total that nobody can pay is the shop's.
  !(error.cause instanceof StoreAmountError);
