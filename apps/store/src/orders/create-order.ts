import { randomInt } from "node:crypto";
import { oneRow, type Transaction } from "../database/database.js";
import { announce } from "../webhooks/announce.js";
import { changeStatus, completePayment } from "./change-status.js";
import { type MetaChange, mergeMetaData } from "./meta-data.js";
import {
  type Address,
  lockOrder,
  needsPayment,
  type Order,
  type OrderRow,
  type OrderStatus,
} from "./order.js";
import { calculateTotals, changeItems, type ItemChange } from "./order-items.js";

const keyLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** The secret in the addresses of an order, in WooCommerce's form. */
const newOrderKey = (): string =>
  `wc_order_${Array.from({ length: 13 }, () => keyLetters[randomInt(keyLetters.length)]).join("")}`;

const noAddress = {
  first_name: "",
  last_name: "",
  company: "",
  address_1: "",
  address_2: "",
  city: "",
  state: "",
  postcode: "",
  country: "",
};

/** The parts of an address that are given; an absent part keeps what it was. */
export type AddressChange = { [Part in keyof Address]?: string | undefined };

/** Fields of an order that a caller may write, all optional. */
export interface OrderFields {
  currency?: string | undefined;
  customerNote?: string | undefined;
  customerIpAddress?: string | undefined;
  customerUserAgent?: string | undefined;
  billing?: AddressChange | undefined;
  shipping?: AddressChange | undefined;
  paymentMethod?: string | undefined;
  paymentMethodTitle?: string | undefined;
  transactionId?: string | undefined;
  metaData?: MetaChange[] | undefined;
  items?: ItemChange[] | undefined;
  status?: OrderStatus | undefined;
  setPaid?: boolean | undefined;
}

export interface NewOrder extends OrderFields {
  currency: string;
  createdVia: string;
  /** The cart that made it. */
  cart?: { id: Buffer; submissionToken: string };
}

/** Makes an order, with everything that its status brings along. */
export async function createOrder(transaction: Transaction, order: NewOrder): Promise<Order> {
  const { id } = await oneRow<OrderRow>(
    transaction,
    `INSERT INTO shop_order (order_key, status, currency, created_via, customer_ip_address, customer_user_agent,
        customer_note, billing, shipping, payment_method, payment_method_title, transaction_id, total, meta_data,
        created_at, modified_at, cart_id, submission_token)
     VALUES ($1, 'pending', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12,
        date_trunc('second', clock_timestamp()), date_trunc('second', clock_timestamp()), $13, $14)
     RETURNING *`,
    [
      newOrderKey(),
      order.currency,
      order.createdVia,
      order.customerIpAddress ?? "",
      order.customerUserAgent ?? "",
      order.customerNote ?? "",
      JSON.stringify({ ...noAddress, email: "", phone: "", ...order.billing }),
      JSON.stringify({ ...noAddress, phone: "", ...order.shipping }),
      order.paymentMethod ?? "",
      order.paymentMethodTitle ?? "",
      order.transactionId ?? "",
      JSON.stringify(await mergeMetaData(transaction, [], order.metaData ?? [])),
      order.cart?.id ?? null,
      order.cart?.submissionToken ?? null,
    ],
  );
  await changeItems(transaction, { id, items: [] }, order.items ?? []);
  await calculateTotals(transaction, id);
  await announce(transaction, "order.created", id);
  // WooCommerce saves a new order more than once, so that it is told as updated, too.
  await announce(transaction, "order.updated", id);
  const made = await existing(transaction, id);
  if (order.status) await changeStatus(transaction, made, { to: order.status });
  if (order.setPaid) await completePayment(transaction, made, order.transactionId ?? "");
  return existing(transaction, id);
}

/**
 * Changes the fields of a locked order. `set_paid` acts from Pending and Failed only and is ignored elsewhere.
 *
 * @returns the order as it is afterwards.
 */
export async function updateOrder(
  transaction: Transaction,
  order: Order,
  fields: OrderFields,
): Promise<Order> {
  await transaction.query(
    `UPDATE shop_order SET currency = $2, customer_note = $3, billing = $4, shipping = $5, payment_method = $6,
        payment_method_title = $7, transaction_id = $8, meta_data = $9,
        -- What changes nothing is no change: whoever asks for changed orders would find it again and again.
        modified_at = CASE WHEN $10 OR (currency, customer_note, billing, shipping, payment_method,
            payment_method_title, transaction_id, meta_data)
          IS DISTINCT FROM ($2::text, $3::text, $4::jsonb, $5::jsonb, $6::text, $7::text, $8::text, $9::jsonb)
          THEN date_trunc('second', clock_timestamp()) ELSE modified_at END
      WHERE id = $1`,
    [
      order.id,
      fields.currency ?? order.currency,
      fields.customerNote ?? order.customer_note,
      JSON.stringify({ ...order.billing, ...fields.billing }),
      JSON.stringify({ ...order.shipping, ...fields.shipping }),
      fields.paymentMethod ?? order.payment_method,
      fields.paymentMethodTitle ?? order.payment_method_title,
      fields.transactionId ?? order.transaction_id,
      JSON.stringify(await mergeMetaData(transaction, order.meta_data, fields.metaData ?? [])),
      fields.items !== undefined,
    ],
  );
  if (fields.items) {
    await changeItems(transaction, order, fields.items);
    await calculateTotals(transaction, order.id);
  }
  const changed = await existing(transaction, order.id);
  if (fields.status) await changeStatus(transaction, changed, { to: fields.status });
  if (fields.setPaid && needsPayment(changed)) {
    await completePayment(transaction, changed, fields.transactionId ?? "");
  }
  await announce(transaction, "order.updated", order.id);
  return existing(transaction, order.id);
}

async function existing(transaction: Transaction, id: bigint): Promise<Order> {
  const order = await lockOrder(transaction, id);
  if (!order) throw new Error(`The order ${id} was written and cannot be read.`);
  return order;
}
