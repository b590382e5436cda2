import type { Transaction } from "../database/database.js";
import { announce } from "../webhooks/webhook.js";
import { changeStatus } from "./change-status.js";
import type { Order } from "./order.js";
import { addRefund, type NewRefund, type Refund, remainingOf, touchOrder } from "./refunds.js";

/** The refund exceeds the remaining amount. */
export class RefundRefused extends Error {
  override readonly name = "RefundRefused";
}

/**
 * Records a refund on a locked order. If nothing remains, the order becomes Refunded.
 * @throws RefundRefused
 */
export async function refundOrder(
  transaction: Transaction,
  order: Order,
  refund: NewRefund,
): Promise<Refund> {
  const remaining = await remainingOf(transaction, order);
  if (refund.amount < 0n || refund.amount > remaining) throw new RefundRefused("Invalid refund amount.");
  const made = await addRefund(transaction, order, refund);
  await touchOrder(transaction, order.id);
  if (remaining === refund.amount) await changeStatus(transaction, order, { to: "refunded" });
  await announce(transaction, "order.updated", order.id);
  return made;
}
