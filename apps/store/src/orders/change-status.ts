import { oneRowOf } from "@tillgate/service";
import type { Transaction } from "../database/database.js";
import { announce } from "../webhooks/announce.js";
import { addNote } from "./notes.js";
import { needsProcessing, type Order, type OrderStatus, orderSchema, statusNames } from "./order.js";
import { refundTheRest } from "./refunds.js";
import { moveStock } from "./stock.js";

export type StatusChange = {
  to: OrderStatus;
  /** Who did it, for the note; the shop itself when left out. */
  author?: string;
  /** Put before the sentence about the change. */
  reason?: string;
};

/** Where a payment takes the order. */
export const statusWhenPaid = (order: Order): "processing" | "completed" =>
  needsProcessing(order) ? "processing" : "completed";

/** A status at which WooCommerce takes the order for paid, when it had not been before. */
const marksPaid = (order: Order, to: OrderStatus): boolean => {
  const paid = statusWhenPaid(order);
  return to === paid || (paid === "processing" && to === "completed");
};

/**
 * Changes the status of a locked order with everything that WooCommerce does along with it: dates, stock, a note, the
 * refund of the rest at Refunded, webhooks. The same status again does nothing.
 */
export async function changeStatus(
  transaction: Transaction,
  order: Order,
  { to, author, reason }: StatusChange,
): Promise<void> {
  const from = order.status;
  if (from === to) return;
  const changed = await oneRowOf(
    transaction,
    orderSchema,
    `UPDATE shop_order SET status = $2, modified_at = date_trunc('second', clock_timestamp()),
            paid_at = CASE WHEN paid_at IS NULL AND $3 THEN date_trunc('second', clock_timestamp()) ELSE paid_at END,
            completed_at = CASE WHEN $2 = 'completed' THEN date_trunc('second', clock_timestamp()) ELSE completed_at END
      WHERE id = $1 RETURNING *`,
    [order.id, to, marksPaid(order, to)],
  );
  Object.assign(order, changed);
  if (to === "processing" || to === "completed" || to === "on-hold") {
    await moveStock(transaction, order, "reduced");
  }
  if (to === "cancelled" || to === "pending") await moveStock(transaction, order, "increased");
  if (to === "refunded") await refundTheRest(transaction, order);
  const sentence = `Order status changed from ${statusNames[from]} to ${statusNames[to]}.`;
  await addNote(transaction, {
    orderId: order.id,
    note: reason === undefined ? sentence : `${reason} ${sentence}`,
    author,
  });
  await announce(transaction, "order.updated", order.id);
}

/** Completes a payment, as WooCommerce's `payment_complete` does. Only from the statuses that it takes. */
export async function completePayment(
  transaction: Transaction,
  order: Order,
  transactionId: string,
): Promise<void> {
  const payable = ["pending", "on-hold", "failed", "cancelled"];
  if (!payable.includes(order.status)) return;
  const paid = await oneRowOf(
    transaction,
    orderSchema,
    `UPDATE shop_order SET transaction_id = CASE WHEN $2 = '' THEN transaction_id ELSE $2 END,
            paid_at = coalesce(paid_at, date_trunc('second', clock_timestamp()))
      WHERE id = $1 RETURNING *`,
    [order.id, transactionId],
  );
  Object.assign(order, paid);
  await changeStatus(transaction, order, { to: statusWhenPaid(order) });
}
