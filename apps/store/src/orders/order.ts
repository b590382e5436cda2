import { firstRow, type Queryable, type Transaction } from "../database/database.js";

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

/** Who buys, and where it goes. */
export type Billing = {
  first_name: string;
  last_name: string;
  email: string;
  address_1: string;
  postcode: string;
  city: string;
};

export type OrderRow = {
  id: bigint;
  order_key: string;
  status: OrderStatus;
  currency: string;
  created_via: string;
  customer_note: string;
  billing: Billing;
  payment_method: string;
  payment_method_title: string;
  transaction_id: string;
  total: bigint;
  stock_reduced: boolean;
  created_at: Date;
  modified_at: Date;
  paid_at: Date | null;
  completed_at: Date | null;
};

export type ItemRow = {
  id: bigint;
  order_id: bigint;
  type: "line_item" | "fee";
  name: string;
  /** 0 for a fee. */
  product_id: bigint;
  quantity: number;
  total: bigint;
  /** Of the product as it is now; null when there is none. */
  sku: string | null;
  needs_processing: boolean;
};

/** An order with its items, oldest first. */
export type Order = OrderRow & {
  items: ItemRow[];
};

/** Adds the items to the rows. */
export async function withItems(queryable: Queryable, rows: OrderRow[]): Promise<Order[]> {
  const { rows: items } = await queryable.query<ItemRow>(
    `SELECT order_item.*, product.sku,
            product.id IS NOT NULL AND NOT (product.virtual AND product.downloadable) AS needs_processing
       FROM order_item LEFT JOIN product ON product.id = order_item.product_id
      WHERE order_item.order_id = ANY($1) ORDER BY order_item.id`,
    [rows.map((row) => row.id)],
  );
  return rows.map((row) => ({ ...row, items: items.filter((item) => item.order_id === row.id) }));
}

async function readOrder(queryable: Queryable, id: bigint, lock: "" | "FOR UPDATE") {
  const row = await firstRow<OrderRow>(queryable, `SELECT * FROM shop_order WHERE id = $1 ${lock}`, [id]);
  return row && (await withItems(queryable, [row]))[0];
}

/** Reads an order, or undefined when there is none. */
export const findOrder = (queryable: Queryable, id: bigint): Promise<Order | undefined> =>
  readOrder(queryable, id, "");

/** Reads an order and keeps every other change of it out until the transaction ends. */
export const lockOrder = (transaction: Transaction, id: bigint): Promise<Order | undefined> =>
  readOrder(transaction, id, "FOR UPDATE");

/** Whether the shopper can pay it: pending or failed, and not free. */
export const needsPayment = (order: OrderRow): boolean =>
  (order.status === "pending" || order.status === "failed") && order.total > 0n;

/** Whether somebody has to do something for it once it is paid: false when every product is virtual and downloadable. */
export const needsProcessing = (order: Order): boolean => order.items.some((item) => item.needs_processing);
