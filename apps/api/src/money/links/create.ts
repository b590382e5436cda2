import { randomUUID } from "node:crypto";
import {
  addDays,
  type ConsolePaymentLinkRequest,
  ErrorCode,
  FieldRule,
  MAX_PAYMENT_LINKS,
  startOfDay,
} from "@tillgate/contract";
import type { Currency } from "@tillgate/money";
import { changeWithAudit, recordChange } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { invalidField, OperationError } from "../../errors.js";
import type { ConsoleAccess } from "../../identity/console/access.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { amountError, readAmount } from "../../pagination/amounts.js";
import { createPaymentToken } from "../../platform/ids.js";
import { findCurrency } from "../currencies.js";
import { type PaymentLinkModel, requirePaymentLink } from "./read.js";

const AMOUNTS = ["amount", "min_amount", "max_amount"] as const;
type Amounts = Record<(typeof AMOUNTS)[number], bigint | null>;

/** @param timeZone in which the link's last day ends. @throws OperationError InvalidFields, TooManyPaymentLinks. */
export async function createPaymentLink(
  context: Context,
  { merchantId, mode, by }: MerchantScope & Pick<ConsoleAccess, "by">,
  fields: ConsolePaymentLinkRequest,
  timeZone: string,
): Promise<PaymentLinkModel> {
  const currency = await findCurrency(context, fields.currency);
  if (currency === undefined) throw invalidField("currency", FieldRule.OwnCurrency.text);
  const amounts = readAmounts(currency, fields);
  const expiresAt = endOfDay(fields.expires_on, timeZone);
  const id = randomUUID();
  return changeWithAudit(context, {}, async (tx) => {
    // Serializes the merchant's calls, so that concurrent calls cannot exceed the link limit.
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`payment links of ${mode} ${merchantId}`}, 0))::text`;
    if ((await tx.paymentLink.count({ where: { merchantId, mode } })) >= MAX_PAYMENT_LINKS)
      throw new OperationError(ErrorCode.TooManyPaymentLinks);
    const wallet = { merchantId, mode, currency: currency.code, kind: "merchant", closedAt: null } as const;
    if ((await tx.account.count({ where: wallet })) === 0)
      throw invalidField("currency", FieldRule.OwnCurrency.text);
    const link = await tx.paymentLink.create({
      data: {
        id,
        merchantId,
        mode,
        token: createPaymentToken(),
        description: fields.description,
        currency: currency.code,
        amount: amounts.amount,
        minAmount: amounts.min_amount,
        maxAmount: amounts.max_amount,
        maxUses: fields.max_uses ?? null,
        expiresAt,
        createdById: by.id,
      },
    });
    await recordChange(tx, {
      administrator: by,
      merchantId,
      action: "payment_link.create",
      subject: id,
      details: {
        mode,
        description: fields.description,
        currency: currency.code,
        ...Object.fromEntries(AMOUNTS.map((name) => [name, amounts[name]?.toString() ?? null])),
        max_uses: fields.max_uses ?? null,
        expires_on: fields.expires_on ?? null,
      },
    });
    return link;
  });
}

function readAmounts(currency: Currency, fields: ConsolePaymentLinkRequest): Amounts {
  const readField = (name: (typeof AMOUNTS)[number]): bigint | null => {
    const value = fields[name];
    if (value === undefined) return null;
    const error = amountError(value, currency);
    if (error !== undefined) throw invalidField(name, error);
    return readAmount(value, currency);
  };
  const amounts = {
    amount: readField("amount"),
    min_amount: readField("min_amount"),
    max_amount: readField("max_amount"),
  };
  if (amounts.amount !== null)
    for (const name of ["min_amount", "max_amount"] as const)
      if (amounts[name] !== null) throw invalidField(name, "must be omitted if the amount is fixed");
  if (amounts.min_amount !== null && amounts.max_amount !== null && amounts.max_amount < amounts.min_amount)
    throw invalidField("max_amount", "must not be less than the minimum amount");
  return amounts;
}

/** Returns the end of the day; null without a day. @throws OperationError InvalidFields if the day is over. */
function endOfDay(day: string | undefined, timeZone: string): Date | null {
  if (day === undefined) return null;
  const end = startOfDay(addDays(day), timeZone);
  if (end.getTime() <= Date.now()) throw invalidField("expires_on", "must not be in the past");
  return end;
}

/**
 * Closes or reopens a payment link. Orders of a closed link can still be paid unless the link is used up.
 * @throws OperationError PaymentLinkNotFound.
 */
export async function setPaymentLinkClosed(
  context: Context,
  { merchantId, mode, by, linkId }: MerchantScope & Pick<ConsoleAccess, "by"> & { linkId: string },
  closed: boolean,
): Promise<PaymentLinkModel> {
  const { id } = await requirePaymentLink(context, { merchantId, mode }, linkId);
  return changeWithAudit(context, {}, async (tx) => {
    const { count } = await tx.paymentLink.updateMany({
      where: { id, closedAt: closed ? null : { not: null } },
      data: { closedAt: closed ? new Date() : null },
    });
    if (count > 0)
      await recordChange(tx, {
        administrator: by,
        merchantId,
        action: closed ? "payment_link.close" : "payment_link.open",
        subject: id,
        details: { mode },
      });
    return tx.paymentLink.findUniqueOrThrow({ where: { id } });
  });
}
