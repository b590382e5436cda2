import type { CreateOrderRequest } from "@tillgate/contract";
import type { OrderModel } from "@tillgate/database";
import type { Currency } from "@tillgate/money";
import type { Context } from "../context.js";
import { callLedger } from "../ledger/call.js";
import { type OrderRow, orderFromRow } from "../ledger/rows.js";
import type { Client } from "./authenticate-client.js";
import { expireWhenOverdue } from "./expire-order.js";
import { newOrderId, newPaymentToken } from "./ids.js";
import { judgeOrder } from "./judge-order.js";
import { metadataText } from "./metadata.js";
import { requestHash } from "./request-hash.js";

/** An order to be made: `amount` in minor units of `currency`, `expires_in` in seconds. */
export type NewOrder = Omit<CreateOrderRequest, "amount" | "currency" | "idempotency_key"> & {
  amount: bigint;
  currency: Currency;
  order_number?: string | undefined;
  custom?: string | undefined;
};

/** The order, and whether an earlier request with this idempotency key had made it. */
export type CreatedOrder = { order: OrderModel; replayed: boolean };

/**
 * Creates a payment order (`POST /orders`). There is no event for creation.
 * @throws OperationError InvalidFields (amount, currency, addresses), IdempotencyKeyReused.
 */
export async function createOrder(
  context: Context,
  client: Client,
  request: CreateOrderRequest,
): Promise<CreatedOrder> {
  const money = await judgeOrder(context, client, request);
  const { idempotency_key: key, amount: _amount, currency: _currency, ...fields } = request;
  return writeOrder(context, client, { operation: "create_order", key }, { ...fields, ...money });
}

/** Idempotency keys of the two ways to make an order do not meet. */
type Once = { operation: "create_order" | "create_payment"; key: string | undefined };

/** Writes a decided order, or finds the one that the key made before. */
export async function writeOrder(
  context: Context,
  client: Client,
  { operation, key }: Once,
  order: NewOrder,
): Promise<CreatedOrder> {
  const { currency, ...fields } = order;
  const hash = requestHash({ ...fields, currency: currency.code });
  const row = await callLedger<OrderRow & { replayed: boolean }>(
    context,
    `SELECT created.replayed, (created.result).* FROM create_order(
       $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22) AS created`,
    () => [
      newOrderId(new Date()),
      newPaymentToken(),
      client.merchantId,
      client.mode,
      client.credentialId,
      order.amount,
      currency.code,
      order.payment_method,
      order.reference ?? null,
      order.description ?? null,
      order.terminal_id ?? null,
      order.order_number ?? null,
      order.custom ?? null,
      order.callback_url ?? null,
      order.return_url ?? null,
      order.cancel_url ?? null,
      order.expires_in,
      operation,
      key ?? null,
      hash,
      metadataText(order.metadata),
      order.locale ?? null,
    ],
  );
  const written = orderFromRow(row);
  return {
    order: row.replayed ? await expireWhenOverdue(context, written) : written,
    replayed: row.replayed,
  };
}
