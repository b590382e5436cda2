import { createOrderRequestSchema } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { consoleClient } from "../orders/console-client.js";
import { createOrder } from "../orders/create-order.js";

/** In major units: a whole number, which every currency has. */
const AMOUNT = "10";

/**
 * Makes an order of the sandbox without a shop; the same key makes one.
 * @throws OperationError InvalidFields for a currency without a wallet, MerchantSuspended, IdempotencyKeyReused.
 */
export async function makeTestOrder(
  context: Context,
  merchantId: string,
  { requestId, ...fields }: { currency: string; idempotency_key: string; requestId: string },
): Promise<OrderModel> {
  const client = await consoleClient(context, { merchantId, mode: "sandbox" });
  const request = createOrderRequestSchema.parse({ ...fields, amount: AMOUNT, description: "Test order" });
  return (await createOrder(context, client, request, requestId)).order;
}
