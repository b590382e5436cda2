import { errorText } from "../health/reporter.js";
import type { DueKind, ScheduledItem } from "../records/records.js";
import type { ConnectorSettings } from "../settings.js";
import { StoreError } from "../store/store-access.js";
import type { ConnectorContext } from "./context.js";

export type ScheduledCheck = {
  kind: DueKind;
  /** Shown in error reports after "while". */
  doing: string;
  failureMessage: string;
  /** @returns milliseconds until the next check; null if none is needed */
  run(context: ConnectorContext, item: ScheduledItem): Promise<number | null>;
  /** Whether a retry cannot succeed. */
  isPermanent?(error: unknown): boolean;
  /** Called when retries are exhausted or cannot succeed. Without it, the check is retried forever. */
  abandon?(context: ConnectorContext, item: ScheduledItem, error: unknown): Promise<void>;
};

export type DrainResult = {
  checked: number;
  failed: number;
  abandoned: number;
};

/** Returns three quarters of the requested delay, so that the next sweep finds the item due. */
export const scheduleDelay = (milliseconds: number): number => milliseconds * 0.75;

/** Checks the due items of one kind, and retries failed checks with backoff. Several processes may call this concurrently. */
export async function drainDue(context: ConnectorContext, check: ScheduledCheck): Promise<DrainResult> {
  const { due, log, settings } = context;
  const { sweepBatch, sweepConcurrency, sweepIntervalMs, sweepMaxBatches } = settings;
  const outcome: DrainResult = { checked: 0, failed: 0, abandoned: 0 };
  for (let batch = 1; batch <= sweepMaxBatches; batch += 1) {
    const items = await due.lease(check.kind, sweepBatch, scheduleDelay(sweepIntervalMs));
    const queue = items.values();
    const worker = async () => {
      for (const item of queue) await runCheck(context, check, item, outcome);
    };
    await Promise.all(Array.from({ length: sweepConcurrency }, worker));
    if (items.length < sweepBatch) return outcome;
  }
  log.warn(
    { kind: check.kind },
    `At least ${sweepBatch * sweepMaxBatches} items were due, the limit of one sweep; the next sweep will check any others`,
  );
  return outcome;
}

async function runCheck(
  context: ConnectorContext,
  check: ScheduledCheck,
  item: ScheduledItem,
  outcome: DrainResult,
): Promise<void> {
  const { due, log, reporter, settings } = context;
  const { storeOrderId, subject } = item;
  outcome.checked += 1;
  try {
    const nextMs = await check.run(context, item);
    if (nextMs === null) await due.complete(check.kind, item);
    else await due.reschedule(check.kind, item, scheduleDelay(nextMs), 0);
  } catch (error) {
    outcome.failed += 1;
    const failures = item.failures + 1;
    const retryAfterMs = error instanceof StoreError ? (error.retryAfterMs ?? 0) : 0;
    const delayMs = Math.max(retryAfterMs, scheduleDelay(backOffMs(failures, settings)));
    await due.reschedule(check.kind, item, delayMs, failures);
    await reporter.error(check.doing, error, storeOrderId);
    log.warn({ order: storeOrderId, subject, failures, error: errorText(error) }, check.failureMessage);
    if (check.abandon === undefined) return;
    if (failures < settings.maxFailedChecks && check.isPermanent?.(error) !== true) return;
    outcome.abandoned += 1;
    await check.abandon(context, { ...item, failures }, error);
    await due.complete(check.kind, item);
  }
}

const backOffMs = (
  failures: number,
  { maxCheckDelayMs, sweepIntervalMs }: Pick<ConnectorSettings, "maxCheckDelayMs" | "sweepIntervalMs">,
): number => Math.min(maxCheckDelayMs, sweepIntervalMs * 2 ** Math.min(failures - 1, 20));
