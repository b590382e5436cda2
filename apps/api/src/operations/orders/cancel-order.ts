import { Refusal } from "@tillgate/contract";
import { ledger, type OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Client } from "../../credentials/authenticate-client.js";
import { callLedger } from "../../ledger/call.js";
import { OrderOverdueError, OrderSettledError } from "../../ledger/refusals.js";
import { OperationError } from "../../operation-error.js";
import { expireOrder } from "./expire-order.js";

/**
 * Cancels a pending order of the calling merchant. Against a payment at the same instant exactly one wins.
 * @throws OperationError OrderNotFound; OnlyPendingCanBeCancelled, also when the order turned out to be overdue.
 */
export async function cancelOrder(context: Context, client: Client, orderId: string): Promise<OrderModel> {
  const order = await context.database.prisma.order.findFirst({
    where: { id: orderId, merchantId: client.merchantId, mode: client.mode },
    select: { id: true, mode: true },
  });
  if (!order) throw new OperationError(Refusal.OrderNotFound);
  try {
    return await cancelPending(context, order);
  } catch (error) {
    if (error instanceof OrderOverdueError) await expireOrder(context, order);
    if (error instanceof OrderOverdueError || error instanceof OrderSettledError)
      throw new OperationError(Refusal.OnlyPendingCanBeCancelled);
    throw error;
  }
}

/** Cancels, or throws OrderSettledError or OrderOverdueError. The page's cancel is the same operation. */
export async function cancelPending(
  context: Context,
  order: Pick<OrderModel, "id" | "mode">,
): Promise<OrderModel> {
  const cancelled = await callLedger(context, ledger.cancelOrder, () => ({
    orderId: order.id,
    mode: order.mode,
  }));
  context.hints.changed(order.id);
  return cancelled;
}
