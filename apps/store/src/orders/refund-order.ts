import type { Transaction } from "../database/database.js";
import { queueDeliveries } from "../webhooks/webhook.js";
import { changeStatus } from "./change-status.js";
import type { Order } from "./order.js";
import { addRefund, computeRemainingAmount, type NewRefund, type Refund, touchOrder } from "./refunds.js";

/** The refund is negative or exceeds the remaining amount. */
export class RefundRejected extends Error {
  override readonly name = "RefundRejected";
}

/**
 * Records a refund of a locked order, without moving money. If nothing remains, sets the order to Refunded.
 * @throws RefundRejected if the amount is negative or above the remaining amount
 */
export async function refundOrder(
  transaction: Transaction,
  order: Order,
  refund: NewRefund,
): Promise<Refund> {
  const remaining = await computeRemainingAmount(transaction, order);
  if (refund.amount < 0n || refund.amount > remaining) throw new RefundRejected("Invalid refund amount.");
  const created = await addRefund(transaction, order, refund);
  await touchOrder(transaction, order.id);
  if (remaining === refund.amount) await changeStatus(transaction, order, { to: "refunded" });
  await queueDeliveries(transaction, "order.updated", order.id);
  return created;
}
