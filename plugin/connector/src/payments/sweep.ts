import type { Attempt } from "../records/records.js";
import { withClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { checkAttempt, followStoreOrder } from "./follow-attempt.js";
import { noteOnce } from "./order-note.js";

/** The first reading of a store's changes starts this long ago, in milliseconds: longer than a payment can be open. */
const FIRST_LOOK_BACK_MS = 2 * 60 * 60_000;

export interface SweepOutcome {
  checked: number;
  failed: number;
  givenUp: number;
}

/**
 * One sweep of one store: asks the API about attempts that are under way, reads what changed in the store, removes old
 * events. Each order stands for itself: one that fails is tried again later, and no other waits for it.
 */
export async function sweep(context: ConnectorContext): Promise<SweepOutcome> {
  const outcome: SweepOutcome = { checked: 0, failed: 0, givenUp: 0 };
  await checkDueAttempts(context, outcome);
  await followStore(context);
  await context.events.prune(context.settings.storeId, context.settings.keepEventsMs);
  return outcome;
}

async function checkDueAttempts(context: ConnectorContext, outcome: SweepOutcome): Promise<void> {
  const { attempts, settings } = context;
  // Due again well before the next sweep but one, also when this process dies on the way.
  const leaseMs = settings.sweepIntervalMs * 0.75;
  for (let batch = 1; batch <= settings.sweepMaxBatches; batch += 1) {
    const due = await attempts.takeDue(settings.storeId, settings.sweepBatch, leaseMs);
    const queue = due.values();
    const worker = async () => {
      for (const attempt of queue) await checkOne(context, attempt, outcome);
    };
    await Promise.all(Array.from({ length: settings.sweepConcurrency }, worker));
    if (due.length < settings.sweepBatch) return;
  }
  context.log.warn(
    { store: settings.storeId },
    `More than ${settings.sweepBatch * settings.sweepMaxBatches} payments were due; the rest waits for the next sweep`,
  );
}

async function checkOne(context: ConnectorContext, attempt: Attempt, outcome: SweepOutcome): Promise<void> {
  const { attempts, settings, log } = context;
  outcome.checked += 1;
  try {
    if (await checkAttempt(context, attempt))
      await attempts.checked(attempt.id, settings.sweepIntervalMs * 0.75);
  } catch (error) {
    outcome.failed += 1;
    const failures = attempt.failedChecks + 1;
    const delayMs = Math.min(
      settings.maxCheckDelayMs,
      settings.sweepIntervalMs * 2 ** Math.min(failures - 1, 20),
    );
    await attempts.checkFailed(attempt.id, delayMs * 0.75);
    log.warn(
      { store: settings.storeId, order: attempt.storeOrderId, failures, error: textOf(error) },
      "The sweep could not settle a payment; it is tried again",
    );
    if (failures < settings.maxFailedChecks) return;
    outcome.givenUp += 1;
    await giveUp(context, attempt, error);
  }
}

/** The last word on an attempt that can not be settled: for a person, in the log and on the order. */
async function giveUp(context: ConnectorContext, attempt: Attempt, cause: unknown): Promise<void> {
  const { attempts, settings, log } = context;
  await attempts.givenUp(attempt.id);
  const what =
    attempt.order === null ? "this order's payment" : `the payment ${attempt.order.tillgateOrderId}`;
  log.error(
    { store: settings.storeId, order: attempt.storeOrderId, error: textOf(cause) },
    `Gave up on ${what} after ${settings.maxFailedChecks} failed checks`,
  );
  const note = `Tillgate: ${what} could not be checked ${settings.maxFailedChecks} times in a row. It is not checked any more. Please look it up at Tillgate.`;
  try {
    await noteOnce(context, attempt.storeOrderId, note);
  } catch (error) {
    log.error(
      { store: settings.storeId, order: attempt.storeOrderId, error: textOf(error) },
      "Nor could that be noted",
    );
  }
}

/** Learns of changes made in the shop, by one process at a time. */
async function followStore(context: ConnectorContext): Promise<void> {
  const { settings, log } = context;
  try {
    await withClaim(context, `changes:${settings.storeId}`, 0, (held) =>
      readChanges(context, () => held.keep()),
    );
  } catch (error) {
    log.warn(
      { store: settings.storeId, error: textOf(error) },
      "The store's changes could not be read; tried again",
    );
  }
}

async function readChanges(context: ConnectorContext, keep: () => Promise<void>): Promise<void> {
  const { attempts, cursors, settings, store, log } = context;
  const cursor = (await cursors.read(settings.storeId)) ?? new Date(Date.now() - FIRST_LOOK_BACK_MS);
  const since = new Date(cursor.getTime() - settings.storeOverlapMs);
  for (let page = 1; page <= settings.storeMaxPages; page += 1) {
    await keep();
    const { orders, isLast } = await store.ordersModifiedAfter(since, page);
    const open = await attempts.openOf(
      settings.storeId,
      orders.map(({ id }) => id),
    );
    let failed = false;
    for (const attempt of open) {
      try {
        await followStoreOrder(context, attempt.id);
      } catch (error) {
        failed = true;
        log.warn(
          { store: settings.storeId, order: attempt.storeOrderId, error: textOf(error) },
          "A change in the store could not be followed; it is read again",
        );
      }
    }
    // The cursor is the store's own clock, and stays where a change could not be followed.
    if (failed) return;
    const times = orders.flatMap(({ modifiedAt }) => (modifiedAt === null ? [] : [modifiedAt.getTime()]));
    if (times.length > 0) await cursors.write(settings.storeId, new Date(Math.max(...times)));
    if (isLast) return;
  }
  log.warn(
    { store: settings.storeId },
    `More than ${settings.storeMaxPages} pages of changes in the store; the rest waits for the next sweep`,
  );
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
