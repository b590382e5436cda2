import {
  type CreateOrderRequest,
  ErrorCode,
  type FieldErrors,
  FieldRule,
  fieldError,
} from "@tillgate/contract";
import { ledger, type OrderModel } from "@tillgate/database";
import type { Currency, ParseAmountOptions } from "@tillgate/money";
import { traceparent } from "@tillgate/service/tracing";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { BlockedAddressError, isLocalName, parseEndpointUrl } from "../../events/outbox/address-guard.js";
import type { Client } from "../../identity/credentials/authenticate.js";
import { callLedger, callLedgerGroup } from "../../ledger/call.js";
import { type GroupedWork, runGrouped } from "../../ledger/group-commit.js";
import { amountError, readAmount } from "../../pagination/amounts.js";
import { serializeMetadata } from "../../pagination/metadata.js";
import { createPaymentToken, type IdSpaces } from "../../platform/ids.js";
import { requestHash } from "../../platform/request-hash.js";
import { findCurrency } from "../currencies.js";
import { expireWhenOverdue } from "./expire.js";

/** Fields that the contract alone cannot validate. */
type CheckedFields = Pick<
  CreateOrderRequest,
  "amount" | "currency" | "callback_url" | "return_url" | "cancel_url"
>;

/** Checks the fields that are present. @returns the errors by field. */
export async function checkOrderFields(
  context: Context,
  client: Client,
  fields: Partial<CheckedFields>,
  options: ParseAmountOptions = {},
): Promise<FieldErrors> {
  const currency = fields.currency === undefined ? undefined : await findCurrency(context, fields.currency);
  const owned = currency !== undefined && (await hasWallet(context, client, currency));
  const rules: Partial<Record<keyof CheckedFields, string | undefined>> = {
    amount: fields.amount === undefined ? undefined : amountError(fields.amount, currency, options),
    currency: fields.currency === undefined || owned ? undefined : FieldRule.OwnCurrency.text,
    ...checkAddresses(context, client, fields),
  };
  const errors = Object.entries(rules).flatMap(([name, rule]) => (rule ? [[name, rule] as const] : []));
  return Object.fromEntries(errors.map(([name, rule]) => [name, [fieldError(name, rule)]]));
}

/**
 * Validates the amount, the currency and the URLs. Writing the order also requires an active currency in which the merchant has an open wallet.
 * @returns the amount in minor units.
 * @throws OperationError InvalidFields, naming every invalid field.
 */
export async function validateOrder(
  context: Context,
  client: Client,
  fields: CheckedFields,
  options: ParseAmountOptions = {},
): Promise<{ amount: bigint; currency: Currency }> {
  const currency = await findCurrency(context, fields.currency);
  const isValid =
    currency !== undefined &&
    amountError(fields.amount, currency, options) === undefined &&
    Object.keys(checkAddresses(context, client, fields)).length === 0;
  if (!isValid)
    throw new OperationError(ErrorCode.InvalidFields, {
      fields: await checkOrderFields(context, client, fields, options),
    });
  return { amount: readAmount(fields.amount, currency, options), currency };
}

async function hasWallet(
  { database: { prisma } }: Context,
  { merchantId, mode }: Client,
  currency: Currency,
): Promise<boolean> {
  const wallet = { merchantId, mode, currency: currency.code, kind: "merchant", closedAt: null } as const;
  return (await prisma.account.count({ where: wallet })) > 0;
}

/** Checks a live order's URLs, which must be https, and its callback, which must be public. Delivery resolves and checks host names. */
function checkAddresses(
  { config }: Context,
  { mode }: Client,
  fields: Partial<CheckedFields>,
): Partial<Record<keyof CheckedFields, string>> {
  if (mode !== "live") return {};
  const errors: Partial<Record<keyof CheckedFields, string>> = {};
  for (const field of ["callback_url", "return_url", "cancel_url"] as const)
    if (fields[field] !== undefined && !/^https:/i.test(fields[field]))
      errors[field] = FieldRule.HttpsInLive.text;
  const { callback_url: address } = fields;
  if (
    address !== undefined &&
    errors.callback_url === undefined &&
    !isDeliverable(address, config.privateWebhookAddresses)
  )
    errors.callback_url = FieldRule.PublicAddress.text;
  return errors;
}

