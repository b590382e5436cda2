import type { Mode } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../context.js";
import { callLedger } from "../ledger/call.js";

/**
 * Expires an order whose time is over, if nobody settled it first. May be called any number of times.
 * @returns whether this call did it.
 */
export async function expireOrder(context: Context, order: { id: string; mode: Mode }): Promise<boolean> {
  const { expired } = await callLedger<{ expired: boolean }>(
    context,
    "SELECT expire_order($1, $2) AS expired",
    () => [order.id, order.mode],
  );
  if (expired) context.hints.changed(order.id);
  return expired;
}

/** How far this machine's clock may be behind the database's, which alone decides expiry. */
const CLOCK_TOLERANCE_MS = 5_000;

/** The order as it is now: a pending one past its expiry becomes EXPIRED first. */
export async function expireWhenOverdue<Order extends OrderModel>(
  context: Context,
  order: Order,
): Promise<Order> {
  if (order.status !== "PENDING" || order.expiresAt.getTime() > Date.now() + CLOCK_TOLERANCE_MS) return order;
  await expireOrder(context, order);
  const now = await context.database.prisma.order.findUniqueOrThrow({ where: { id: order.id } });
  return { ...order, ...now };
}
