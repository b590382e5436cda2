import type {
  ConsoleEntry,
  ConsoleMoney,
  ConsoleOrder,
  ConsolePayout,
  ConsoleRefund,
} from "@tillgate/contract";
import type { OrderModel, PayoutModel } from "@tillgate/database";
import { formatDecimal } from "@tillgate/money";
import type { Context } from "../../context.js";
import { findLikelyCause, parseShopStep } from "../../events/outbox/likely-cause.js";
import { getCurrency, type Money } from "../../money/currencies.js";
import { consoleStatus } from "../../money/orders/list.js";
import type { OrderView } from "../../money/orders/read.js";
import type { QuoteWithCurrencies } from "../../money/payouts/quote.js";
import type { PayoutView } from "../../money/payouts/read.js";
import { findReceivedRefunds, type Received, type RefundOfPayment } from "../../money/refunds/read.js";
import type { StatementEntry } from "../../money/wallets/entries.js";
import { parseMetadata } from "../../pagination/metadata.js";
import type { BrowsedPage } from "../../pagination/totals.js";
import type { TimelineEntry } from "../../reports/timeline.js";
import { TRACE_ID } from "../../settings.js";
import { maskEmail, maskPhone, paymentAddress, toTime, wireTime } from "../shared/shapes.js";

/** Formats minor units as an exact decimal with the currency's decimal places. */
export async function toMoney(context: Context, minor: bigint, code: string): Promise<ConsoleMoney> {
  const { digits } = await getCurrency(context, code);
  return { amount: formatDecimal(minor, digits), currency: code };
}

/** Masks the e-mail address and phone number but not the name, so that the user can recognize the person but not contact them. */
export const maskContact = ({
  name,
  email,
  phone,
}: {
  name: string;
  email: string | null;
  phone: string | null;
}) => ({ name, email: email && maskEmail(email), phone: phone && maskPhone(phone) });

/** Returns null if `page` (setting `TILLGATE_TRACE_PAGE`) is undefined or there is no trace. `traceparent` is a W3C trace context. */
export const toTraceUrl = (page: string | undefined, traceparent: string | null): string | null => {
  const trace = traceparent?.split("-")[1];
  return page === undefined || trace === undefined ? null : page.replace(TRACE_ID, trace);
};

export const toOrder = async (context: Context, order: OrderModel): Promise<ConsoleOrder> => ({
  order_id: order.id,
  status: consoleStatus(order),
  money: await toMoney(context, order.amount, order.currency),
  refunded: await toMoney(context, order.refunded, order.currency),
  refund_pending: await toMoney(context, order.refundPending, order.currency),
  payment_method: order.paymentMethod,
  reference: order.reference,
  order_number: order.orderNumber,
  description: order.description,
  terminal_id: order.terminalId,
  trx_id: order.trxId,
  created_at: wireTime(order.createdAt),
  expires_at: wireTime(order.expiresAt),
  paid_at: toTime(order.paidAt),
});

export async function toOrderView(context: Context, view: OrderView) {
  const { order, payer, refundable } = view;
  const { payerAmount, payerCurrency } = order;
  const converted = payerAmount !== null && payerCurrency !== null && payerCurrency !== order.currency;
  return {
    ...(await toOrder(context, order)),
    custom: order.custom,
    metadata: parseMetadata(order),
    locale: order.locale,
    payment_url: paymentAddress(context.config.payUrl, order),
    callback_url: order.callbackUrl,
    return_url: order.returnUrl,
    cancel_url: order.cancelUrl,
    client_id: view.clientId,
    payer: payer && maskContact(payer),
    payer_money: converted ? await toMoney(context, payerAmount, payerCurrency) : null,
    refunds: await toRefunds(context, view.refunds),
    more_refunds: view.moreRefunds,
    refundable: refundable === null ? null : await toMoney(context, refundable, order.currency),
    refunds_need_approval: view.refundsNeedApproval,
    cancellable: order.status === "PENDING",
    link: view.link && { link_id: view.link.id, description: view.link.description },
    till: view.till && { till_id: view.till.id, name: view.till.name },
    trace_url: toTraceUrl(context.config.tracePage, order.traceparent),
  };
}

export async function toRefunds(
  context: Context,
  refunds: readonly RefundOfPayment[],
): Promise<ConsoleRefund[]> {
  const received = await findReceivedRefunds(context, refunds);
  return Promise.all(refunds.map((refund) => toOne(context, refund, received.get(refund.id) ?? null)));
}

