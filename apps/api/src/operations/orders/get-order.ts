import { Refusal } from "@tillgate/contract";
import { type OrderModel, orderRow } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Client } from "../../credentials/authenticate-client.js";
import { OperationError } from "../../operation-error.js";
import { expireWhenOverdue } from "./expire-order.js";

const ORDER_OF_MERCHANT = "SELECT * FROM orders WHERE id = $1 AND merchant_id = $2 AND mode = $3::mode";

/**
 * Reads one order of the calling merchant. A pending order past its expiry becomes EXPIRED first.
 * @throws OperationError OrderNotFound, also for another merchant's or the other mode's order.
 */
export async function getOrder(context: Context, client: Client, orderId: string): Promise<OrderModel> {
  const { rows } = await context.database.pool.query(ORDER_OF_MERCHANT, [
    orderId,
    client.merchantId,
    client.mode,
  ]);
  const [row] = rows;
  if (row === undefined) throw new OperationError(Refusal.OrderNotFound);
  return expireWhenOverdue(context, orderRow.parse(row));
}
