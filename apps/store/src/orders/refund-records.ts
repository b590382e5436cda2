import { oneRow, type Queryable, type Transaction } from "../database/database.js";
import type { MetaEntry } from "./meta-data.js";
import { addNote } from "./notes.js";
import type { Order } from "./order.js";

export interface RefundRow {
  id: bigint;
  order_id: bigint;
  amount: bigint;
  reason: string;
  meta_data: MetaEntry[];
  created_at: Date;
}

export interface RefundItemRow {
  id: bigint;
  refund_id: bigint;
  item_id: bigint;
  type: "line_item" | "fee" | "shipping";
  name: string;
  product_id: bigint;
  method_id: string;
  quantity: number;
  total: bigint;
  meta_data: MetaEntry[];
  sku: string | null;
}

/** A refund with its items. */
export interface Refund extends RefundRow {
  items: RefundItemRow[];
}

/** The refunds of orders, newest first. */
export async function listRefunds(queryable: Queryable, orderIds: bigint[]): Promise<Refund[]> {
  if (orderIds.length === 0) return [];
  const refunds = await queryable.query<RefundRow>(
    "SELECT * FROM order_refund WHERE order_id = ANY($1) ORDER BY created_at DESC, id DESC",
    [orderIds],
  );
  const items = await queryable.query<RefundItemRow>(
    `SELECT refund_item.*, product.sku FROM refund_item LEFT JOIN product ON product.id = refund_item.product_id
      WHERE refund_id = ANY($1) ORDER BY refund_item.id`,
    [refunds.rows.map((refund) => refund.id)],
  );
  return refunds.rows.map((refund) => ({
    ...refund,
    items: items.rows.filter((item) => item.refund_id === refund.id),
  }));
}

/** Minor units of an order that are not refunded yet. */
export async function remainingOf(queryable: Queryable, order: Order): Promise<bigint> {
  const { refunded } = await oneRow<{ refunded: bigint }>(
    queryable,
    "SELECT coalesce(sum(amount), 0)::bigint AS refunded FROM order_refund WHERE order_id = $1",
    [order.id],
  );
  return order.total - refunded;
}

/** What WooCommerce does when somebody sets an order to Refunded: a refund of all that is left, without money moving. */
export async function refundTheRest(transaction: Transaction, order: Order): Promise<void> {
  const remaining = await remainingOf(transaction, order);
  if (remaining <= 0n) return;
  await transaction.query(
    `INSERT INTO order_refund (order_id, amount, reason, created_at)
     VALUES ($1, $2, 'Order fully refunded.', date_trunc('second', clock_timestamp()))`,
    [order.id, remaining],
  );
  await addNote(transaction, {
    orderId: order.id,
    note: "Order status set to refunded. To return funds to the customer you will need to issue a refund through your payment gateway.",
  });
}

/** Removes a refund's record; the order keeps its status, as in WooCommerce. */
export async function deleteRefund(transaction: Transaction, refund: RefundRow): Promise<void> {
  await transaction.query("DELETE FROM order_refund WHERE id = $1", [refund.id]);
  await transaction.query(
    "UPDATE shop_order SET modified_at = date_trunc('second', clock_timestamp()) WHERE id = $1",
    [refund.order_id],
  );
}
