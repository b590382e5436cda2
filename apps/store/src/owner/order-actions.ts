import { AmountError, parseTypedAmount } from "@tillgate/money";
import type { Request } from "express";
import { parseDecimal, SHOP_DECIMALS } from "../amounts.js";
import type { Database, Transaction } from "../database/database.js";
import { changeStatus } from "../orders/change-status.js";
import { updateOrder } from "../orders/create-order.js";
import { lockOrder, type Order } from "../orders/order.js";
import { type PaymentMethod, paymentMethods } from "../orders/payment-methods.js";
import { refundOrder } from "../orders/refund-order.js";
import { computeRemainingAmount } from "../orders/refunds.js";
import { PageNotFound, readFormText } from "../shop/shop-context.js";

/** Notices after an action, by their name in the URL. */
export const notices = {
  cancelled: "Order cancelled. Any payment in progress is cancelled too.",
  "not-cancelled": "The order has changed in the meantime and wasn’t cancelled.",
  refunded:
    "Refund recorded. If the order was paid with Tillgate, the timeline shows when the refund is completed.",
  "not-refunded":
    "The order has changed in the meantime, so this refund wasn’t recorded. Check the order’s refunds before you try again.",
  "bad-refund":
    "This amount can’t be refunded. Nothing was refunded. For a thousand, enter 1000 or 1,000.00.",
  "total-changed": "Total changed. Any payment of the old total is cancelled.",
  "total-not-changed": "The order has changed in the meantime. Its total wasn’t changed.",
  "bad-total":
    "Nothing was changed. Enter a valid total that differs from the current one. For a thousand, enter 1000 or 1,000.00.",
  switched: "Payment method changed. Any payment in progress is cancelled.",
  "not-switched": "The order has changed in the meantime. Its payment method wasn’t changed.",
} as const;
export type Notice = keyof typeof notices;

const isOpen = ({ status }: Order): boolean =>
  status === "pending" || status === "failed" || status === "on-hold";

export const isCancellable = isOpen;
export const canChangePaymentMethod = isOpen;
/** Returns whether an order's total can be edited. WooCommerce allows this only for pending and on-hold orders. */
export const isTotalEditable = ({ status }: Order): boolean => status === "pending" || status === "on-hold";
/** Returns whether an order's status allows a refund. An on-hold order must have a transaction ID. */
export const isRefundable = ({ status, transaction_id }: Order): boolean =>
  status === "processing" || status === "completed" || (status === "on-hold" && transaction_id !== "");

export const getOtherMethod = (order: Order): PaymentMethod =>
  order.payment_method === "tillgate" ? "bacs" : "tillgate";

/** Exclusive maximum of a typed amount, in minor units. */
const AMOUNT_LIMIT = 10n ** 11n;

/** Parses a typed amount. @returns minor units; undefined if invalid, negative, too large or ambiguous, such as "1,000" */
function parseAmountField(request: Request, field: string): bigint | undefined {
  try {
    const text = parseTypedAmount(readFormText(request, field), { locale: "en", digits: SHOP_DECIMALS });
    const minor = parseDecimal(text);
    return minor !== undefined && minor >= 0n && minor < AMOUNT_LIMIT ? minor : undefined;
  } catch (error) {
    if (error instanceof AmountError) return undefined;
    throw error;
  }
}

type Action = (database: Database, id: bigint, request: Request) => Promise<Notice>;

/** Runs an action on a locked order. @throws PageNotFound if the order does not exist or is trashed */
function changeOrder(
  database: Database,
  id: bigint,
  work: (transaction: Transaction, order: Order) => Promise<Notice>,
): Promise<Notice> {
  return database.transaction(async (transaction) => {
    const order = await lockOrder(transaction, id);
    if (!order || order.status === "trash") throw new PageNotFound();
    return work(transaction, order);
  });
}

const cancel: Action = (database, id) =>
  changeOrder(database, id, async (transaction, order) => {
    if (!isCancellable(order)) return "not-cancelled";
    await changeStatus(transaction, order, { to: "cancelled", author: "Shop owner" });
    return "cancelled";
  });

/** Records a refund. The form contains the remaining amount that was shown, so that a second click refunds nothing. */
const refund: Action = (database, id, request) =>
  changeOrder(database, id, async (transaction, order) => {
    const amount = parseAmountField(request, "amount");
    const refundable = await computeRemainingAmount(transaction, order);
    if (!isRefundable(order) || readFormText(request, "left") !== String(refundable)) return "not-refunded";
    if (amount === undefined || amount <= 0n || amount > refundable) return "bad-refund";
    await refundOrder(transaction, order, { amount, reason: readFormText(request, "reason").slice(0, 200) });
    return "refunded";
  });

/** Changes an order's total by a fee. The form contains the total that was shown, so that a second click changes nothing. */
const changeTotal: Action = (database, id, request) =>
  changeOrder(database, id, async (transaction, order) => {
    const total = parseAmountField(request, "total");
    if (!isTotalEditable(order) || readFormText(request, "before") !== String(order.total)) {
      return "total-not-changed";
    }
    if (total === undefined || total === order.total) return "bad-total";
    await updateOrder(transaction, order, { fees: [{ name: "Adjustment", total: total - order.total }] });
    return "total-changed";
  });

const switchMethod: Action = (database, id, request) =>
  changeOrder(database, id, async (transaction, order) => {
    const method = getOtherMethod(order);
    if (!canChangePaymentMethod(order) || readFormText(request, "method") !== method) return "not-switched";
    await updateOrder(transaction, order, {
      paymentMethod: method,
      paymentMethodTitle: paymentMethods[method],
    });
    return "switched";
  });

/** The owner's actions on an order, by the last segment of their path. */
export const orderActions: Readonly<Record<string, Action>> = {
  cancel,
  refund,
  total: changeTotal,
  method: switchMethod,
};
