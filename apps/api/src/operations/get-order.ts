import type { OrderModel } from "@tillgate/database";
import type { Context } from "../context.js";
import type { Client } from "./authenticate-client.js";
import { OperationError, Refusal } from "./errors.js";
import { expireWhenOverdue } from "./expire-order.js";

/**
 * Reads one order of the calling merchant. A pending order past its expiry becomes EXPIRED first.
 * @throws OperationError OrderNotFound, also for another merchant's or the other mode's order.
 */
export async function getOrder(context: Context, client: Client, orderId: string): Promise<OrderModel> {
  const order = await context.database.prisma.order.findFirst({
    where: { id: orderId, merchantId: client.merchantId, mode: client.mode },
  });
  if (!order) throw new OperationError(Refusal.OrderNotFound);
  return expireWhenOverdue(context, order);
}
