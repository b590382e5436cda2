import type { ConnectorLog } from "../connector-log.js";
import type { HealthRecords, Problem } from "../records/records.js";
import { likelyCause, webhookRejectionCauses } from "./likely-cause.js";
import type { ConnectorMetrics } from "./metrics.js";
import { fill } from "./texts.js";

/** Minimum time between recorded rejections, because anyone can send invalid webhooks. */
const REJECTION_INTERVAL_MS = 1_000;
/** Number of latest payment starts that the failure rate covers. */
const RECENT_STARTS = 10;
/** Fewer failed starts are not reported. */
const MIN_FAILED_STARTS = 3;
const MAX_TEXT_LENGTH = 500;

export type ProblemKind =
  /** Payment and order don't match; the shop owner must resolve it. */
  | "mismatch"
  /** A payment or change is no longer checked. */
  | "given_up"
  | "refund_refused"
  | "refund_failed"
  | "webhook_refused"
  | "store_webhook"
  | "clock"
  /** The comparison found differences. */
  | "books"
  | "behind"
  /** The database belongs to another store or connector. */
  | "site"
  /** The last sweep could not reach the store or Tillgate. */
  | "unreachable"
  /** Many payment starts failed. */
  | "starts"
  /** Some changed orders could not be read. */
  | "skipped";

/** Saves the health reports, problems and metrics of one store. Never throws, because a failed report must not fail the operation. */
export class Reporter {
  #lastRejectionMs = Number.NEGATIVE_INFINITY;
  /** True for each successful start. */
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
    await this.resolveProblem("webhook_refused", "tillgate");
  }

  async rejectedWebhook(reason: string): Promise<void> {
    this.metrics.webhook(this.storeId, "refused");
    if (!this.#shouldReportRejection()) return;
    const text = webhookRejectionCauses[reason] ?? "Webhooks from Tillgate are rejected.";
    await this.reportProblem({ kind: "webhook_refused", subject: "tillgate", text });
  }

  async storeWebhook(outcome: string): Promise<void> {
    this.metrics.storeWebhook(this.storeId, outcome);
    await this.#write("last_store_webhook", { outcome });
    await this.resolveProblem("webhook_refused", "store");
  }

  async rejectedStoreWebhook(): Promise<void> {
    this.metrics.storeWebhook(this.storeId, "refused");
    if (!this.#shouldReportRejection()) return;
    const text =
      "Webhooks from the shop are rejected for their signature: they aren’t from the shop, or the secret in the shop doesn’t match webhook_secret.";
    await this.reportProblem({ kind: "webhook_refused", subject: "store", text });
  }

  async sweep(seconds: number, failedSteps: readonly string[]): Promise<void> {
    this.metrics.sweep(this.storeId, failedSteps.length === 0 ? "done" : "failed", seconds);
    await this.#write("last_sweep", { seconds: Math.round(seconds * 10) / 10, failed: failedSteps });
  }

  /** @param doing what failed, shown after "while": `reading the store's changes` */
  async error(doing: string, error: unknown, storeOrderId: number | null = null): Promise<void> {
    const { cause, hint } = likelyCause(error);
    this.metrics.error(this.storeId, cause);
    // Messages of unknown errors are not meant for users.
    const text = cause === "internal" ? "" : errorText(error).slice(0, MAX_TEXT_LENGTH);
    await this.#write("last_error", { doing, order: storeOrderId, cause, words: hint, text });
  }

  /**
   * Records a payment start. The failure rate is high if at least half of the recent starts, and at least MIN_FAILED_STARTS, failed. A
   * failed start at a high rate reports a problem; a successful start at a lower rate resolves it.
   * @param error null on success
   */
  async paymentStart(error: unknown): Promise<void> {
    const isFirst = this.#starts.length === 0;
    this.#starts = [...this.#starts, error === null].slice(-RECENT_STARTS);
    const failed = this.#starts.filter((isStarted) => !isStarted).length;
    const isRate = failed >= MIN_FAILED_STARTS && failed * 2 >= this.#starts.length;
    if (isRate && error !== null) {
      const text = fill("{failed} of the last {count} payments couldn’t be started. {cause}", {
        failed,
        count: this.#starts.length,
        cause: likelyCause(error).hint,
      });
      await this.reportProblem({ kind: "starts", subject: "starts", text });
    } else if (!isRate && error === null && (isFirst || failed > 0))
      await this.resolveProblem("starts", "starts");
  }

  async writeReport(name: "store_webhook" | "clocks", value: object): Promise<void> {
    await this.#write(name, value);
  }

  async reportProblem(problem: Problem & { kind: ProblemKind }): Promise<void> {
    await this.#safely(() => this.records.raise(problem));
  }

  async resolveProblem(kind: ProblemKind, subject: string): Promise<void> {
    await this.#safely(() => this.records.resolve(kind, subject));
  }

  #shouldReportRejection(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#lastRejectionMs < REJECTION_INTERVAL_MS) return false;
    this.#lastRejectionMs = nowMs;
    return true;
  }

  async #write(name: string, value: object): Promise<void> {
    await this.#safely(() => this.records.report(name, JSON.stringify(value)));
  }

  async #safely(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.log.error({ error: errorText(error) }, "Could not save the health report");
    }
  }
}

export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
