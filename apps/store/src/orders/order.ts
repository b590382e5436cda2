import { queryFirstRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Queryable, Transaction } from "../database/database.js";

/** WooCommerce's order statuses without the `wc-` prefix, in WooCommerce's order. */
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

/** WooCommerce's labels of the order statuses. */
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

const part = z.string().default("");

const billingSchema = z.object({
  first_name: part,
  last_name: part,
  email: part,
  address_1: part,
  postcode: part,
  city: part,
});

export type Billing = z.output<typeof billingSchema>;

export const orderSchema = z.object({
  id: z.bigint(),
  order_key: z.string(),
  status: z.enum([...orderStatuses, "trash"]),
  currency: z.string(),
  created_via: z.string(),
  customer_note: z.string(),
  billing: billingSchema,
  payment_method: z.string(),
  payment_method_title: z.string(),
  transaction_id: z.string(),
  total: z.bigint(),
  stock_reduced: z.boolean(),
  created_at: z.date(),
  modified_at: z.date(),
  paid_at: z.date().nullable(),
  completed_at: z.date().nullable(),
});

type OrderRow = z.output<typeof orderSchema>;

export const orderIdSchema = orderSchema.pick({ id: true });

const itemSchema = z.object({
  id: z.bigint(),
  order_id: z.bigint(),
  type: z.enum(["line_item", "fee"]),
  name: z.string(),
  /** 0 for a fee. */
  product_id: z.bigint(),
  quantity: z.int(),
  total: z.bigint(),
  /** The product's current SKU; null for a fee or a deleted product. */
  sku: z.string().nullable(),
  needs_processing: z.boolean(),
});

export type ItemRow = z.output<typeof itemSchema>;

/** An order with its items, oldest first. */
export type Order = OrderRow & {
  items: ItemRow[];
};

export async function withItems(queryable: Queryable, rows: OrderRow[]): Promise<Order[]> {
  const items = await queryRows(
    queryable,
    itemSchema,
    `SELECT order_item.*, product.sku,
            product.id IS NOT NULL AND NOT (product.virtual AND product.downloadable) AS needs_processing
       FROM order_item LEFT JOIN product ON product.id = order_item.product_id
      WHERE order_item.order_id = ANY($1) ORDER BY order_item.id`,
    [rows.map((row) => row.id)],
  );
  return rows.map((row) => ({ ...row, items: items.filter((item) => item.order_id === row.id) }));
}

async function readOrder(queryable: Queryable, id: bigint, lock: "" | "FOR UPDATE") {
  const row = await queryFirstRow(queryable, orderSchema, `SELECT * FROM shop_order WHERE id = $1 ${lock}`, [
    id,
  ]);
  return row && (await withItems(queryable, [row]))[0];
}

/** Finds an order, even if trashed; undefined if the order does not exist. */
export const findOrder = (queryable: Queryable, id: bigint): Promise<Order | undefined> =>
  readOrder(queryable, id, "");

/** Finds an order like `findOrder`, and locks the order until the transaction ends. */
export const lockOrder = (transaction: Transaction, id: bigint): Promise<Order | undefined> =>
  readOrder(transaction, id, "FOR UPDATE");

/** Returns whether the shopper can pay an order: it is pending or failed, and not free. */
export const needsPayment = (order: OrderRow): boolean =>
  (order.status === "pending" || order.status === "failed") && order.total > 0n;

/** Returns whether a paid order needs fulfilment: false if every product is both virtual and downloadable, or was deleted. */
export const needsProcessing = (order: Order): boolean => order.items.some((item) => item.needs_processing);