function isDeliverable(address: string, privateAllowed: boolean): boolean {
  try {
    const { hostname } = parseEndpointUrl({ address, mode: "live", privateAllowed });
    return privateAllowed || !isLocalName(hostname);
  } catch (error) {
    if (error instanceof BlockedAddressError) return false;
    throw error;
  }
}

/** `amount` is in minor units of `currency`, `expires_in` in seconds. */
export type NewOrder = Omit<CreateOrderRequest, "amount" | "currency" | "idempotency_key"> & {
  amount: bigint;
  currency: Currency;
  order_number?: string | undefined;
  custom?: string | undefined;
};

/** `replayed`: whether an earlier request with this idempotency key created the order. */
export type CreatedOrder = { order: OrderModel; replayed: boolean };

/** Creates an order. Emits no event. @throws OperationError InvalidFields (amount, currency, addresses), IdempotencyKeyReused. */
export async function createOrder(
  context: Context,
  client: Client,
  request: CreateOrderRequest,
  requestId: string,
): Promise<CreatedOrder> {
  const money = await validateOrder(context, client, request);
  const { idempotency_key: key, amount: _amount, currency: _currency, ...fields } = request;
  return writeOrder(context, client, { operation: "create_order", key, requestId }, { ...fields, ...money });
}

/** The idempotency keys of the two operations are independent. */
type CreationKey = {
  operation: "create_order" | "create_payment";
  key: string | undefined;
  requestId: string;
};

type OrderToWrite = {
  client: Client;
  once: CreationKey;
  order: NewOrder & { traceparent: string | null };
  hash: Buffer;
};

/** @throws OperationError IdempotencyKeyReused; InvalidFields if the currency is inactive or the merchant has no open wallet in it. */
export const writeOrder = (
  context: Context,
  client: Client,
  once: CreationKey,
  order: NewOrder,
): Promise<CreatedOrder> => {
  const { currency, ...fields } = order;
  const hash = requestHash({ ...fields, currency: currency.code });
  return runGrouped(context, groupedOrders, {
    client,
    once,
    order: { ...order, traceparent: traceparent() },
    hash,
  });
};

const groupedOrders: GroupedWork<OrderToWrite, CreatedOrder> = {
  partitionOf: ({ client }) => `${client.mode} ${client.merchantId}`,
  conflictKeysOf: ({ client, once }) =>
    once.key === undefined ? [] : [`${client.mode} ${client.merchantId} ${once.operation} ${once.key}`],
  isKeyed: ({ once }) => once.key !== undefined,
  runGroup: (context, items) => callLedgerGroup(context, orderCall, items, () => null),
  async runOne(context, item) {
    const { result, replayed } = await callLedger(context, orderCall.ledgerFunction, () =>
      orderCall.createArguments(context.memory.ids, item),
    );
    return { order: replayed ? await expireWhenOverdue(context, result) : result, replayed };
  },
};

const orderCall = {
  ledgerFunction: ledger.createOrders,
  createArguments: (ids: IdSpaces, { client, once, order, hash }: OrderToWrite) => ({
    id: ids.order.next(client.merchantId),
    token: createPaymentToken(),
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
    metadata: serializeMetadata(order.metadata),
    locale: order.locale ?? null,
    requestId: once.requestId,
    traceparent: order.traceparent,
  }),
  idOf: ({ id }: { id: string }) => id,
  toDone: ({ result, replayed }: { result: OrderModel; replayed: boolean }) => ({
    id: result.id,
    done: { order: result, replayed },
  }),
};
