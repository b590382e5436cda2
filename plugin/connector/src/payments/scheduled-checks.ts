import { TillgateApiError } from "@tillgate/client";
import type { Refund } from "@tillgate/contract";
import { ConnectorError } from "../connector-error.js";
import { errorText } from "../health/reporter.js";
import type { Payment } from "../records/records.js";
import { applyFact } from "./apply-fact.js";
import { applyOrder } from "./apply-order.js";
import { checkOrder } from "./check-order.js";
import { withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { createTillgateOrder } from "./create-tillgate-order.js";
import { isRetiredKeyRejected, tillgateClient } from "./credentials.js";
import type { ScheduledCheck } from "./drain-due.js";
import { outgoingRefundFields } from "./link-outgoing-refund.js";
import { addNoteOnce } from "./order-note.js";

/** Applies the payment's state from the API, in case the webhook was lost, after completing the payment's creation if that was interrupted. */
async function checkPayment(context: ConnectorContext, payment: Payment): Promise<void> {
  const { storeOrderId } = payment;
  if (payment.order !== null) {
    const remote = await tillgateClient(context, payment.credential).orders.get(
      payment.order.tillgateOrderId,
    );
    if (remote.status === "PENDING") return;
    await withOrderClaim(context, storeOrderId, (claim) => applyOrder(context, claim, remote));
    return;
  }
  const isOpen = await withOrderClaim(context, storeOrderId, async (claim) => {
    const now = await context.payments.byId(payment.id);
    if (now === null || now.state === "refused") return false;
    if (now.order !== null) return now.state === "pending";
    await claim.extend();
    const { remote } = await createTillgateOrder(context, now);
    await applyOrder(context, claim, remote);
    return remote.status === "PENDING";
  });
  // Changes in the store were skipped while there was no Tillgate order to cancel.
  if (isOpen) await checkOrder(context, storeOrderId);
}

/** Maximum time between two checks of a refund pending approval. */
const MAX_WAIT_MS = 30 * 60_000;
/** Delay until the next check, as a fraction of the refund's age. */
const PART_OF_AGE = 1 / 16;

/** @returns delay until the next check, in milliseconds */
async function checkRefund(
  context: ConnectorContext,
  refundId: string,
  storeOrderId: number,
): Promise<number> {
  const { clocks, payments, settings } = context;
  const refund = await readRefund(context, refundId, storeOrderId);
  if (refund.status === "pending") {
    const ageMs = clocks.nowMs("tillgate") - Date.parse(refund.created_at);
    return Math.min(Math.max(ageMs * PART_OF_AGE, settings.sweepIntervalMs), MAX_WAIT_MS);
  }
  const [payment] = await payments.byTransactions([refund.transaction_id]);
  if (payment === undefined)
    throw new Error(`No payment in this store has the transaction ID ${refund.transaction_id}.`);
  await withOrderClaim(context, payment.storeOrderId, (claim) =>
    applyFact(context, claim, {
      event: refund.status === "completed" ? "refund.completed" : "refund.failed",
      tillgateOrderId: payment.order.tillgateOrderId,
      trxId: refund.transaction_id,
      refund,
    }),
  );
  return settings.sweepIntervalMs;
}

/** Tries the credential of each payment of the order, because the payments may have been started with different credentials. */
async function readRefund(
  context: ConnectorContext,
  refundId: string,
  storeOrderId: number,
): Promise<Refund> {
  let failure: unknown = new Error(`Order ${storeOrderId} has no completed payment.`);
  for (const { credential, trxId } of await context.payments.ofOrder(storeOrderId)) {
    if (trxId === null) continue;
    try {
      return await tillgateClient(context, credential).refunds.get(refundId);
    } catch (error) {
      const isOtherPayments =
        (error instanceof TillgateApiError && error.status === 404) ||
        isCredentialGone(error) ||
        isRetiredKeyRejected(context, tillgateClient(context, credential), error);
      if (!isOtherPayments) throw error;
      failure = error;
    }
  }
  throw failure;
}

const isCredentialGone = (error: unknown): boolean =>
  error instanceof ConnectorError && error.code === "credential_gone";

export const checkPayments: ScheduledCheck = {
  kind: "payment",
  doing: "checking an open payment",
  failureMessage: "Could not check a payment; will be retried",
  async run(context, { subject }) {
    const payment = await context.payments.byId(Number(subject));
    if (payment === null) return null;
    await checkPayment(context, payment);
    return context.settings.sweepIntervalMs;
  },
  isPermanent: isCredentialGone,
  async abandon(context, { subject, storeOrderId, failures }, error) {
    const { log, payments, rules } = context;
    const placed = (await payments.byId(Number(subject)))?.order ?? null;
    await payments.markAbandoned(Number(subject));
    const payment =
      placed === null
        ? rules.phrase("payment_not_created")
        : rules.phrase("payment", { tillgate_order: placed.tillgateOrderId });
    log.error(
      { order: storeOrderId, error: errorText(error) },
      `Abandoned ${payment}; failed checks: ${failures}`,
    );
    const note =
      this.isPermanent?.(error) === true
        ? rules.note("payment_unreachable", { payment, reason: errorText(error) })
        : rules.note("payment_abandoned", { payment, times: String(failures) });
    await reportAbandoned(context, storeOrderId, `payment of order ${storeOrderId}`, [note]);
  },
};

export const checkOrders: ScheduledCheck = {
  kind: "order",
  doing: "processing a change in the shop",
  failureMessage: "Could not process a change in the store; will be retried",
  async run(context, { storeOrderId }) {
    await checkOrder(context, storeOrderId);
    await context.reporter.resolveProblem("given_up", `order ${storeOrderId}`);
    return null;
  },
  async abandon(context, { storeOrderId, failures }, error) {
    const { log, outgoingRefunds, rules } = context;
    log.error(
      { order: storeOrderId, error: errorText(error) },
      `Abandoned a change in the store; failed checks: ${failures}`,
    );
    const notes: [string, ...string[]] = [rules.note("change_abandoned", { times: String(failures) })];
    for (const refund of await outgoingRefunds.ofOrder(storeOrderId)) {
      if (refund.state !== "calling") continue;
      await outgoingRefunds.setState(refund.recordId, "given_up", null);
      notes.push(rules.note("store_refund_abandoned", outgoingRefundFields(rules, refund)));
    }
    await reportAbandoned(context, storeOrderId, `order ${storeOrderId}`, notes);
  },
};

/** Checks of Tillgate refunds that are neither recorded in the store nor failed. */
export const checkRefunds: ScheduledCheck = {
  kind: "refund",
  doing: "checking a refund",
  failureMessage: "Could not apply a refund to the store; will be retried",
  run: (context, { subject, storeOrderId }) => checkRefund(context, subject, storeOrderId),
};

/** Reports an abandoned check. The first note is shown on the health page, and all notes are added to the order. */
async function reportAbandoned(
  context: ConnectorContext,
  storeOrderId: number,
  subject: string,
  notes: readonly [string, ...string[]],
): Promise<void> {
  await context.reporter.reportProblem({ kind: "given_up", subject, storeOrderId, text: notes[0] });
  try {
    for (const note of notes) await addNoteOnce(context, storeOrderId, note);
  } catch (error) {
    context.log.error({ order: storeOrderId, error: errorText(error) }, "Could not add the order note");
  }
}
