import { textOf } from "../health/reporter.js";
import type { DueItem, DueKind } from "../records/records.js";
import type { ConnectorSettings } from "../settings.js";
import type { ConnectorContext } from "./context.js";

/** How one kind of due items is handled. */
export type Duty = {
  kind: DueKind;
  /** What fails, as it goes on after "While". */
  doing: string;
  /** What the log says of one that failed. */
  failed: string;
  /**
   * Where its subject came to an end, the records have it due no more by themselves.
   * @returns in how many milliseconds it is due again; null where it is done
   */
  work(context: ConnectorContext, item: DueItem): Promise<number | null>;
  /** Whether trying again cannot help. */
  isHopeless?(error: unknown): boolean;
  /** The last word on one that failed too often. Where left out, it is tried for as long as it takes. */
  giveUp?(context: ConnectorContext, item: DueItem, error: unknown): Promise<void>;
};

export type WorkedOff = {
  checked: number;
  failed: number;
  givenUp: number;
};

/** A little under a time in the sweep's rhythm: each sweep finds due what the one before it left, also where that one died. */
export const inRhythm = (milliseconds: number): number => milliseconds * 0.75;

/**
 * Handles the due items of one kind, in bounded batches, a few at a time. Each is independent: a failed one is due again
 * later, backing off, and is given up in the end. Several processes may do this at once.
 */
export async function workOff(context: ConnectorContext, duty: Duty): Promise<WorkedOff> {
  const { due, log, settings } = context;
  const { sweepBatch, sweepConcurrency, sweepIntervalMs, sweepMaxBatches } = settings;
  const outcome: WorkedOff = { checked: 0, failed: 0, givenUp: 0 };
  for (let batch = 1; batch <= sweepMaxBatches; batch += 1) {
    const items = await due.take(duty.kind, sweepBatch, inRhythm(sweepIntervalMs));
    const queue = items.values();
    const worker = async () => {
      for (const item of queue) await workOn(context, duty, item, outcome);
    };
    await Promise.all(Array.from({ length: sweepConcurrency }, worker));
    if (items.length < sweepBatch) return outcome;
  }
  log.warn(
    { kind: duty.kind },
    `More than ${sweepBatch * sweepMaxBatches} were due; the rest waits for the next sweep`,
  );
  return outcome;
}

async function workOn(
  context: ConnectorContext,
  duty: Duty,
  item: DueItem,
  outcome: WorkedOff,
): Promise<void> {
  const { due, log, reporter, settings } = context;
  const { storeOrderId, subject } = item;
  outcome.checked += 1;
  try {
    const againMs = await duty.work(context, item);
    if (againMs === null) await due.done(duty.kind, item);
    else await due.again(duty.kind, item, inRhythm(againMs), 0);
  } catch (error) {
    outcome.failed += 1;
    const failures = item.failures + 1;
    await due.again(duty.kind, item, inRhythm(backOffMs(failures, settings)), failures);
    await reporter.error(duty.doing, error, storeOrderId);
    log.warn({ order: storeOrderId, subject, failures, error: textOf(error) }, duty.failed);
    if (duty.giveUp === undefined) return;
    if (failures < settings.maxFailedChecks && duty.isHopeless?.(error) !== true) return;
    outcome.givenUp += 1;
    await duty.giveUp(context, { ...item, failures }, error);
    await due.done(duty.kind, item);
  }
}

/** Twice as long after each failure in a row. */
const backOffMs = (
  failures: number,
  { maxCheckDelayMs, sweepIntervalMs }: Pick<ConnectorSettings, "maxCheckDelayMs" | "sweepIntervalMs">,
): number => Math.min(maxCheckDelayMs, sweepIntervalMs * 2 ** Math.min(failures - 1, 20));
