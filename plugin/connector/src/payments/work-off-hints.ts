import { textOf } from "../health/reporter.js";
import type { Hint } from "../records/records.js";
import { fillNote } from "../rules.js";
import type { ConnectorContext } from "./context.js";
import { shopRefundFields } from "./link-shop-refund.js";
import { lookAtOrder } from "./look-at-order.js";
import { noteOnce } from "./order-note.js";

/**
 * Looks at every order that a hint tells of. Each stands for itself: one that fails is looked at again later, backing off,
 * and is given up with a note in the end.
 */
export async function workOffHints(context: ConnectorContext): Promise<void> {
  const { hints, settings } = context;
  for (let batch = 1; batch <= settings.sweepMaxBatches; batch += 1) {
    const due = await hints.takeDue(settings.storeId, settings.sweepBatch, settings.sweepIntervalMs * 0.75);
    const queue = due.values();
    const worker = async () => {
      for (const hint of queue) await lookOnce(context, hint);
    };
    await Promise.all(Array.from({ length: settings.sweepConcurrency }, worker));
    if (due.length < settings.sweepBatch) return;
  }
}

async function lookOnce(context: ConnectorContext, hint: Hint): Promise<void> {
  const { hints, log, reporter, settings } = context;
  const { storeOrderId } = hint;
  try {
    await lookAtOrder(context, storeOrderId);
    await hints.done(settings.storeId, hint);
    await reporter.settled("given_up", `order ${storeOrderId}`);
  } catch (error) {
    const failures = hint.failures + 1;
    await reporter.error("following a change in the store", error, storeOrderId);
    log.warn(
      { store: settings.storeId, order: storeOrderId, failures, error: textOf(error) },
      "A change in the store could not be followed; it is looked at again",
    );
    if (failures >= settings.maxFailedChecks) return giveUp(context, hint, error);
    const delayMs = Math.min(
      settings.maxCheckDelayMs,
      settings.sweepIntervalMs * 2 ** Math.min(failures - 1, 20),
    );
    await hints.failed(settings.storeId, hint, delayMs * 0.75);
  }
}

/** The last word on an order that can not be looked at: for a person, in the log, the panel and on the order. */
async function giveUp(context: ConnectorContext, hint: Hint, cause: unknown): Promise<void> {
  const { hints, log, reporter, rules, settings, shopRefunds } = context;
  const { storeOrderId } = hint;
  await hints.done(settings.storeId, hint);
  const text = `A change of this order in the store could not be followed ${settings.maxFailedChecks} times in a row. Please compare the order with Tillgate.`;
  await reporter.problem({ kind: "given_up", subject: `order ${storeOrderId}`, storeOrderId, text });
  log.error(
    { store: settings.storeId, order: storeOrderId, error: textOf(cause) },
    `Gave up on a change in the store after ${settings.maxFailedChecks} failed looks`,
  );
  const notes = [`Tillgate: ${text}`];
  for (const row of await shopRefunds.ofOrder(settings.storeId, storeOrderId)) {
    if (row.state !== "calling") continue;
    await shopRefunds.answered(settings.storeId, row.storeRefundId, "given_up", null);
    notes.push(fillNote(rules.note("store_refund_given_up"), shopRefundFields(row)));
  }
  try {
    for (const note of notes) await noteOnce(context, storeOrderId, note);
  } catch (error) {
    log.error(
      { store: settings.storeId, order: storeOrderId, error: textOf(error) },
      "Nor could that be noted",
    );
  }
}
