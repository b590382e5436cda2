import { createHash } from "node:crypto";
import { TillgateApiError } from "@tillgate/client";
import type { OutgoingRefund, PlacedPayment } from "../records/records.js";
import { type Decision, type RuleStatus, ruleStatus } from "../rules.js";
import type { StoreOrder, StoreOrderChange } from "../store/store-access.js";
import type { Claim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { tillgateClient } from "./credentials.js";
import { isRefundFact, type PaymentFact } from "./facts.js";
import { linkOutgoingRefund } from "./link-outgoing-refund.js";
import { recordRefunds } from "./record-refunds.js";

const REFUND_PHRASES = {
  completed: "refund_made",
  pending: "refund_pending",
  failed: "refund_failed",
} as const;

/**
 * Refunds the payment in full. A retry returns the same refund.
 * @returns text for the order note, also if Tillgate rejects the refund
 * @throws the client's error if the outcome is unknown; the caller retries
 */
async function refundPayment(
  context: ConnectorContext,
  claim: Claim,
  fact: PaymentFact,
  payment: PlacedPayment,
): Promise<string> {
  const { rules, settings, log } = context;
  const tillgate = tillgateClient(context, payment.credential);
  if (fact.trxId === null)
    throw new Error(`Order ${payment.order.tillgateOrderId} is paid but has no transaction ID.`);
  await claim.extend();
  try {
    const refund = await tillgate.refunds.create({
      transaction_id: fact.trxId,
      reason: "The order no longer needed this payment",
      reference: payment.request.reference,
      idempotency_key: createHash("sha256")
        .update(`not needed:${settings.storeId}:${payment.order.tillgateOrderId}`)
        .digest("hex"),
    });
    const { amount, refund_id, status } = refund;
    return rules.phrase(REFUND_PHRASES[status], { amount, refund: refund_id });
  } catch (error) {
    if (!(error instanceof TillgateApiError) || error.status !== 422) throw error;
    log.error(
      { order: payment.storeOrderId, trxId: fact.trxId, requestId: error.requestId },
      `Could not refund a payment that the order no longer needs: ${error.messages.join(" ")}`,
    );
    return rules.phrase("refund_manually", { reason: error.messages.join(" ") });
  }
}

export type Task = {
  fact: PaymentFact;
  payment: PlacedPayment;
  /** Null if the order was deleted in the store. */
  order: StoreOrder | null;
  decision: Decision;
  /** The stored refund, if the state change concerns a refund made in the shop. */
  outgoing: OutgoingRefund | null;
  /** Whether to repeat changes that the database records as made. */
  reapply: boolean;
};

/** `done` is false if the store did not make the change. `result` completes the note; `nothing` means that no note is added. */
export type Outcome = {
  done: boolean;
  result?: string;
  orderStatus?: string;
};

/** @throws ConnectorError, StoreError, the client's errors; the caller retries */
export async function executeDecision(context: ConnectorContext, claim: Claim, task: Task): Promise<Outcome> {
  const { fact, payment, order, decision, outgoing, reapply } = task;
  const transaction = fact.trxId === null ? {} : { transaction_id: fact.trxId };
  const put = (change: StoreOrderChange, leaves: RuleStatus[]) =>
    changeAndVerify(context, claim, payment.storeOrderId, change, leaves);
  const unchanged = order === null ? {} : { orderStatus: order.status };
  switch (decision.action) {
    case "none":
    case "apply_paid_first":
      return { done: true, ...unchanged };
    case "complete_payment":
      return completePayment(context, claim, payment.storeOrderId, transaction, order);
    case "set_processing":
      return put({ status: "processing", ...transaction }, UNPAID_STATUSES);
    case "record_transaction":
      return put(transaction, []);
    case "hold":
      return put({ status: "on-hold", ...transaction }, otherStatuses("on-hold"));
    case "fail":
      return put({ status: "failed" }, otherStatuses("failed"));
    case "fail_over_pending":
      if (!(await put({ status: "pending" }, otherStatuses("pending"))).done) return { done: false };
      return put({ status: "failed" }, otherStatuses("failed"));
    case "cancel":
      return put({ status: "cancelled" }, otherStatuses("cancelled"));
    case "refund_payment":
      return { done: true, result: await refundPayment(context, claim, fact, payment), ...unchanged };
    case "record_refunds":
      if (order === null) throw new Error("Cannot record refunds for a deleted order.");
      return {
        done: true,
        result: (await recordRefunds(context, claim, { fact, payment, order, reapply })) ?? "nothing",
      };
    case "link_refund":
      if (outgoing === null || !isRefundFact(fact))
        throw new Error(`Cannot link the refund from ${fact.event}: the store has no matching refund.`);
      await linkOutgoingRefund(context, outgoing, fact.refund);
      // linkOutgoingRefund has added the note.
      return { done: true, result: "nothing", ...unchanged };
    case "cancel_attempt":
    case "refund_at_tillgate":
      throw new Error(`${decision.action} applies to changes in the store, not to events.`);
  }
}

/** Marks the order as paid. If WooCommerce ignores `set_paid` because of a custom status, sets the order to Processing. */
async function completePayment(
  context: ConnectorContext,
  claim: Claim,
  storeOrderId: number,
  transaction: Pick<StoreOrderChange, "transaction_id">,
  order: StoreOrder | null,
): Promise<Outcome> {
  const write = (change: StoreOrderChange) =>
    changeAndVerify(context, claim, storeOrderId, { ...change, ...transaction }, UNPAID_STATUSES);
  const outcome = await write({ set_paid: true });
  const isOfPlugin =
    order !== null && outcome.orderStatus === order.status && ruleStatus(order) !== order.status;
  return outcome.done || !isOfPlugin ? outcome : write({ status: "processing" });
}

const UNPAID_STATUSES: RuleStatus[] = ["pending", "on-hold", "failed", "cancelled"];
const otherStatuses = (status: RuleStatus): RuleStatus[] =>
  [...UNPAID_STATUSES, "processing" as const, "completed" as const, "refunded" as const].filter(
    (other) => other !== status,
  );

/**
 * Changes the order and reads it back, because WooCommerce returns 200 even for changes that it does not make.
 * @param notAfter statuses that prove that the change was not made
 */
async function changeAndVerify(
  { store }: ConnectorContext,
  claim: Claim,
  storeOrderId: number,
  change: StoreOrderChange,
  notAfter: RuleStatus[],
): Promise<Outcome> {
  await claim.extend();
  await store.change(storeOrderId, change);
  const after = await store.order(storeOrderId);
  if (after === null) return { done: false };
  return { done: !notAfter.includes(ruleStatus(after)), orderStatus: after.status };
}
