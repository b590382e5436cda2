import { createHash, timingSafeEqual } from "node:crypto";
import { ConnectorError } from "../connector-error.js";
import type { StoreOrder } from "../store/store-access.js";
import type { ConnectorContext } from "./context.js";

const digest = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();

/**
 * Reads a store order for somebody who must know its key. A wrong key and an unknown order are one answer, and the
 * comparison takes the same time wherever the key differs.
 *
 * @throws ConnectorError `not_found`, StoreError
 */
export async function readOrderWithKey(
  context: ConnectorContext,
  storeOrderId: number,
  orderKey: string,
): Promise<StoreOrder> {
  const order = await context.store.order(storeOrderId);
  if (order === null || !timingSafeEqual(digest(order.orderKey), digest(orderKey))) {
    throw new ConnectorError("order_not_found", "Order not found");
  }
  return order;
}
