import type { OrderModel } from "@tillgate/database";
import type { Context } from "../context.js";
import type { Client } from "./authenticate-client.js";
import { OperationError, Refusal } from "./errors.js";
import { expireOrder } from "./expire-order.js";

/**
 * Reads one order of the calling merchant. A pending order past its expiry becomes EXPIRED first.
 * @throws OperationError OrderNotFound, also for another merchant's or the other mode's order.
 */
export async function getOrder(context: Context, client: Client, orderId: string): Promise<OrderModel> {
  const where = { id: orderId, merchantId: client.merchantId, mode: client.mode };
  const order = await context.database.prisma.order.findFirst({ where });
  if (!order) throw new OperationError(Refusal.OrderNotFound);
  if (!mayBeOverdue(order)) return order;
  await expireOrder(context, order);
  return context.database.prisma.order.findFirstOrThrow({ where });
}

/** How far this machine's clock may be behind the database's, which alone decides expiry. */
const CLOCK_TOLERANCE_MS = 5_000;

/** Whether it is worth asking the database to expire an order. */
export const mayBeOverdue = (order: Pick<OrderModel, "status" | "expiresAt">): boolean =>
  order.status === "PENDING" && order.expiresAt.getTime() <= Date.now() + CLOCK_TOLERANCE_MS;
