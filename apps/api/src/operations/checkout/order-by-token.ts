import type { MerchantModel, OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { OperationError, Refusal } from "../errors.js";
import { expireOrder } from "../expire-order.js";
import { mayBeOverdue } from "../get-order.js";

export type CheckoutOrder = OrderModel & { merchant: Pick<MerchantModel, "name"> };

const include = { merchant: { select: { name: true } } } as const;

/**
 * Finds the order of a payment page by its unguessable token; an overdue one becomes EXPIRED first.
 * @throws OperationError OrderNotFound.
 */
export async function orderByToken(context: Context, token: string): Promise<CheckoutOrder> {
  const order = await context.database.prisma.order.findUnique({ where: { token }, include });
  if (!order) throw new OperationError(Refusal.OrderNotFound);
  if (!mayBeOverdue(order)) return order;
  await expireOrder(context, order);
  return context.database.prisma.order.findUniqueOrThrow({ where: { token }, include });
}
