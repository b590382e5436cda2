import { firstRow, type Queryable, type Transaction } from "../database/database.js";
import type { MetaEntry } from "./meta-data.js";

/** The order statuses of WooCommerce, without its `wc-` prefix, in its own order. */
export const orderStatuses = [
  "auto-draft",
  "pending",
  "processing",
  "on-hold",
  "completed",
  "cancelled",
  "refunded",
  "failed",
  "checkout-draft",
] as const;

export type OrderStatus = (typeof orderStatuses)[number] | "trash";

/** Statuses in words, as WooCommerce shows them. */
export const statusNames: Record<OrderStatus, string> = {
  "auto-draft": "auto-draft",
  pending: "Pending payment",
  processing: "Processing",
  "on-hold": "On hold",
  completed: "Completed",
  cancelled: "Cancelled",
  refunded: "Refunded",
  failed: "Failed",
  "checkout-draft": "Draft",
  trash: "Trash",
};

/** A billing address; a shipping address has no e-mail. */
export interface Address {
  first_name: string;
  last_name: string;
  company: string;
  address_1: string;
  address_2: string;
  city: string;
  state: string;
  postcode: string;
  country: string;
  email?: string;
  phone: string;
}

export interface OrderRow {
  id: bigint;
  order_key: string;
  status: OrderStatus;
  status_before_trash: OrderStatus | null;
  currency: string;
  created_via: string;
  parent_id: bigint;
  customer_id: bigint;
  customer_ip_address: string;
  customer_user_agent: string;
  customer_note: string;
  billing: Address;
  shipping: Address;
  payment_method: string;
  payment_method_title: string;
  transaction_id: string;
  total: bigint;
  shipping_total: bigint;
  stock_reduced: boolean;
  meta_data: MetaEntry[];
  created_at: Date;
  modified_at: Date;
  paid_at: Date | null;
  completed_at: Date | null;
  cart_id: Buffer | null;
  submission_token: string | null;
  cart_emptied_at: Date | null;
}

export interface ItemRow {
  id: bigint;
  order_id: bigint;
  type: "line_item" | "fee" | "shipping";
  name: string;
  product_id: bigint;
  method_id: string;
  quantity: number;
  subtotal: bigint;
  total: bigint;
  meta_data: MetaEntry[];
  /** Of the product as it is now; null when it was deleted or never existed. */
  sku: string | null;
  needs_processing: boolean;
}

/** An order with its items, oldest first. */
export interface Order extends OrderRow {
  items: ItemRow[];
}

const itemsOf = async (queryable: Queryable, orderIds: bigint[]): Promise<ItemRow[]> => {
  const { rows } = await queryable.query<ItemRow>(
    `SELECT order_item.*, product.sku,
            product.id IS NOT NULL AND NOT (product.virtual AND product.downloadable) AS needs_processing
       FROM order_item
       LEFT JOIN product ON order_item.type = 'line_item' AND product.id = order_item.product_id
      WHERE order_item.order_id = ANY($1) ORDER BY order_item.id`,
    [orderIds],
  );
  return rows;
};

/** Adds the items to the rows. */
export async function withItems(queryable: Queryable, rows: OrderRow[]): Promise<Order[]> {
  if (rows.length === 0) return [];
  const items = await itemsOf(
    queryable,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({ ...row, items: items.filter((item) => item.order_id === row.id) }));
}

/** Reads an order, or undefined when there is none. */
export async function findOrder(queryable: Queryable, id: bigint): Promise<Order | undefined> {
  const row = await firstRow<OrderRow>(queryable, "SELECT * FROM shop_order WHERE id = $1", [id]);
  if (!row) return undefined;
  return { ...row, items: await itemsOf(queryable, [id]) };
}

/** Reads an order and keeps every other change of it out until the transaction ends. */
export async function lockOrder(transaction: Transaction, id: bigint): Promise<Order | undefined> {
  const row = await firstRow<OrderRow>(transaction, "SELECT * FROM shop_order WHERE id = $1 FOR UPDATE", [
    id,
  ]);
  if (!row) return undefined;
  return { ...row, items: await itemsOf(transaction, [id]) };
}

/** Whether the shopper can pay it: pending or failed, and not free. */
export const needsPayment = (order: OrderRow): boolean =>
  (order.status === "pending" || order.status === "failed") && order.total > 0n;

/** Whether somebody has to do something for it once it is paid: false when every product is virtual and downloadable. */
export const needsProcessing = (order: Order): boolean =>
  order.items.some((item) => item.type === "line_item" && item.needs_processing);

/** Whether its items may still be changed. */
export const isEditable = (order: OrderRow): boolean =>
  order.status === "pending" || order.status === "on-hold" || order.status === "auto-draft";
