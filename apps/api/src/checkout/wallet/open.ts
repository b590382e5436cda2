import { ErrorCode, type Mode } from "@tillgate/contract";
import { hashPassword } from "@tillgate/database";
import type { Currency } from "@tillgate/money";
import { isDuplicate } from "../../audit/change.js";
import type { Context } from "../../context.js";
import { invalidField, OperationError } from "../../errors.js";
import { readEmail } from "../../identity/email.js";
import { consumeSandboxAccountLimit, requireSandbox } from "../../identity/shoppers/read.js";
import { findOpenCurrency } from "../../money/currencies.js";
import { topUp } from "../../money/wallets/top-up.js";
import { readAmount } from "../../pagination/amounts.js";
import { requirePhone } from "../../platform/phone-numbers.js";
import { requireStrongPin } from "./pins.js";

export type NewShopper = {
  mode: Mode;
  name: string;
  phone: string | undefined;
  email: string | undefined;
  pin: string;
  /** Payment token of the order that the wallet is created for. */
  orderToken: string | undefined;
  currency: string;
  /** Initial balance of the wallet, not yet parsed. */
  amount: string | number | undefined;
  clientAddress: string;
};

export type CreatedShopper = { identifier: string; orderId: string | null };

/**
 * Creates a sandbox shopper with a wallet.
 * @throws OperationError SandboxOnly (also for a live order), TooManyAttempts, InvalidFields, TrivialPin, IdentifierTaken, OrderNotFound.
 */
export async function createShopper(context: Context, input: NewShopper): Promise<CreatedShopper> {
  const { mode, currency: code, amount } = input;
  requireSandbox(mode);
  const order = await findOrder(context, input.orderToken);
  const { phone, email, identifier } = readContact(input, order?.locale);
  requireStrongPin(input.pin);
  const currency = await findOpenCurrency(context, code);
  const minor = amount === undefined ? null : readAmount(amount, currency);
  await consumeSandboxAccountLimit(context, input.clientAddress);
  const id = await insertShopper(context, {
    mode,
    name: input.name.trim(),
    phone,
    email,
    pin: input.pin,
    currency,
  });
  if (minor !== null) await topUp(context, { id, mode }, { currency: code, minor, key: id });
  return { identifier, orderId: order?.id ?? null };
}

function readContact(
  { phone: typedPhone, email: typedEmail }: NewShopper,
  locale: string | null | undefined,
) {
  const phone = typedPhone === undefined ? null : requirePhone(typedPhone, locale);
  const email = typedEmail === undefined ? null : readEmail(typedEmail);
  if (typedEmail !== undefined && email === null) throw invalidField("email", "must be an e-mail address");
  const identifier = email ?? phone;
  if (identifier === null) throw invalidField("email", "is required without a phone number");
  return { phone, email, identifier };
}

async function findOrder({ database }: Context, token: string | undefined) {
  if (token === undefined) return null;
  const order = await database.prisma.order.findUnique({
    where: { token },
    select: { id: true, mode: true, locale: true },
  });
  if (!order) throw new OperationError(ErrorCode.OrderNotFound);
  requireSandbox(order.mode);
  return order;
}

type Inserted = {
  mode: Mode;
  name: string;
  phone: string | null;
  email: string | null;
  pin: string;
  currency: Currency;
};

async function insertShopper(
  { database: { prisma } }: Context,
  { pin, currency, ...user }: Inserted,
): Promise<string> {
  const pinHash = await hashPassword(pin);
  const wallet = { mode: user.mode, currency: currency.code, kind: "shopper" as const, balance: 0n };
  try {
    return await prisma.$transaction(async (tx) => {
      const { id } = await tx.walletUser.create({ data: { ...user, pinHash } });
      await tx.account.create({ data: { ...wallet, walletUserId: id } });
      return id;
    });
  } catch (error) {
    throw isDuplicate(error) ? new OperationError(ErrorCode.IdentifierTaken) : error;
  }
}
