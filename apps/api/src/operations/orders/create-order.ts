import type { CreateOrderRequest } from "@tillgate/contract";
import { ledger, type OrderModel } from "@tillgate/database";
import type { Currency } from "@tillgate/money";
import { traceparent } from "@tillgate/service/tracing";
import type { Context } from "../../context.js";
import type { Client } from "../../credentials/authenticate-client.js";
import type { IdSpaces } from "../../ids/id-spaces.js";
import { newPaymentToken } from "../../ids/payment-token.js";
import { callLedger, callLedgerSet } from "../../ledger/call.js";
import { metadataText } from "../../readers/metadata.js";
import { requestHash } from "../../readers/request-hash.js";
import { inSets } from "../../sets/in-sets.js";
import type { SetWork } from "../../sets/set-work.js";
import { expireWhenOverdue } from "./expire-order.js";
import { judgeOrder } from "./judge-order.js";

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
  requestId: string,
): Promise<CreatedOrder> {
  const money = await judgeOrder(context, client, request);
  const { idempotency_key: key, amount: _amount, currency: _currency, ...fields } = request;
  return writeOrder(context, client, { operation: "create_order", key, requestId }, { ...fields, ...money });
}

/** By which request, and how often, an order is made. Idempotency keys of the two ways to make one do not meet. */
type Once = { operation: "create_order" | "create_payment"; key: string | undefined; requestId: string };

/** A decided order to be written. */
type OrderToWrite = {
  client: Client;
  once: Once;
  order: NewOrder & { traceparent: string | null };
  hash: Buffer;
};

/** Writes a decided order, or finds the one that the key made before. */
export const writeOrder = (
  context: Context,
  client: Client,
  once: Once,
  order: NewOrder,
): Promise<CreatedOrder> => {
  const { currency, ...fields } = order;
  const hash = requestHash({ ...fields, currency: currency.code });
  return inSets(context, orderSets, { client, once, order: { ...order, traceparent: traceparent() }, hash });
};

/** Orders of many callers are written together. */
const orderSets: SetWork<OrderToWrite, CreatedOrder> = {
  laneOf: ({ client }) => `${client.mode} ${client.merchantId}`,
  claimsOf: ({ client, once }) =>
    once.key === undefined ? [] : [`${client.mode} ${client.merchantId} ${once.operation} ${once.key}`],
  isKeyed: ({ once }) => once.key !== undefined,
  together: (context, items) => callLedgerSet(context, orderCall, items, () => null),
  async alone(context, item) {
    const { result, replayed } = await callLedger(context, orderCall.called, () =>
      orderCall.named(context.memory.ids, item),
    );
    return { order: replayed ? await expireWhenOverdue(context, result) : result, replayed };
  },
};

const orderCall = {
  called: ledger.createOrders,
  named: (ids: IdSpaces, { client, once, order, hash }: OrderToWrite) => ({
    id: ids.order.next(client.merchantId),
    token: newPaymentToken(),
    merchantId: client.merchantId,
    mode: client.mode,
    credentialId: client.credentialId,
    amount: order.amount,
    currency: order.currency.code,
    paymentMethod: order.payment_method,
    reference: order.reference ?? null,
    description: order.description ?? null,
    terminalId: order.terminal_id ?? null,
    orderNumber: order.order_number ?? null,
    custom: order.custom ?? null,
    callbackUrl: order.callback_url ?? null,
    returnUrl: order.return_url ?? null,
    cancelUrl: order.cancel_url ?? null,
    expiresInSeconds: order.expires_in,
    operation: once.operation,
    idempotencyKey: once.key ?? null,
    requestHash: hash,
    metadata: metadataText(order.metadata),
    locale: order.locale ?? null,
    requestId: once.requestId,
    traceparent: order.traceparent,
  }),
  idOf: ({ id }: { id: string }) => id,
  answered: ({ result, replayed }: { result: OrderModel; replayed: boolean }) => ({
    id: result.id,
    done: { order: result, replayed },
  }),
};
