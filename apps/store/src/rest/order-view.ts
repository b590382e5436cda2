import { decimalOf, shopDecimals } from "../amounts.js";
import type { MetaEntry } from "../orders/meta-data.js";
import {
  type Address,
  type ItemRow,
  isEditable,
  needsPayment,
  needsProcessing,
  type Order,
} from "../orders/order.js";
import type { Refund, RefundItemRow } from "../orders/refund-records.js";
import { currencySign } from "./currencies.js";
import { everyMethod, type RestLinks, restDate, restDateOrNull } from "./links.js";

/** The WooCommerce whose REST API this one follows. */
export const woocommerceVersion = "10.0.2";

const noMoney = decimalOf(0n);

/** Items show their meta data with a second name and value, meant for people. */
const itemMeta = (entries: MetaEntry[]): unknown[] =>
  entries.map(({ id, key, value }) => ({ id, key, value, display_key: key, display_value: value }));

/** A price per piece is the one amount that WooCommerce gives as a JSON number. */
const pricePerPiece = (total: bigint, quantity: number): number =>
  quantity === 0 ? 0 : Number(total) / 10 ** shopDecimals / quantity;

const lineItem = (item: Omit<ItemRow, "needs_processing" | "order_id">): unknown => ({
  id: Number(item.id),
  name: item.name,
  product_id: Number(item.product_id),
  variation_id: 0,
  quantity: item.quantity,
  tax_class: "",
  subtotal: decimalOf(item.subtotal),
  subtotal_tax: noMoney,
  total: decimalOf(item.total),
  total_tax: noMoney,
  taxes: [],
  meta_data: itemMeta(item.meta_data),
  sku: item.sku,
  price: pricePerPiece(item.total, item.quantity),
  image: { id: item.sku === null ? 0 : "", src: "" },
  parent_name: null,
});

type PlainLine = Pick<ItemRow, "id" | "name" | "method_id" | "total" | "meta_data">;

const feeLine = (item: PlainLine): unknown => ({
  id: Number(item.id),
  name: item.name,
  tax_class: "",
  tax_status: "taxable",
  amount: "",
  total: decimalOf(item.total),
  total_tax: noMoney,
  taxes: [],
  meta_data: itemMeta(item.meta_data),
});

const shippingLine = (item: PlainLine): unknown => ({
  id: Number(item.id),
  method_title: item.name,
  method_id: item.method_id,
  instance_id: "",
  total: decimalOf(item.total),
  total_tax: noMoney,
  taxes: [],
  tax_status: "taxable",
  meta_data: itemMeta(item.meta_data),
});

const addressParts = [
  "first_name",
  "last_name",
  "company",
  "address_1",
  "address_2",
  "city",
  "state",
  "postcode",
  "country",
] as const;

const addressView = (address: Address, contact: ("email" | "phone")[]): Record<string, string> =>
  Object.fromEntries([...addressParts, ...contact].map((part) => [part, address[part] ?? ""]));

/** Where the shopper pays an order. */
export const paymentUrl = (storeUrl: string, order: Pick<Order, "id" | "order_key">): string =>
  `${storeUrl}/checkout/order-pay/${order.id}/?pay_for_order=true&key=${order.order_key}`;

/** An order as `GET /wc/v3/orders/{id}` answers it. */
export function orderView(order: Order, refunds: Refund[], links: RestLinks): Record<string, unknown> {
  const lines = order.items.filter(({ type }) => type === "line_item");
  const discount = lines.reduce((sum, { subtotal, total }) => sum + subtotal - total, 0n);
  const path = `orders/${order.id}`;
  return {
    id: Number(order.id),
    parent_id: Number(order.parent_id),
    status: order.status,
    currency: order.currency,
    version: woocommerceVersion,
    prices_include_tax: false,
    date_created: restDate(order.created_at),
    date_modified: restDate(order.modified_at),
    discount_total: decimalOf(discount > 0n ? discount : 0n),
    discount_tax: noMoney,
    shipping_total: decimalOf(order.shipping_total),
    shipping_tax: noMoney,
    cart_tax: noMoney,
    total: decimalOf(order.total),
    total_tax: noMoney,
    customer_id: Number(order.customer_id),
    order_key: order.order_key,
    billing: addressView(order.billing, ["email", "phone"]),
    shipping: addressView(order.shipping, ["phone"]),
    payment_method: order.payment_method,
    payment_method_title: order.payment_method_title,
    transaction_id: order.transaction_id,
    customer_ip_address: order.customer_ip_address,
    customer_user_agent: order.customer_user_agent,
    created_via: order.created_via,
    customer_note: order.customer_note,
    date_completed: restDateOrNull(order.completed_at),
    date_paid: restDateOrNull(order.paid_at),
    cart_hash: order.submission_token?.replaceAll("-", "") ?? "",
    number: String(order.id),
    meta_data: order.meta_data,
    line_items: lines.map(lineItem),
    tax_lines: [],
    shipping_lines: order.items.filter(({ type }) => type === "shipping").map(shippingLine),
    fee_lines: order.items.filter(({ type }) => type === "fee").map(feeLine),
    coupon_lines: [],
    refunds: refunds
      .filter((refund) => refund.order_id === order.id)
      .map((refund) => ({
        id: Number(refund.id),
        reason: refund.reason,
        total: `-${decimalOf(refund.amount)}`,
      })),
    payment_url: paymentUrl(links.storeUrl, order),
    is_editable: isEditable(order),
    needs_payment: needsPayment(order),
    needs_processing: needsProcessing(order),
    date_created_gmt: restDate(order.created_at),
    date_modified_gmt: restDate(order.modified_at),
    date_completed_gmt: restDateOrNull(order.completed_at),
    date_paid_gmt: restDateOrNull(order.paid_at),
    currency_symbol: currencySign(order.currency),
    _links: { self: links.self(path, everyMethod), collection: links.to("orders") },
  };
}

const refundedLine = (item: RefundItemRow): unknown =>
  lineItem({ ...item, subtotal: item.total, total: item.total });

/** A refund as `GET /wc/v3/orders/{id}/refunds/{id}` answers it. */
export function refundView(refund: Refund, links: RestLinks): Record<string, unknown> {
  const path = `orders/${refund.order_id}/refunds`;
  return {
    id: Number(refund.id),
    date_created: restDate(refund.created_at),
    date_created_gmt: restDate(refund.created_at),
    amount: decimalOf(refund.amount),
    reason: refund.reason,
    refunded_by: 1,
    refunded_payment: false,
    meta_data: refund.meta_data,
    line_items: refund.items.filter(({ type }) => type === "line_item").map(refundedLine),
    shipping_lines: refund.items.filter(({ type }) => type === "shipping").map(shippingLine),
    tax_lines: [],
    fee_lines: refund.items.filter(({ type }) => type === "fee").map(feeLine),
    _links: {
      self: links.self(`${path}/${refund.id}`, ["GET", "DELETE"]),
      collection: links.to(path),
      up: links.to(`orders/${refund.order_id}`),
    },
  };
}
