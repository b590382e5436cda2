import { type Order, orderResponseSchema, type Refund, refundResponseSchema } from "@tillgate/contract";
import { expect } from "vitest";
import { openPage } from "./checkout.js";
import type { ApiResponse, PayApi } from "./requests.js";
import type { Sandbox } from "./sandbox.js";

/** Parses an order response. Fails unless it is successful and has this message, and on unknown keys. */
export function readOrder({ status, body, text }: ApiResponse, message: string): Order {
  expect({ status, text }).toMatchObject({ status: 200 });
  const response = orderResponseSchema
    .extend({ data: orderResponseSchema.shape.data.strict() })
    .strict()
    .parse(body);
  expect(response.message).toEqual({ success: [message] });
  return response.data;
}

export function readRefund({ status, body, text }: ApiResponse, message: string): Refund {
  expect({ status, text }).toMatchObject({ status: 200 });
  const response = refundResponseSchema
    .extend({ data: refundResponseSchema.shape.data.strict() })
    .strict()
    .parse(body);
  expect(response.message).toEqual({ success: [message] });
  return response.data;
}

export const ORDER_CREATED = "POS order created successfully";

export const createOrder = async (api: PayApi, fields: Record<string, unknown> = {}): Promise<Order> =>
  readOrder(await api.post("/orders", { amount: 41.5, currency: "EUR", ...fields }), ORDER_CREATED);

export const getOrder = async (api: PayApi, id: string): Promise<Order> =>
  readOrder(await api.get(`/orders/${id}`), "Order status retrieved");

export const REFUND_CREATED = "Refund created successfully";

/** Creates an order and pays it with the sandbox's approve button. */
export async function createPaidOrder(
  server: { url: string },
  api: PayApi,
  fields: Record<string, unknown> = {},
): Promise<{ orderId: string; trxId: string }> {
  const order = await createOrder(api, fields);
  await openPage(server, paymentTokenOf(order)).act("sandbox-approve");
  const { trx_id } = await getOrder(api, order.order_id);
  if (!trx_id) throw new Error("the order was not paid");
  return { orderId: order.order_id, trxId: trx_id };
}

export const paymentTokenOf = (order: Order): string => {
  const token = (order.payment_url ?? order.qr_data ?? "").split("/pay/")[1];
  if (!token) throw new Error(`order ${order.order_id} has no payment page URL`);
  return token;
};

/** Moves an order's expiry into the past. The order remains PENDING. */
export async function makeOverdue({ database }: Sandbox, orderId: string): Promise<void> {
  await database.pool.query(
    "UPDATE orders SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1",
    [orderId],
  );
}
