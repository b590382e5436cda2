import {
  type CreateOrderRequest,
  type FieldErrors,
  FieldRule,
  fieldError,
  Refusal,
} from "@tillgate/contract";
import type { Currency, ParseAmountOptions } from "@tillgate/money";
import type { Context } from "../../context.js";
import type { Client } from "../../credentials/authenticate-client.js";
import { OperationError } from "../../operation-error.js";
import { isLocalName, RefusedAddressError, receiverUrl } from "../../outbox/address-guard.js";
import { readAmount, wrongAmount } from "../../readers/amounts.js";
import { findCurrency } from "../../readers/currencies.js";

/** The fields of an order that the contract alone cannot judge. */
type Judged = Pick<CreateOrderRequest, "amount" | "currency" | "callback_url" | "return_url" | "cancel_url">;

/**
 * What is wrong with well-formed fields of an order: the currency by the account's wallets, the amount by the currency, the
 * addresses by the mode. Fields may be missing; the others are still judged.
 */
export async function wrongOrderFields(
  context: Context,
  client: Client,
  fields: Partial<Judged>,
  options: ParseAmountOptions = {},
): Promise<FieldErrors> {
  const currency = fields.currency === undefined ? undefined : await findCurrency(context, fields.currency);
  const owned = currency !== undefined && (await hasWallet(context, client, currency));
  const rules: Partial<Record<keyof Judged, string | undefined>> = {
    amount: fields.amount === undefined ? undefined : wrongAmount(fields.amount, currency, options),
    currency: fields.currency === undefined || owned ? undefined : FieldRule.OwnCurrency.text,
    ...wrongAddresses(context, client, fields),
  };
  const found = Object.entries(rules).flatMap(([name, rule]) => (rule ? [[name, rule] as const] : []));
  return Object.fromEntries(found.map(([name, rule]) => [name, [fieldError(name, rule)]]));
}

/**
 * Reads amount and currency of a complete order, and checks its addresses. The write checks again that the account has an
 * open wallet in the currency.
 * @returns the amount in minor units of the currency.
 * @throws OperationError InvalidFields, naming every wrong field.
 */
export async function judgeOrder(
  context: Context,
  client: Client,
  fields: Judged,
  options: ParseAmountOptions = {},
): Promise<{ amount: bigint; currency: Currency }> {
  const currency = await findCurrency(context, fields.currency);
  const right =
    currency !== undefined &&
    wrongAmount(fields.amount, currency, options) === undefined &&
    Object.keys(wrongAddresses(context, client, fields)).length === 0;
  if (!right)
    throw new OperationError(Refusal.InvalidFields, {
      fields: await wrongOrderFields(context, client, fields, options),
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

/**
 * Checks addresses of live orders: https, and a callback only to public addresses. They are refused here, because a refused
 * delivery has no caller to tell. Delivery resolves and checks names again.
 */
function wrongAddresses(
  { config }: Context,
  { mode }: Client,
  fields: Partial<Judged>,
): Partial<Record<keyof Judged, string>> {
  if (mode !== "live") return {};
  const wrong: Partial<Record<keyof Judged, string>> = {};
  for (const field of ["callback_url", "return_url", "cancel_url"] as const)
    if (fields[field] !== undefined && !/^https:/i.test(fields[field]))
      wrong[field] = FieldRule.HttpsInLive.text;
  const { callback_url: address } = fields;
  if (
    address !== undefined &&
    wrong.callback_url === undefined &&
    !isDeliverable(address, config.privateWebhookAddresses)
  )
    wrong.callback_url = FieldRule.PublicAddress.text;
  return wrong;
}

function isDeliverable(address: string, privateAllowed: boolean): boolean {
  try {
    const { hostname } = receiverUrl({ address, mode: "live", privateAllowed });
    return privateAllowed || !isLocalName(hostname);
  } catch (error) {
    if (error instanceof RefusedAddressError) return false;
    throw error;
  }
}
