import { randomInt } from "node:crypto";
import { queryOneRow } from "@tillgate/service";
import type { Transaction } from "../database/database.js";
import { queueDeliveries } from "../webhooks/webhook.js";
import { changeStatus, completePayment } from "./change-status.js";
import {
  type Billing,
  lockOrder,
  needsPayment,
  type Order,
  type OrderStatus,
  orderIdSchema,
} from "./order.js";
import { addItems, type Fee, type OrderLine } from "./order-items.js";

const KEY_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Creates the secret order key in WooCommerce's format. */
const createOrderKey = (): string =>
  `wc_order_${Array.from({ length: 13 }, () => KEY_LETTERS[randomInt(KEY_LETTERS.length)]).join("")}`;

const EMPTY_BILLING: Billing = {
  first_name: "",
  last_name: "",
  email: "",
  address_1: "",
  postcode: "",
  city: "",
};

/** Fields that a caller may set; an update leaves undefined fields unchanged. */
export type OrderFields = {
  customerNote?: string | undefined;
  billing?: Billing | undefined;
  paymentMethod?: string | undefined;
  paymentMethodTitle?: string | undefined;
  transactionId?: string | undefined;
  /** Fees to add to the existing fees. */
  fees?: Fee[] | undefined;
  status?: OrderStatus | undefined;
  setPaid?: boolean | undefined;
};

export type NewOrder = OrderFields & {
  currency: string;
  createdVia: string;
  lines: OrderLine[];
  cart?: { id: Buffer; submissionToken: string };
};

/** Creates an order with the side effects of its status, and of a payment if `setPaid` is true. @throws UnknownProduct if a line's product does not exist */
export async function createOrder(transaction: Transaction, order: NewOrder): Promise<Order> {
  const { id } = await queryOneRow(
    transaction,
    orderIdSchema,
    `INSERT INTO shop_order (order_key, status, currency, created_via, customer_note, billing, payment_method,
        payment_method_title, transaction_id, total, created_at, modified_at, cart_id, submission_token)
     VALUES ($1, 'pending', $2, $3, $4, $5, $6, $7, $8, 0,
        date_trunc('second', clock_timestamp()), date_trunc('second', clock_timestamp()), $9, $10)
     RETURNING id`,
    [
      createOrderKey(),
      order.currency,
      order.createdVia,
      order.customerNote ?? "",
      JSON.stringify(order.billing ?? EMPTY_BILLING),
      order.paymentMethod ?? "",
      order.paymentMethodTitle ?? "",
      order.transactionId ?? "",
      order.cart?.id ?? null,
      order.cart?.submissionToken ?? null,
    ],
  );
  await addItems(transaction, id, order.lines, order.fees ?? []);
  // WooCommerce saves a new order more than once, so it also sends `order.updated`.
  await queueDeliveries(transaction, "order.updated", id);
  const created = await requireOrder(transaction, id);
  if (order.status) await changeStatus(transaction, created, { to: order.status });
  if (order.setPaid) await completePayment(transaction, created, order.transactionId ?? "");
  return requireOrder(transaction, id);
}

/** Changes fields of a locked order. Ignores `setPaid` unless the order needs payment. Queues `order.updated` even if nothing changes. */
export async function updateOrder(
  transaction: Transaction,
  order: Order,
  fields: OrderFields,
): Promise<Order> {
  await transaction.query(
    // An update without changes must not touch `modified_at`, or clients that poll for changes would find it again and again.
    `UPDATE shop_order SET customer_note = $2, billing = $3, payment_method = $4, payment_method_title = $5,
        transaction_id = $6, modified_at = date_trunc('second', clock_timestamp())
      WHERE id = $1 AND ($7 OR (customer_note, billing, payment_method, payment_method_title, transaction_id)
        IS DISTINCT FROM ($2::text, $3::jsonb, $4::text, $5::text, $6::text))`,
    [
      order.id,
      fields.customerNote ?? order.customer_note,
      JSON.stringify({ ...order.billing, ...fields.billing }),
      fields.paymentMethod ?? order.payment_method,
      fields.paymentMethodTitle ?? order.payment_method_title,
      fields.transactionId ?? order.transaction_id,
      fields.fees !== undefined,
    ],
  );
  if (fields.fees) await addItems(transaction, order.id, [], fields.fees);
  const changed = await requireOrder(transaction, order.id);
  if (fields.status) await changeStatus(transaction, changed, { to: fields.status });
  if (fields.setPaid && needsPayment(changed)) {
    await completePayment(transaction, changed, fields.transactionId ?? "");
  }
  await queueDeliveries(transaction, "order.updated", order.id);
  return requireOrder(transaction, order.id);
}

async function requireOrder(transaction: Transaction, id: bigint): Promise<Order> {
  const order = await lockOrder(transaction, id);
  if (!order) throw new Error(`Order ${id} was written but cannot be read.`);
  return order;
}
