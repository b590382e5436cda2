import type { MerchantModel, OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError, Refusal } from "../errors.js";
import { expireWhenOverdue } from "../expire-order.js";

export type CheckoutOrder = OrderModel & { merchant: Pick<MerchantModel, "name"> };

/**
 * Finds the order of a payment page by its unguessable token; an overdue one becomes EXPIRED first.
 * @throws OperationError OrderNotFound.
 */
export async function orderByToken(context: Context, token: string): Promise<CheckoutOrder> {
  const order = await context.database.prisma.order.findUnique({
    where: { token },
    include: { merchant: { select: { name: true } } },
  });
  if (!order) throw new OperationError(Refusal.OrderNotFound);
  return expireWhenOverdue(context, order);
}
