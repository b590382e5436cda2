import type { ConsoleEntry, ConsoleOrder, ConsoleRefund } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { consoleStatus } from "../../operations/orders/console-status.js";
import type { OrderView } from "../../operations/orders/view-order.js";
import { type Received, receivedOfEach } from "../../operations/refunds/received-of.js";
import type { RefundOfPayment } from "../../operations/refunds/refund-of-payment.js";
import type { TimelineEntry } from "../../operations/timelines/timeline-of.js";
import { likelyCause } from "../../outbox/likely-cause.js";
import { shopStep } from "../../outbox/shop-step.js";
import { metadataOf } from "../../readers/metadata.js";
import { paymentAddress } from "../shared/payment-address.js";
import { wireTime } from "../shared/wire-time.js";
import { maskContact, shapeMoney } from "./money.js";
import { traceAddress } from "./trace-address.js";

const time = (moment: Date | null): string | null => moment && wireTime(moment);

export const shapeOrder = async (context: Context, order: OrderModel): Promise<ConsoleOrder> => ({
  order_id: order.id,
  status: consoleStatus(order),
  money: await shapeMoney(context, order.amount, order.currency),
  refunded: await shapeMoney(context, order.refunded, order.currency),
  refund_pending: await shapeMoney(context, order.refundPending, order.currency),
  payment_method: order.paymentMethod,
  reference: order.reference,
  order_number: order.orderNumber,
  description: order.description,
  terminal_id: order.terminalId,
  trx_id: order.trxId,
  created_at: wireTime(order.createdAt),
  expires_at: wireTime(order.expiresAt),
  paid_at: time(order.paidAt),
});

export async function shapeOrderView(context: Context, view: OrderView) {
  const { order, payer, refundable } = view;
  const { payerAmount, payerCurrency } = order;
  const converted = payerAmount !== null && payerCurrency !== null && payerCurrency !== order.currency;
  return {
    ...(await shapeOrder(context, order)),
    custom: order.custom,
    metadata: metadataOf(order),
    locale: order.locale,
    payment_url: paymentAddress(context.config.payUrl, order),
    callback_url: order.callbackUrl,
    return_url: order.returnUrl,
    cancel_url: order.cancelUrl,
    client_id: view.clientId,
    payer: payer && maskContact(payer),
    payer_money: converted ? await shapeMoney(context, payerAmount, payerCurrency) : null,
    refunds: await shapeRefunds(context, view.refunds),
    more_refunds: view.moreRefunds,
    refundable: refundable === null ? null : await shapeMoney(context, refundable, order.currency),
    refunds_need_approval: view.refundsNeedApproval,
    cancellable: order.status === "PENDING",
    link: view.link && { link_id: view.link.id, description: view.link.description },
    till: view.till && { till_id: view.till.id, name: view.till.name },
    trace_url: traceAddress(context.config.tracePage, order.traceparent),
  };
}

export async function shapeRefunds(
  context: Context,
  refunds: readonly RefundOfPayment[],
): Promise<ConsoleRefund[]> {
  const received = await receivedOfEach(context, refunds);
  return Promise.all(refunds.map((refund) => shapeOne(context, refund, received.get(refund.id) ?? null)));
}

export async function shapeRefund(context: Context, refund: RefundOfPayment): Promise<ConsoleRefund> {
  return shapeOne(context, refund, (await receivedOfEach(context, [refund])).get(refund.id) ?? null);
}

const shapeOne = async (
  context: Context,
  refund: RefundOfPayment,
  received: Received | null,
): Promise<ConsoleRefund> => ({
  refund_id: refund.id,
  order_id: refund.orderId,
  order_reference: refund.orderReference,
  order_number: refund.orderNumber,
  transaction_id: refund.trxId,
  status: refund.status,
  money: await shapeMoney(context, refund.amount, refund.currency),
  received: received && (await shapeMoney(context, received.minor, received.currency)),
  reason: refund.reason,
  reference: refund.reference,
  created_at: wireTime(refund.createdAt),
  settled_at: time(refund.settledAt),
});

const shapeEntry = async (context: Context, entry: TimelineEntry): Promise<ConsoleEntry> => {
  const { step, orderStatus } = shopStep(entry.answerStart);
  return {
    at: wireTime(entry.at),
    kind: entry.kind,
    id: entry.id,
    request_id: entry.requestId,
    client_id: entry.clientId,
    user: entry.user,
    action: entry.action,
    reason: entry.reason,
    money:
      entry.amount === null || entry.currency === null
        ? null
        : await shapeMoney(context, entry.amount, entry.currency),
    lines: await Promise.all(
      (entry.lines ?? []).map(async ({ account, amount, currency }) => ({
        account,
        money: await shapeMoney(context, BigInt(amount), currency),
      })),
    ),
    event: entry.event,
    address: entry.address,
    status: entry.status,
    attempt: entry.attempt,
    http_status: entry.httpStatus,
    error: entry.errorKind,
    likely_cause: entry.kind === "attempt" ? likelyCause(entry) : null,
    shop_step: step,
    shop_order_status: orderStatus,
    latency_ms: entry.latencyMs,
  };
};

export const shapeTimeline = async (
  context: Context,
  { entries, more }: { entries: TimelineEntry[]; more: boolean },
) => ({ entries: await Promise.all(entries.map((entry) => shapeEntry(context, entry))), more });
