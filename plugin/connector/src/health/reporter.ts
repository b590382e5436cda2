import type { ConnectorLog } from "../connector-log.js";
import type { HealthRecords, Problem } from "../records/records.js";
import { likelyCause, rejectedWebhook } from "./likely-cause.js";
import type { ConnectorMetrics } from "./metrics.js";

/** Anybody can cause refused deliveries: the least time between two that are recorded, in milliseconds. */
const REFUSAL_INTERVAL_MS = 1_000;
/** Latest payment starts that the failure rate covers. */
const STARTS = 10;
/** Failed starts below this number are not reported as a rate. */
const MIN_FAILED_STARTS = 3;
/** Characters of an error's own text that are kept. */
const MAX_TEXT = 500;

export type ProblemKind =
  /** Money and order do not match; a person decides. */
  | "mismatch"
  /** Not checked any more. */
  | "given_up"
  | "refund_refused"
  | "refund_failed"
  | "webhook_refused"
  | "store_webhook"
  | "clock"
  /** The shop's books and Tillgate's differ. */
  | "books"
  | "behind"
  /** The records are of another store or connector. */
  | "site"
  /** The store or Tillgate could not be called by the last sweep. */
  | "unreachable"
  /** Many payments could not be started. */
  | "starts"
  /** Changed orders that could not be read. */
  | "skipped";

/** Reports to metrics and the health panel. Never throws: a failed report must not fail the operation. */
export class Reporter {
  #lastRefusalMs = Number.NEGATIVE_INFINITY;
  /** Whether each of the last payments was started. */
  #starts: readonly boolean[] = [];

  constructor(
    private readonly storeId: string,
    private readonly records: HealthRecords,
    readonly metrics: ConnectorMetrics,
    private readonly log: ConnectorLog,
  ) {}

  async webhook(outcome: string, event: string | null): Promise<void> {
    this.metrics.webhook(this.storeId, outcome);
    await this.#write("last_webhook", { outcome, event });
    await this.settled("webhook_refused", "tillgate");
  }

  async refusedWebhook(reason: string): Promise<void> {
    this.metrics.webhook(this.storeId, "refused");
    if (!this.#mayWriteRefusal()) return;
    const text = rejectedWebhook[reason] ?? "Webhooks from Tillgate are rejected.";
    await this.problem({ kind: "webhook_refused", subject: "tillgate", text });
  }

  async storeWebhook(outcome: string): Promise<void> {
    this.metrics.storeWebhook(this.storeId, outcome);
    await this.#write("last_store_webhook", { outcome });
    await this.settled("webhook_refused", "store");
  }

  async refusedStoreWebhook(): Promise<void> {
    this.metrics.storeWebhook(this.storeId, "refused");
    if (!this.#mayWriteRefusal()) return;
    const text =
      "Webhooks from the store are rejected for their signature: the secret in the store doesn't match webhook_secret.";
    await this.problem({ kind: "webhook_refused", subject: "store", text });
  }

  async sweep(seconds: number, failedSteps: readonly string[]): Promise<void> {
    this.metrics.sweep(this.storeId, failedSteps.length === 0 ? "done" : "failed", seconds);
    await this.#write("last_sweep", { seconds: Math.round(seconds * 10) / 10, failed: failedSteps });
  }

  /** @param doing what failed, as it goes on after "While": `reading the store's changes` */
  async error(doing: string, error: unknown, storeOrderId: number | null = null): Promise<void> {
    const { cause, words } = likelyCause(error);
    this.metrics.error(this.storeId, cause);
    // Only errors of known kinds have texts that are made for people.
    const text = cause === "internal" ? "" : textOf(error).slice(0, MAX_TEXT);
    await this.#write("last_error", { doing, order: storeOrderId, cause, words, text });
  }

  /** A payment was started, or could not be. @param error null where it was started */
  async start(error: unknown): Promise<void> {
    const isFirst = this.#starts.length === 0;
    this.#starts = [...this.#starts, error === null].slice(-STARTS);
    const failed = this.#starts.filter((isStarted) => !isStarted).length;
    const isRate = failed >= MIN_FAILED_STARTS && failed * 2 >= this.#starts.length;
    if (isRate && error !== null) {
      const text = `${failed} of the last ${this.#starts.length} payments could not be started. ${likelyCause(error).words}`;
      await this.problem({ kind: "starts", subject: "starts", text });
    } else if (!isRate && error === null && (isFirst || failed > 0)) await this.settled("starts", "starts");
  }

  async report(name: "store_webhook" | "clocks", value: object): Promise<void> {
    await this.#write(name, value);
  }

  async problem(problem: Problem & { kind: ProblemKind }): Promise<void> {
    await this.#safely(() => this.records.raise(problem));
  }

  async settled(kind: ProblemKind, subject: string): Promise<void> {
    await this.#safely(() => this.records.settle(kind, subject));
  }

  #mayWriteRefusal(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#lastRefusalMs < REFUSAL_INTERVAL_MS) return false;
    this.#lastRefusalMs = nowMs;
    return true;
  }

  async #write(name: string, value: object): Promise<void> {
    await this.#safely(() => this.records.report(name, JSON.stringify(value)));
  }

  async #safely(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.log.error({ error: textOf(error) }, "The health panel could not be written");
    }
  }
}

export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
