import { decimalOf, SHOP_DECIMALS } from "../amounts.js";
import { type ItemRow, needsPayment, needsProcessing, type Order } from "../orders/order.js";
import type { Refund } from "../orders/refunds.js";
import { restDate } from "./rest-request.js";

/** The WooCommerce version that this REST API follows. */
export const WOOCOMMERCE_VERSION = "10.0.2";

const noMoney = decimalOf(0n);

const lineItem = (item: ItemRow): unknown => ({
  id: Number(item.id),
  name: item.name,
  product_id: Number(item.product_id),
  quantity: item.quantity,
  subtotal: decimalOf(item.total),
  total: decimalOf(item.total),
  total_tax: noMoney,
  sku: item.sku,
  // The unit price is the only amount that WooCommerce returns as a JSON number.
  price: Number(item.total) / 10 ** SHOP_DECIMALS / item.quantity,
});

const feeLine = ({ id, name, total }: ItemRow): unknown => ({
  id: Number(id),
  name,
  total: decimalOf(total),
  total_tax: noMoney,
});

/** A time under both of its names; the shop's zone is UTC. */
const moment = (name: string, date: Date | null): Record<string, string | null> => {
  const text = date ? restDate(date) : null;
  return { [name]: text, [`${name}_gmt`]: text };
};

/** The order's payment page in the shop. */
const paymentUrl = (storeUrl: string, { id, order_key }: Order): string =>
  `${storeUrl}/checkout/order-pay/${id}/?pay_for_order=true&key=${order_key}`;

/** Serializes an order like `GET /wc/v3/orders/{id}`, without fields that are constant in this shop. */
export function orderView(order: Order, refunds: Refund[], storeUrl: string): Record<string, unknown> {
  return {
    id: Number(order.id),
    number: String(order.id),
    order_key: order.order_key,
    status: order.status,
    created_via: order.created_via,
    version: WOOCOMMERCE_VERSION,
    currency: order.currency,
    ...moment("date_created", order.created_at),
    ...moment("date_modified", order.modified_at),
    ...moment("date_paid", order.paid_at),
    ...moment("date_completed", order.completed_at),
    discount_total: noMoney,
    shipping_total: noMoney,
    total: decimalOf(order.total),
    total_tax: noMoney,
    customer_note: order.customer_note,
    billing: order.billing,
    payment_method: order.payment_method,
    payment_method_title: order.payment_method_title,
    transaction_id: order.transaction_id,
    meta_data: [],
    line_items: order.items.filter(({ type }) => type === "line_item").map(lineItem),
    fee_lines: order.items.filter(({ type }) => type === "fee").map(feeLine),
    refunds: refunds
      .filter(({ order_id }) => order_id === order.id)
      .map(({ id, reason, amount }) => ({ id: Number(id), reason, total: `-${decimalOf(amount)}` })),
    payment_url: paymentUrl(storeUrl, order),
    needs_payment: needsPayment(order),
    needs_processing: needsProcessing(order),
  };
}

/** Serializes a refund like `GET /wc/v3/orders/{id}/refunds`. */
export const refundView = (refund: Refund): Record<string, unknown> => ({
  id: Number(refund.id),
  ...moment("date_created", refund.created_at),
  amount: decimalOf(refund.amount),
  reason: refund.reason,
  refunded_payment: false,
  meta_data: refund.meta_data,
});
