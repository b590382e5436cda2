import { createHash } from "node:crypto";
import { TillgateApiError } from "@tillgate/client";
import type { OutgoingRefund, PlacedPayment } from "../records/records.js";
import { type Decision, type RuleStatus, ruleStatus } from "../rules.js";
import type { StoreOrder, StoreOrderChange } from "../store/store-access.js";
import type { HeldClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { tillgateOf } from "./credentials.js";
import { isRefundFact, type PaymentFact } from "./facts.js";
import { linkOutgoingRefund } from "./link-outgoing-refund.js";
import { recordRefunds } from "./record-refunds.js";

/**
 * Pays a payment back in full because its store order does not need it. The key is always the same for the payment, so a
 * repeat finds the refund that was made.
 * @returns the outcome, for the order note
 * @throws the client's error where the outcome is unknown: to be repeated
 */
async function refundPayment(
  context: ConnectorContext,
  held: HeldClaim,
  fact: PaymentFact,
  payment: PlacedPayment,
): Promise<string> {
  const { rules, settings, log } = context;
  const tillgate = tillgateOf(context, payment.credential);
  if (fact.trxId === null) throw new Error(`${payment.order.tillgateOrderId} is paid without a transaction.`);
  await held.keep();
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
    const phrase = status === "completed" ? "paid_back" : "paid_back_later";
    return rules.phrase(phrase, { amount, refund: refund_id, status });
  } catch (error) {
    if (!(error instanceof TillgateApiError) || error.status !== 422) throw error;
    log.error(
      { order: payment.storeOrderId, trxId: fact.trxId, requestId: error.requestId },
      `A payment that is not needed could not be refunded: ${error.messages.join(" ")}`,
    );
    return rules.phrase("paid_back_by_hand", { reason: error.messages.join(" ") });
  }
}

/** A decision to be carried out, and what it is about. */
export type Task = {
  fact: PaymentFact;
  payment: PlacedPayment;
  /** Null where the store has it no more. */
  order: StoreOrder | null;
  decision: Decision;
  /** The shop's own refund that the fact tells of. */
  outgoing: OutgoingRefund | null;
  /** Whether what the records say was done is done again. */
  again: boolean;
};

/**
 * `done` is false where the store shows another status than asked for; `nothing` needs no note. `orderStatus` is how the store's order
 * stands now, left out where the store decides it itself and was not asked since.
 */
export type Outcome = {
  done: boolean;
  result?: string;
  orderStatus?: string;
};

/** Carries out the rules' decision in the store or at Tillgate. */
export async function carryOut(context: ConnectorContext, held: HeldClaim, task: Task): Promise<Outcome> {
  const { fact, payment, order, decision, outgoing, again } = task;
  const transaction = fact.trxId === null ? {} : { transaction_id: fact.trxId };
  const put = (change: StoreOrderChange, leaves: RuleStatus[]) =>
    writeAndRead(context, held, payment.storeOrderId, change, leaves);
  const unchanged = order === null ? {} : { orderStatus: order.status };
  switch (decision.action) {
    case "none":
    case "apply_paid_first":
      return { done: true, ...unchanged };
    case "complete_payment":
      return completePayment(context, held, payment.storeOrderId, transaction, order);
    case "set_processing":
      return put({ status: "processing", ...transaction }, rejectUnpaid);
    case "record_transaction":
      return put(transaction, []);
    case "hold":
      return put({ status: "on-hold", ...transaction }, others("on-hold"));
    case "fail":
      return put({ status: "failed" }, others("failed"));
    case "fail_over_pending":
      if (!(await put({ status: "pending" }, others("pending"))).done) return { done: false };
      return put({ status: "failed" }, others("failed"));
    case "cancel":
      return put({ status: "cancelled" }, others("cancelled"));
    case "refund_payment":
      return { done: true, result: await refundPayment(context, held, fact, payment), ...unchanged };
    case "record_refunds":
      if (order === null) throw new Error("The rules record no refunds of an order that was deleted.");
      return {
        done: true,
        result: (await recordRefunds(context, held, { fact, payment, order, again })) ?? "nothing",
      };
    case "link_refund":
      if (outgoing === null || !isRefundFact(fact))
        throw new Error(`${fact.event} is of no refund of the store.`);
      await linkOutgoingRefund(context, outgoing, fact.refund);
      // With its note.
      return { done: true, result: "nothing", ...unchanged };
    case "cancel_attempt":
    case "refund_at_tillgate":
      throw new Error(`${decision.action} is for what happens in the store, not for an event.`);
  }
}

/** From a status of another plugin WooCommerce may complete no payment: then the order is set to Processing. */
async function completePayment(
  context: ConnectorContext,
  held: HeldClaim,
  storeOrderId: number,
  transaction: Pick<StoreOrderChange, "transaction_id">,
  order: StoreOrder | null,
): Promise<Outcome> {
  const write = (change: StoreOrderChange) =>
    writeAndRead(context, held, storeOrderId, { ...change, ...transaction }, rejectUnpaid);
  const outcome = await write({ set_paid: true });
  const isOfPlugin =
    order !== null && outcome.orderStatus === order.status && ruleStatus(order) !== order.status;
  return outcome.done || !isOfPlugin ? outcome : write({ status: "processing" });
}

const rejectUnpaid: RuleStatus[] = ["pending", "on-hold", "failed", "cancelled"];
const others = (status: RuleStatus): RuleStatus[] =>
  [...rejectUnpaid, "processing" as const, "completed" as const, "refunded" as const].filter(
    (other) => other !== status,
  );

/**
 * PUT, then GET again: WooCommerce answers 200 to changes that it does not make.
 *
 * @param notAfter statuses that show that the change was not made
 */
async function writeAndRead(
  { store }: ConnectorContext,
  held: HeldClaim,
  storeOrderId: number,
  change: StoreOrderChange,
  notAfter: RuleStatus[],
): Promise<Outcome> {
  await held.keep();
  await store.change(storeOrderId, change);
  const after = await store.order(storeOrderId);
  if (after === null) return { done: false };
  return { done: !notAfter.includes(ruleStatus(after)), orderStatus: after.status };
}
