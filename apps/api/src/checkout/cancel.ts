import type { OrderModel } from "@tillgate/database";
import type { Context } from "../context.js";
import { cancelPending } from "../money/orders/cancel.js";
import { findTooLateError, isTooLateError } from "../money/orders/expire.js";

/** Cancels the order in the same way as `POST /orders/{id}/cancel`. @throws OperationError OrderAlreadyPaid, OrderCancelled, OrderExpired. */
export async function cancelCheckout(
  context: Context,
  order: OrderModel,
  requestId: string,
): Promise<OrderModel> {
  try {
    return await cancelPending(context, order, { requestId });
  } catch (error) {
    throw isTooLateError(error) ? await findTooLateError(context, order) : error;
  }
}
