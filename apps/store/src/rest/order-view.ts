import { formatDecimal, SHOP_DECIMALS } from "../amounts.js";
import { type ItemRow, needsPayment, needsProcessing, type Order } from "../orders/order.js";
import type { Refund } from "../orders/refunds.js";
import { formatRestDate } from "./rest-request.js";

/** The WooCommerce version that this REST API follows. */
export const WOOCOMMERCE_VERSION = "10.0.2";

const noMoney = formatDecimal(0n);

const toLineItem = (item: ItemRow): unknown => ({
  id: Number(item.id),
  name: item.name,
  product_id: Number(item.product_id),
  quantity: item.quantity,
  subtotal: formatDecimal(item.total),
  total: formatDecimal(item.total),
  total_tax: noMoney,
  sku: item.sku,
  // The unit price is the only amount that WooCommerce returns as a JSON number.
  price: Number(item.total) / 10 ** SHOP_DECIMALS / item.quantity,
});

const toFeeLine = ({ id, name, total }: ItemRow): unknown => ({
  id: Number(id),
  name,
  total: formatDecimal(total),
  total_tax: noMoney,
});

/** Returns both date fields, `name` and `name_gmt`, which are equal because the shop's time zone is UTC. */
const toDateFields = (name: string, date: Date | null): Record<string, string | null> => {
  const text = date ? formatRestDate(date) : null;
  return { [name]: text, [`${name}_gmt`]: text };
};

const toPaymentUrl = (storeUrl: string, { id, order_key }: Order): string =>
  `${storeUrl}/checkout/order-pay/${id}/?pay_for_order=true&key=${order_key}`;

/** Serializes an order with a subset of the fields of WooCommerce's `GET /wc/v3/orders/{id}`. Refunds of other orders are ignored. */
export function toOrderView(order: Order, refunds: Refund[], storeUrl: string): Record<string, unknown> {
  return {
    id: Number(order.id),
    number: String(order.id),
    order_key: order.order_key,
    status: order.status,
    created_via: order.created_via,
    version: WOOCOMMERCE_VERSION,
    currency: order.currency,
    ...toDateFields("date_created", order.created_at),
    ...toDateFields("date_modified", order.modified_at),
    ...toDateFields("date_paid", order.paid_at),
    ...toDateFields("date_completed", order.completed_at),
    discount_total: noMoney,
    shipping_total: noMoney,
    total: formatDecimal(order.total),
    total_tax: noMoney,
    customer_note: order.customer_note,
    billing: order.billing,
    payment_method: order.payment_method,
    payment_method_title: order.payment_method_title,
    transaction_id: order.transaction_id,
    meta_data: [],
    line_items: order.items.filter(({ type }) => type === "line_item").map(toLineItem),
    fee_lines: order.items.filter(({ type }) => type === "fee").map(toFeeLine),
    refunds: refunds
      .filter(({ order_id }) => order_id === order.id)
      .map(({ id, reason, amount }) => ({ id: Number(id), reason, total: `-${formatDecimal(amount)}` })),
    payment_url: toPaymentUrl(storeUrl, order),
    needs_payment: needsPayment(order),
    needs_processing: needsProcessing(order),
  };
}

/** Serializes a refund with a subset of the fields of WooCommerce's `GET /wc/v3/orders/{id}/refunds`. */
export const toRefundView = (refund: Refund): Record<string, unknown> => ({
  id: Number(refund.id),
  ...toDateFields("date_created", refund.created_at),
  amount: formatDecimal(refund.amount),
  reason: refund.reason,
  refunded_payment: false,
  meta_data: refund.meta_data,
});
