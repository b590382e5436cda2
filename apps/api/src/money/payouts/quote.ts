import { ErrorCode, type FieldErrors, fieldError, type Mode, type QuoteRequest } from "@tillgate/contract";
import type { QuoteModel } from "@tillgate/database";
import type { Currency } from "@tillgate/money";
import { queryOneRow } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { amountError } from "../../pagination/amounts.js";
import { findCurrency } from "../currencies.js";
import { type PayoutInput, readPayoutFacts } from "./facts.js";
import { countUnknownRecipient, requireLookupBudget } from "./lookup.js";
import { toBookedTerms, type ValidatedPayout, validatePayout } from "./rules.js";

// A missing limit is null. Usage is 0 if nothing has been paid out in the current UTC day or month.
const REMAINING_LIMITS = `
  SELECT t.per_transaction AS "perTransaction", t.daily, t.monthly, a.balance, coalesce(d.amount, 0) AS "usedToday",
    coalesce(m.amount, 0) AS "usedThisMonth"
  FROM accounts a
  JOIN payout_terms t ON (t.merchant_id, t.mode, t.currency) = (a.merchant_id, a.mode, a.currency)
  LEFT JOIN payout_usage d ON (d.merchant_id, d.mode, d.currency, d.period) = (t.merchant_id, t.mode, t.currency, 'day')
    AND d.starts_on = date_trunc('day', clock_timestamp() AT TIME ZONE 'UTC')::date
  LEFT JOIN payout_usage m ON (m.merchant_id, m.mode, m.currency, m.period) = (t.merchant_id, t.mode, t.currency, 'month')
    AND m.starts_on = date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date
  WHERE a.merchant_id = $1 AND a.mode = $2 AND a.currency = $3 AND a.kind = 'merchant' AND a.closed_at IS NULL`;

const limit = z.bigint().nullable();
const roomSchema = z.object({
  perTransaction: limit,
  daily: limit,
  monthly: limit,
  balance: z.bigint(),
  usedToday: z.bigint(),
  usedThisMonth: z.bigint(),
});

/**
 * Checks limits and balance as of now. The ledger checks again when the payout is executed.
 * @throws OperationError PerTransactionLimitExceeded, DailyLimitExceeded, MonthlyLimitExceeded, InsufficientBalance.
 */
async function requirePayable(
  { database: { pool } }: Context,
  { merchantId, mode }: { merchantId: string; mode: Mode },
  { amount, fee, sender }: ValidatedPayout,
): Promise<void> {
  const room = await queryOneRow(pool, roomSchema, REMAINING_LIMITS, [merchantId, mode, sender.code]);
  const rejectAbove = (max: bigint | null, used: bigint, errorCode: ErrorCode) => {
    if (max !== null && used > max) throw new OperationError(errorCode);
  };
  rejectAbove(room.perTransaction, amount, ErrorCode.PerTransactionLimitExceeded);
  rejectAbove(room.daily, room.usedToday + amount, ErrorCode.DailyLimitExceeded);
  rejectAbove(room.monthly, room.usedThisMonth + amount, ErrorCode.MonthlyLimitExceeded);
  rejectAbove(room.balance, amount + fee, ErrorCode.InsufficientBalance);
}

/** Checks the amount of a request that has other invalid fields. @returns the errors by field. */
export async function checkPayoutFields(
  context: Context,
  { amount, sender_currency: sender }: Pick<PayoutInput, "amount" | "sender_currency">,
): Promise<FieldErrors> {
  if (amount === undefined) return {};
  const rule = amountError(amount, sender === undefined ? undefined : await findCurrency(context, sender));
  return rule === undefined ? {} : { amount: [fieldError("amount", rule)] };
}

export type QuoteWithCurrencies = { quote: QuoteModel; sender: Currency; receiver: Currency };

/**
 * Locks in the recipient, amount, rate and fee of a payout until the quote expires.
 * @param options.payable whether to reject a payout that currently exceeds a limit or the balance.
 * @throws OperationError TooManyUnknownRecipients; the errors of {@link validatePayout} (`noWallet`: RecipientHasNoWallet) and, if `payable`, of
 * {@link requirePayable}.
 */
export async function quotePayout(
  context: Context,
  partner: MerchantScope,
  request: QuoteRequest,
  { payable = false }: { payable?: boolean } = {},
): Promise<QuoteWithCurrencies> {
  const facts = await readPayoutFacts(context, partner, request);
  if (facts.tokenRecipientId === null) {
    await requireLookupBudget(context, partner);
    await countUnknownRecipient(context, partner);
  }
  const possible = await validatePayout(context, facts, request, ErrorCode.RecipientHasNoWallet);
  if (payable) await requirePayable(context, partner, possible);
  const quote = await context.database.prisma.quote.create({
    data: {
      merchantId: partner.merchantId,
      mode: partner.mode,
      walletUserId: possible.walletUserId,
      ...toBookedTerms(possible),
    },
  });
  return { quote, sender: possible.sender, receiver: possible.receiver };
}