export async function toRefund(context: Context, refund: RefundOfPayment): Promise<ConsoleRefund> {
  return toOne(context, refund, (await findReceivedRefunds(context, [refund])).get(refund.id) ?? null);
}

const toOne = async (
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
  money: await toMoney(context, refund.amount, refund.currency),
  received: received && (await toMoney(context, received.minor, received.currency)),
  reason: refund.reason,
  reference: refund.reference,
  created_at: wireTime(refund.createdAt),
  settled_at: toTime(refund.settledAt),
});

const toEntry = async (context: Context, entry: TimelineEntry): Promise<ConsoleEntry> => {
  const { step, orderStatus } = parseShopStep(entry.answerStart);
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
        : await toMoney(context, entry.amount, entry.currency),
    lines: await Promise.all(
      (entry.lines ?? []).map(async ({ account, amount, currency }) => ({
        account,
        money: await toMoney(context, BigInt(amount), currency),
      })),
    ),
    event: entry.event,
    address: entry.address,
    status: entry.status,
    attempt: entry.attempt,
    http_status: entry.httpStatus,
    error: entry.errorKind,
    likely_cause: entry.kind === "attempt" ? findLikelyCause(entry) : null,
    shop_step: step,
    shop_order_status: orderStatus,
    latency_ms: entry.latencyMs,
  };
};

export const toTimeline = async (
  context: Context,
  { entries, more }: { entries: TimelineEntry[]; more: boolean },
) => ({ entries: await Promise.all(entries.map((entry) => toEntry(context, entry))), more });

const toTerms = async (
  context: Context,
  terms: Pick<
    PayoutModel,
    "amount" | "senderCurrency" | "fee" | "receiverAmount" | "receiverCurrency" | "rate"
  >,
) => ({
  money: await toMoney(context, terms.amount, terms.senderCurrency),
  fee: await toMoney(context, terms.fee, terms.senderCurrency),
  total: await toMoney(context, terms.amount + terms.fee, terms.senderCurrency),
  received: await toMoney(context, terms.receiverAmount, terms.receiverCurrency),
  rate: terms.rate.toFixed(),
});

export const toPayout = async (context: Context, payout: PayoutModel): Promise<ConsolePayout> => ({
  payout_id: payout.id,
  status: payout.status,
  reference: payout.reference,
  description: payout.description,
  ...(await toTerms(context, payout)),
  trx_id: payout.trxId,
  created_at: wireTime(payout.createdAt),
  processed_at: toTime(payout.processedAt),
});

export const toPayoutView = async (context: Context, { payout, recipient }: PayoutView) => ({
  ...(await toPayout(context, payout)),
  metadata: parseMetadata(payout),
  recipient: maskContact(recipient),
  trace_url: toTraceUrl(context.config.tracePage, payout.traceparent),
});

export const toQuote = async (context: Context, { quote }: QuoteWithCurrencies) => ({
  quote_id: quote.id,
  ...(await toTerms(context, quote)),
  expires_at: wireTime(quote.expiresAt),
});

export const toStatementEntry = async (context: Context, currency: string, entry: StatementEntry) => ({
  entry_id: String(entry.entryId),
  at: wireTime(entry.at),
  kind: entry.kind,
  money: await toMoney(context, entry.amount, currency),
  balance: await toMoney(context, entry.balance, currency),
  order_id: entry.orderId,
  refund_id: entry.refundId,
  payout_id: entry.payoutId,
  reference: entry.reference,
  order_reference: entry.orderReference,
});

/** Formats a page of a list. `totals` covers all pages. */
export const toList = async <Shape>(
  context: Context,
  { scannedTo, totals: { sums, ...totals }, ...cursors }: Omit<BrowsedPage<unknown>, "items">,
  items: Shape[],
) => ({
  ...cursors,
  items,
  looked_to: toTime(scannedTo),
  totals: {
    ...totals,
    sums: await Promise.all(sums.map(({ amount, currency }) => toMoney(context, amount, currency))),
  },
});

export const toConsoleMoney = ({ minor, currency }: Money): ConsoleMoney => ({
  amount: formatDecimal(minor, currency.digits),
  currency: currency.code,
});

export const toMoneyOrNone = (money: Money | null): ConsoleMoney | null => money && toConsoleMoney(money);
