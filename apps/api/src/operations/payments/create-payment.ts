import type { CreatePaymentRequest, FieldErrors } from "@tillgate/contract";
import type { Context } from "../../context.js";
import type { Client } from "../../credentials/authenticate-client.js";
import { type CreatedOrder, writeOrder } from "../orders/create-order.js";
import { judgeOrder, wrongOrderFields } from "../orders/judge-order.js";

/** A payment's amount is rounded before any other check. */
const ROUNDED = { roundToTwoDecimalsFirst: true };

/** What is wrong with well-formed fields of a payment; fields may be missing. */
export const wrongPaymentFields = (
  context: Context,
  client: Client,
  fields: Partial<CreatePaymentRequest>,
): Promise<FieldErrors> => wrongOrderFields(context, client, fields, ROUNDED);

/**
 * Creates a payment (`POST /payment/create`): an order like any other, without a `callback_url`. Its amount is rounded to
 * two decimals, half up, before the currency's digits are looked at.
 * @throws OperationError InvalidFields (amount, currency), IdempotencyKeyReused.
 */
export async function createPayment(
  context: Context,
  client: Client,
  request: CreatePaymentRequest,
  requestId: string,
): Promise<CreatedOrder> {
  const money = await judgeOrder(context, client, request, ROUNDED);
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
