import { type CreatePaymentRequest, ErrorCode, type FieldErrors } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import type { Client } from "../identity/credentials/authenticate.js";
import { type CreatedOrder, checkOrderFields, validateOrder, writeOrder } from "./orders/create.js";
import { expireWhenOverdue } from "./orders/expire.js";

const ROUNDED = { roundToTwoDecimalsFirst: true };

/** Checks the fields that are present. @returns the errors by field. */
export const checkPaymentFields = (
  context: Context,
  client: Client,
  fields: Partial<CreatePaymentRequest>,
): Promise<FieldErrors> => checkOrderFields(context, client, fields, ROUNDED);

/**
 * Creates a payment, which is an order without a `callback_url`. The amount is rounded to two decimals, half up, before any other check.
 * @throws OperationError InvalidFields (amount, currency, return and cancel URL), IdempotencyKeyReused.
 */
export async function createPayment(
  context: Context,
  client: Client,
  request: CreatePaymentRequest,
  requestId: string,
): Promise<CreatedOrder> {
  const money = await validateOrder(context, client, request, ROUNDED);
  return writeOrder(
    context,
    client,
    { operation: "create_payment", key: request.idempotency_key, requestId },
    {
      ...money,
      payment_method: "both",
      reference: undefined,
      description: request.product_name,
      terminal_id: undefined,
      order_number: request.order_number,
      custom: request.custom,
      callback_url: undefined,
      return_url: request.return_url,
      cancel_url: request.cancel_url,
      expires_in: request.expires_in,
      metadata: request.metadata,
      locale: request.locale,
    },
  );
}

/**
 * Finds a payment by token, and sets it to EXPIRED if overdue before returning it.
 * @throws OperationError OrderNotFound, including for another merchant's or mode's payment.
 */
export async function getPayment(context: Context, client: Client, token: string): Promise<OrderModel> {
  const order = await context.database.prisma.order.findFirst({
    where: { token, merchantId: client.merchantId, mode: client.mode },
  });
  if (!order) throw new OperationError(ErrorCode.OrderNotFound);
  return expireWhenOverdue(context, order);
}
