import type { EXPORT_COLUMNS, STATEMENT_EXPORT_COLUMNS } from "@tillgate/contract";
import type { OrderModel, PayoutModel } from "@tillgate/database";
import { formatDecimal } from "@tillgate/money";
import type { Context } from "../../context.js";
import { consoleStatus } from "../../operations/orders/console-status.js";
import type { RefundOfPayment } from "../../operations/refunds/refund-of-payment.js";
import type { StatementEntry } from "../../operations/wallets/read-statement.js";
import { currencyOf } from "../../readers/currencies.js";
import type { Cell } from "./csv.js";

type Row<Kind extends keyof typeof EXPORT_COLUMNS> = Record<(typeof EXPORT_COLUMNS)[Kind][number], Cell>;

const decimal = async (context: Context, minor: bigint, code: string): Promise<string> =>
  formatDecimal(minor, (await currencyOf(context, code)).digits);

/** A row of each export by its columns. */
export const EXPORT_ROWS = {
  order: async (context: Context, order: OrderModel): Promise<Row<"order">> => ({
    order_id: order.id,
    status: consoleStatus(order),
    amount: await decimal(context, order.amount, order.currency),
    currency: order.currency,
    refunded_amount: await decimal(context, order.refunded, order.currency),
    payment_method: order.paymentMethod,
    reference: order.reference,
    order_number: order.orderNumber,
    description: order.description,
    terminal_id: order.terminalId,
    trx_id: order.trxId,
    created_at: order.createdAt,
    paid_at: order.paidAt,
    expires_at: order.expiresAt,
  }),
  refund: async (context: Context, refund: RefundOfPayment): Promise<Row<"refund">> => ({
    refund_id: refund.id,
    order_id: refund.orderId,
    order_reference: refund.orderReference,
    order_number: refund.orderNumber,
    transaction_id: refund.trxId,
    status: refund.status,
    amount: await decimal(context, refund.amount, refund.currency),
    currency: refund.currency,
    reason: refund.reason,
    reference: refund.reference,
    created_at: refund.createdAt,
    settled_at: refund.settledAt,
  }),
  payout: async (context: Context, payout: PayoutModel): Promise<Row<"payout">> => ({
    payout_id: payout.id,
    status: payout.status,
    reference: payout.reference,
    description: payout.description,
    amount: await decimal(context, payout.amount, payout.senderCurrency),
    fee: await decimal(context, payout.fee, payout.senderCurrency),
    currency: payout.senderCurrency,
    received_amount: await decimal(context, payout.receiverAmount, payout.receiverCurrency),
    received_currency: payout.receiverCurrency,
    rate: payout.rate.toFixed(),
    trx_id: payout.trxId,
    created_at: payout.createdAt,
    processed_at: payout.processedAt,
    total: await decimal(context, payout.amount + payout.fee, payout.senderCurrency),
  }),
} as const;

/** A row of a statement's export. */
export const statementRow = async (
  context: Context,
  currency: string,
  entry: StatementEntry,
): Promise<Record<(typeof STATEMENT_EXPORT_COLUMNS)[number], Cell>> => ({
  entry_id: String(entry.entryId),
  at: entry.at,
  kind: entry.kind,
  amount: await decimal(context, entry.amount, currency),
  balance: await decimal(context, entry.balance, currency),
  currency,
  reference: entry.reference,
  order_id: entry.orderId,
  refund_id: entry.refundId,
  payout_id: entry.payoutId,
  order_reference: entry.orderReference,
});
