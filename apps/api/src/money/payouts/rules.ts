import { ErrorCode, FieldRule, fieldError } from "@tillgate/contract";
import type { Currency } from "@tillgate/money";
import type { Context } from "../../context.js";
import { invalidField, OperationError } from "../../errors.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { consumeRequestLimit } from "../../identity/credentials/limits.js";
import { readAmount } from "../../pagination/amounts.js";
import type { Allowance } from "../../platform/rate-limits.js";
import { findCurrency } from "../currencies.js";
import { type PayoutFacts, type PayoutInput, type PayoutPrice, pricePayout } from "./facts.js";

/** `amount` is in minor units of the sender currency. */
export type ValidatedPayout = PayoutPrice & {
  amount: bigint;
  sender: Currency;
  receiver: Currency;
  quoteId: string | null;
  walletUserId: string;
  recipientAccountId: string;
  terms: NonNullable<PayoutFacts["terms"]>;
};

/** Returns the terms that a quote stores and a payout books. Amounts are in minor units of their currencies. */
export const toBookedTerms = ({ amount, sender, fee, rate, receiverAmount, receiver }: ValidatedPayout) => ({
  amount,
  senderCurrency: sender.code,
  fee,
  rate,
  receiverAmount,
  receiverCurrency: receiver.code,
});

/**
 * Validates and prices the payout: with a quote, at the quoted price; otherwise at the current rate and fee.
 * @param noWallet the error if the recipient has no wallet in the receiver currency.
 * @throws OperationError, in this order: InvalidFields (invalid amount), DuplicateReference, InvalidQuote, InvalidFields (fields that differ
 * from the quote), InvalidLookupToken, RecipientInactive, MerchantWalletNotFound, InvalidReceiverCurrency, `noWallet`, CurrencyNotAuthorized,
 * InvalidFields (amount worth less than one minor unit of the receiver currency, or more than the maximum).
 */
export async function validatePayout(
  context: Context,
  facts: PayoutFacts,
  request: PayoutInput,
  noWallet: ErrorCode,
): Promise<ValidatedPayout> {
  const { quote, recipient, sender, receiver, merchantWallet, recipientWallet, terms } = facts;
  const sent = await readSent(context, facts, request);
  if (facts.referenceTaken) throw new OperationError(ErrorCode.DuplicateReference);
  if (request.quote_id !== undefined) {
    if (!quote) throw new OperationError(ErrorCode.InvalidQuote);
    rejectDifferentTerms({ ...facts, quote }, request, sent);
  }
  if (!recipient) throw new OperationError(ErrorCode.InvalidLookupToken);
  if (!recipient.active) throw new OperationError(ErrorCode.RecipientInactive);
  if (!merchantWallet || !sender?.active)
    throw new OperationError(ErrorCode.MerchantWalletNotFound, {
      currency: sender?.code ?? request.sender_currency,
    });
  const rate = quote?.rate ?? facts.rate;
  if (!receiver?.active || rate === null) throw new OperationError(ErrorCode.InvalidReceiverCurrency);
  if (!recipientWallet) throw new OperationError(noWallet, { currency: receiver.code });
  if (!terms) throw new OperationError(ErrorCode.CurrencyNotAuthorized, { currency: sender.code });
  const amount = quote?.amount ?? sent?.amount;
  if (amount === undefined)
    throw new Error("a payout request without a quote passed validation without an amount");
  const price = quote ?? pricePayout({ amount, sender, receiver, fee: facts.fee, rate });
  if (!price) throw invalidField("amount", FieldRule.WorthAUnit.text);
  return {
    amount,
    sender,
    receiver,
    fee: price.fee,
    rate: price.rate,
    receiverAmount: price.receiverAmount,
    quoteId: quote?.id ?? null,
    walletUserId: recipient.id,
    recipientAccountId: recipientWallet,
    terms,
  };
}

/** `amount` is in minor units of `currency`. */
type SentAmount = { amount: bigint; currency: Currency };

/**
 * Parses the amount. For an unknown currency, which causes another error later, only an amount that no currency could represent is rejected.
 * @returns null without an amount, or for an unknown currency.
 */
async function readSent(
  context: Context,
  { sender }: PayoutFacts,
  { amount: text, sender_currency: code }: PayoutInput,
): Promise<SentAmount | null> {
  if (text === undefined) return null;
  const currency = code === undefined || code === sender?.code ? sender : await findCurrency(context, code);
  if (currency) return { amount: readAmount(text, currency), currency };
  readAmount(text, undefined);
  return null;
}

function rejectDifferentTerms(
  { quote, recipient, sender, receiver, tokenRecipientId }: PayoutFacts & { quote: { amount: bigint } },
  request: PayoutInput,
  sent: SentAmount | null,
): void {
  const differs = {
    amount:
      sent !== null && sender !== null && !isSameValue(sent, { amount: quote.amount, currency: sender }),
    sender_currency: request.sender_currency !== undefined && request.sender_currency !== sender?.code,
    receiver_currency:
      request.receiver_currency !== undefined && request.receiver_currency !== receiver?.code,
    lookup_token: request.lookup_token !== undefined && tokenRecipientId !== recipient?.id,
  };
  const fields = Object.entries(differs).flatMap(([field, is]) =>
    is ? [[field, [fieldError(field, FieldRule.AsInQuote.text)]]] : [],
  );
  if (fields.length > 0)
    throw new OperationError(ErrorCode.InvalidFields, { fields: Object.fromEntries(fields) });
}

/** Returns whether the amounts have the same value, regardless of the currencies' decimal places. */
const isSameValue = (first: SentAmount, second: SentAmount): boolean =>
  first.amount * 10n ** BigInt(second.currency.digits) ===
  second.amount * 10n ** BigInt(first.currency.digits);

/**
 * Checks that the merchant may make payouts, and counts the call against the merchant's rate limit. The caller must enforce the returned allowance.
 * @throws OperationError MerchantSuspended, PartnerApiDisabled.
 */
export async function requirePayouts(context: Context, scope: MerchantScope): Promise<Allowance> {
  const requestsPerMinute = await requirePayoutsOn(context, scope);
  return consumeRequestLimit(context, "partner", { ...scope, requestsPerMinute });
}

/**
 * Checks that the merchant may make payouts.
 * @returns the merchant's custom limit in requests per minute; null for the default.
 * @throws OperationError MerchantSuspended, PartnerApiDisabled.
 */
export async function requirePayoutsOn(
  { database: { prisma } }: Context,
  { merchantId }: MerchantScope,
): Promise<number | null> {
  const { suspendedAt, partnerApiEnabled, partnerRequestsPerMinute } =
    await prisma.merchant.findUniqueOrThrow({
      where: { id: merchantId },
      select: { suspendedAt: true, partnerApiEnabled: true, partnerRequestsPerMinute: true },
    });
  if (suspendedAt) throw new OperationError(ErrorCode.MerchantSuspended);
  if (!partnerApiEnabled) throw new OperationError(ErrorCode.PartnerApiDisabled);
  return partnerRequestsPerMinute;
}
