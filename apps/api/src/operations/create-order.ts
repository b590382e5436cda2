import { type CreateOrderRequest, fieldError } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Context } from "../context.js";
import { callLedger } from "../ledger/call.js";
import { type OrderRow, orderFromRow } from "../ledger/rows.js";
import type { Client } from "./authenticate-client.js";
import { findCurrency } from "./currencies.js";
import { OperationError, Refusal } from "./errors.js";
import { expireWhenOverdue } from "./expire-order.js";
import { newOrderId, newPaymentToken } from "./ids.js";
import { readAmount } from "./read-amount.js";
import { requestHash } from "./request-hash.js";

/** The order, and whether an earlier request with this idempotency key had made it. */
export type CreatedOrder = { order: OrderModel; replayed: boolean };

/**
 * Creates a payment order (`POST /orders`). There is no event for creation.
 * @throws OperationError InvalidFields (amount, currency, callback_url), IdempotencyKeyReused.
 */
export async function createOrder(
  context: Context,
  client: Client,
  request: CreateOrderRequest,
): Promise<CreatedOrder> {
  const currency = await findCurrency(context, request.currency);
  if (!currency)
    throw new OperationError(Refusal.InvalidFields, {
      fields: { currency: [fieldError("currency", "must be a currency of one of your wallets")] },
    });
  if (
    client.mode === "live" &&
    request.callback_url &&
    !request.callback_url.toLowerCase().startsWith("https:")
  )
    throw new OperationError(Refusal.InvalidFields, {
      fields: { callback_url: [fieldError("callback_url", "must be an https address in live mode")] },
    });
  const amount = readAmount(request.amount, currency);
  const { idempotency_key: key, amount: _asSent, ...fields } = request;
  const hash = requestHash({ ...fields, amount });
  const row = await callLedger<OrderRow & { replayed: boolean }>(
    context,
    `SELECT created.replayed, (created.result).* FROM create_order(
       $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, NULL, NULL, $12, $13, $14, $15, $16, $17) AS created`,
    () => [
      newOrderId(new Date()),
      newPaymentToken(),
      client.merchantId,
      client.mode,
      client.credentialId,
      amount,
      currency.code,
      request.payment_method,
      request.reference ?? null,
      request.description ?? null,
      request.terminal_id ?? null,
      request.callback_url ?? null,
      request.return_url ?? null,
      request.cancel_url ?? null,
      request.expires_in,
      key ?? null,
      hash,
    ],
  );
  const order = orderFromRow(row);
  return { order: row.replayed ? await expireWhenOverdue(context, order) : order, replayed: row.replayed };
}
