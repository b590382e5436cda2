import type { CreatePaymentRequest } from "@tillgate/contract";
import type { Context } from "../../context.js";
import type { Client } from "../authenticate-client.js";
import { type CreatedOrder, readCurrency, writeOrder } from "../create-order.js";
import { readAmount } from "../read-amount.js";

/**
 * Creates a payment (`POST /payment/create`): an order like any other, without a `callback_url`. Its amount is rounded to
 * two decimals, half up, before the currency's digits are looked at.
 * @throws OperationError InvalidFields (amount, currency), IdempotencyKeyReused.
 */
export async function createPayment(
  context: Context,
  client: Client,
  request: CreatePaymentRequest,
): Promise<CreatedOrder> {
  const currency = await readCurrency(context, request.currency);
  return writeOrder(
    context,
    client,
    { operation: "create_payment", key: request.idempotency_key },
    {
      amount: readAmount(request.amount, currency, { roundToTwoDecimalsFirst: true }),
      currency,
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
    },
  );
}
