import { Refusal } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OrderOverdueError, OrderSettledError } from "../../ledger/refusals.js";
import { OperationError } from "../../operation-error.js";
import { expireOrder } from "../orders/expire-order.js";

const SETTLED = {
  PAID: Refusal.OrderAlreadyPaid,
  CANCELLED: Refusal.OrderCancelled,
  EXPIRED: Refusal.OrderExpired,
} as const;

/** The refusal for a shopper who comes too late; null while the order can be paid. */
export const refusalOf = (status: OrderModel["status"]): Refusal | null =>
  status === "PENDING" ? null : SETTLED[status];

/**
 * Names why an order can no longer be paid or cancelled on the page. A separate call expires an overdue one.
 * @throws Error for an order that can still be paid.
 */
export async function whyTooLate(
  context: Context,
  order: Pick<OrderModel, "id" | "mode">,
): Promise<OperationError> {
  await expireOrder(context, order);
  const { status } = await context.database.prisma.order.findUniqueOrThrow({
    where: { id: order.id },
    select: { status: true },
  });
  const refusal = refusalOf(status);
  if (!refusal) throw new Error(`order ${order.id} was refused as settled and is ${status}`);
  return new OperationError(refusal);
}

/** Whether a call of the ledger came too late for its order. */
export const isTooLate = (error: unknown): boolean =>
  error instanceof OrderOverdueError || error instanceof OrderSettledError;
