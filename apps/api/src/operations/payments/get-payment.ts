import { Refusal } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Client } from "../../credentials/authenticate-client.js";
import { OperationError } from "../../operation-error.js";
import { expireWhenOverdue } from "../orders/expire-order.js";

/**
 * Reads one payment of the calling merchant by its token, for shops that check after the customer's return.
 * @throws OperationError OrderNotFound, also for another merchant's or the other mode's payment.
 */
export async function getPayment(context: Context, client: Client, token: string): Promise<OrderModel> {
  const order = await context.database.prisma.order.findFirst({
    where: { token, merchantId: client.merchantId, mode: client.mode },
  });
  if (!order) throw new OperationError(Refusal.OrderNotFound);
  return expireWhenOverdue(context, order);
}
