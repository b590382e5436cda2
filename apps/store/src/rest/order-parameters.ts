import { z } from "zod";
import { parseDecimal } from "../amounts.js";
import type { OrderFields } from "../orders/create-order.js";
import { type OrderStatus, orderStatuses } from "../orders/order.js";
import type { ItemChange } from "../orders/order-items.js";
import { currencyCodes } from "./currencies.js";
import * as parameter from "./parameters.js";
import { RestError } from "./rest-error.js";

const part = parameter.text.optional();
const address = {
  first_name: part,
  last_name: part,
  company: part,
  address_1: part,
  address_2: part,
  city: part,
  state: part,
  postcode: part,
  country: part,
  phone: part,
};

/** WooCommerce names the whole billing address when its e-mail is wrong. */
const billing = parameter.object({ ...address, email: parameter.email.optional() });

/** An amount of an item; what is not a decimal counts as nothing, as in WooCommerce. */
const itemAmount = z.union([parameter.text, z.number()]).transform((value) => parseDecimal(value) ?? 0n);

const itemFields = {
  id: parameter.integer(0).optional(),
  total: itemAmount.optional(),
  meta_data: parameter.metaData.optional(),
};

const writable = {
  status: parameter.oneOf(orderStatuses).optional(),
  currency: parameter.oneOf(currencyCodes).optional(),
  customer_id: parameter.integer(0).optional(),
  customer_note: parameter.text.optional(),
  billing: billing.optional(),
  shipping: parameter.object(address).optional(),
  payment_method: parameter.text.optional(),
  payment_method_title: parameter.text.optional(),
  transaction_id: parameter.text.optional(),
  set_paid: parameter.boolean.optional(),
  meta_data: parameter.metaData.optional(),
  line_items: parameter
    .list(
      parameter.object({
        ...itemFields,
        name: parameter.text.optional(),
        product_id: parameter.integer(0).nullish(),
        sku: parameter.text.optional(),
        quantity: parameter.integer(0).optional(),
        subtotal: itemAmount.optional(),
      }),
    )
    .optional(),
  fee_lines: parameter.list(parameter.object({ ...itemFields, name: parameter.text.nullish() })).optional(),
  shipping_lines: parameter
    .list(
      parameter.object({
        ...itemFields,
        method_id: parameter.text.nullish(),
        method_title: parameter.text.nullish(),
      }),
    )
    .optional(),
};

type Written = ReturnType<typeof readOrder>;

/**
 * Reads what a client writes to an order.
 *
 * @throws RestError with 400.
 */
export const readOrder = (given: Record<string, unknown>) => parameter.readParameters(writable, given);

/** WooCommerce takes an item out when its reference is null or its quantity 0. */
const removed = (reference: unknown): boolean => reference === null;

const itemId = (id: number | undefined): bigint | undefined => (id ? BigInt(id) : undefined);

function itemChanges(written: Written): ItemChange[] | undefined {
  const { line_items, fee_lines, shipping_lines } = written;
  if (!line_items && !fee_lines && !shipping_lines) return undefined;
  const lines = (line_items ?? []).map(
    (item): ItemChange => ({
      type: "line_item",
      id: itemId(item.id),
      productId: item.product_id ? BigInt(item.product_id) : undefined,
      sku: item.sku,
      name: item.name,
      quantity: removed(item.product_id) ? 0 : item.quantity,
      subtotal: item.subtotal,
      total: item.total,
      metaData: item.meta_data,
    }),
  );
  const fees = (fee_lines ?? []).map(
    (item): ItemChange => ({
      type: "fee",
      id: itemId(item.id),
      name: item.name ?? undefined,
      quantity: removed(item.name) ? 0 : undefined,
      total: item.total,
      metaData: item.meta_data,
    }),
  );
  const shippings = (shipping_lines ?? []).map(
    (item): ItemChange => ({
      type: "shipping",
      id: itemId(item.id),
      name: item.method_title ?? undefined,
      methodId: item.method_id ?? undefined,
      quantity: removed(item.method_id) ? 0 : undefined,
      total: item.total,
      metaData: item.meta_data,
    }),
  );
  return [...lines, ...shippings, ...fees];
}

/** The same in the shop's own terms. */
export function orderFields(written: Written): OrderFields {
  if (written.customer_id) {
    // The shop has no customer accounts: every order is a guest's.
    throw new RestError("woocommerce_rest_invalid_customer_id", "Customer ID is invalid.", 400);
  }
  return {
    currency: written.currency,
    customerNote: written.customer_note,
    billing: written.billing,
    shipping: written.shipping,
    paymentMethod: written.payment_method,
    paymentMethodTitle: written.payment_method_title,
    transactionId: written.transaction_id,
    metaData: written.meta_data,
    items: itemChanges(written),
    status: written.status,
    setPaid: written.set_paid,
  };
}

/** What a list of orders can be asked for. */
export const orderListParameters = {
  ...parameter.collection,
  status: parameter.list(parameter.oneOf<OrderStatus | "any">(["any", "trash", ...orderStatuses])).optional(),
  product: parameter.integer(0).optional(),
  customer: parameter.integer(0).optional(),
  after: parameter.moment.optional(),
  before: parameter.moment.optional(),
  modified_after: parameter.moment.optional(),
  modified_before: parameter.moment.optional(),
  // The shop's zone is UTC: both answers mean the same.
  dates_are_gmt: parameter.boolean.optional(),
  orderby: parameter.oneOf(["date", "id", "include", "title", "slug", "modified"]).default("date"),
};
