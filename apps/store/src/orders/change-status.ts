import { queryFirstRow, queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import { limits } from "../config.js";
import type { Database, Transaction } from "../database/database.js";
import { queueDeliveries } from "../webhooks/webhook.js";
import { addNote } from "./notes.js";
import {
  lockOrder,
  needsProcessing,
  type Order,
  type OrderStatus,
  orderIdSchema,
  orderSchema,
  statusNames,
} from "./order.js";
import { refundRemaining } from "./refunds.js";

const countedSchema = z.object({ name: z.string(), sku: z.string(), stock_quantity: z.int() });

/** Reduces or restores the stock of an order's products, unless this has already been done. */
async function adjustStock(
  transaction: Transaction,
  order: Order,
  to: "reduced" | "increased",
): Promise<void> {
  const reduced = to === "reduced";
  if (order.stock_reduced === reduced) return;
  const changes: string[] = [];
  // Sorted by product, so that concurrent orders lock products in the same order.
  const lines = order.items.toSorted((a, b) => (a.product_id < b.product_id ? -1 : 1));
  for (const { product_id, quantity } of lines) {
    const pieces = reduced ? -quantity : quantity;
    const product = await queryFirstRow(
      transaction,
      countedSchema,
      `UPDATE product SET stock_quantity = stock_quantity + $2, modified_at = date_trunc('second', clock_timestamp())
        WHERE id = $1 AND manage_stock RETURNING name, sku, stock_quantity`,
      [product_id, pieces],
    );
    if (!product) continue;
    const { name, sku, stock_quantity } = product;
    const label = `${name} (${sku === "" ? `#${product_id}` : sku})`;
    changes.push(`${label} ${stock_quantity - pieces}&rarr;${stock_quantity}`);
  }
  if (changes.length > 0) {
    await addNote(transaction, { orderId: order.id, note: `Stock levels ${to}: ${changes.join(", ")}` });
  }
  await transaction.query("UPDATE shop_order SET stock_reduced = $2 WHERE id = $1", [order.id, reduced]);
  order.stock_reduced = reduced;
}

export type StatusChange = {
  to: OrderStatus;
  /** Author of the note; default: "WooCommerce". */
  author?: string;
  /** Prefix of the note about the change. */
  reason?: string;
};

/** Returns the status that an order gets when it is paid. */
export const getPaidStatus = (order: Order): "processing" | "completed" =>
  needsProcessing(order) ? "processing" : "completed";

/** Returns whether a status change counts as payment in WooCommerce. */
const countsAsPayment = (order: Order, to: OrderStatus): boolean => {
  const paid = getPaidStatus(order);
  return to === paid || (paid === "processing" && to === "completed");
};

/** Changes a locked order's status with WooCommerce's side effects. The status Refunded records a refund of the remaining amount, but moves no money. */
export async function changeStatus(
  transaction: Transaction,
  order: Order,
  { to, author, reason }: StatusChange,
): Promise<void> {
  const from = order.status;
  if (from === to) return;
  const changed = await queryOneRow(
    transaction,
    orderSchema,
    `UPDATE shop_order SET status = $2, modified_at = date_trunc('second', clock_timestamp()),
            paid_at = CASE WHEN paid_at IS NULL AND $3 THEN date_trunc('second', clock_timestamp()) ELSE paid_at END,
            completed_at = CASE WHEN $2 = 'completed' THEN date_trunc('second', clock_timestamp()) ELSE completed_at END
      WHERE id = $1 RETURNING *`,
    [order.id, to, countsAsPayment(order, to)],
  );
  Object.assign(order, changed);
  if (to === "processing" || to === "completed" || to === "on-hold") {
    await adjustStock(transaction, order, "reduced");
  }
  if (to === "cancelled" || to === "pending") await adjustStock(transaction, order, "increased");
  if (to === "refunded") await refundRemaining(transaction, order);
  const sentence = `Order status changed from ${statusNames[from]} to ${statusNames[to]}.`;
  await addNote(transaction, {
    orderId: order.id,
    note: reason === undefined ? sentence : `${reason} ${sentence}`,
    author,
  });
  await queueDeliveries(transaction, "order.updated", order.id);
}

/** Marks a locked pending, on-hold, failed or cancelled order as paid, like WooCommerce's `payment_complete`. An empty `transactionId` keeps the old ID. */
export async function completePayment(
  transaction: Transaction,
  order: Order,
  transactionId: string,
): Promise<void> {
  const payable = ["pending", "on-hold", "failed", "cancelled"];
  if (!payable.includes(order.status)) return;
  const paid = await queryOneRow(
    transaction,
    orderSchema,
    `UPDATE shop_order SET transaction_id = CASE WHEN $2 = '' THEN transaction_id ELSE $2 END,
            paid_at = coalesce(paid_at, date_trunc('second', clock_timestamp()))
      WHERE id = $1 RETURNING *`,
    [order.id, transactionId],
  );
  Object.assign(order, paid);
  await changeStatus(transaction, order, { to: getPaidStatus(order) });
}

/**
 * Cancels a batch of overdue pending orders. As in WooCommerce, cancels only orders whose `created_via` is `checkout`; this shop's own
 * checkout writes `store-api`.
 * @param minutes minutes after which an unchanged order is overdue; 0 means never
 * @returns the number of overdue orders found, including those that changed before they could be cancelled
 */
export async function expireOrders(database: Database, minutes: number): Promise<number> {
  if (minutes === 0) return 0;
  const rows = await queryRows(
    database,
    orderIdSchema,
    `SELECT id FROM shop_order WHERE status = 'pending' AND created_via = 'checkout'
        AND modified_at < now() - make_interval(mins => $1) ORDER BY id LIMIT $2`,
    [minutes, limits.expiryBatch],
  );
  for (const { id } of rows) {
    await database.transaction(async (transaction) => {
      const order = await lockOrder(transaction, id);
      if (order?.status !== "pending") return;
      await changeStatus(transaction, order, {
        to: "cancelled",
        reason: "Unpaid order cancelled - time limit reached.",
      });
    });
  }
  return rows.length;
}
