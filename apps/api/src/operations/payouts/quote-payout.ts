import { type FieldErrors, FieldRule, fieldError, type QuoteRequest, Refusal } from "@tillgate/contract";
import type { QuoteModel } from "@tillgate/database";
import type { Currency } from "@tillgate/money";
import type { Context } from "../../context.js";
import type { Partner } from "../../credentials/authenticate-partner.js";
import { OperationError, wrongField } from "../../operation-error.js";
import { readAmount, wrongAmount } from "../../readers/amounts.js";
import { findCurrency } from "../../readers/currencies.js";
import { type PayoutSituation, readPayoutSituation } from "./payout-situation.js";
import { type PayoutPrice, pricePayout } from "./price-payout.js";
import { recipientOfToken } from "./recipient-of-token.js";

/** The parts of a situation that a payout needs, none of them missing. */
export type PossiblePayout = PayoutPrice & {
  amount: bigint;
  sender: Currency;
  receiver: Currency;
  recipientAccountId: string;
  terms: NonNullable<PayoutSituation["terms"]>;
};

type Asked = { amount: number | string; sender: string; receiver: string };

/**
 * Decides whether a payout is possible, in the contract's order: merchant wallet, receiver currency and rate, recipient
 * wallet, authorised currency, amount.
 * @param noWallet what a recipient without the wallet is called differs between quote and payout.
 * @throws OperationError MerchantWalletNotFound, InvalidReceiverCurrency, `noWallet`, CurrencyNotAuthorized, InvalidFields.
 */
export function decidePayout(situation: PayoutSituation, asked: Asked, noWallet: Refusal): PossiblePayout {
  const {
    senderCurrency: sender,
    receiverCurrency: receiver,
    merchantWallet,
    recipientWallet,
    terms,
    rate,
  } = situation;
  if (!merchantWallet || !sender)
    throw new OperationError(Refusal.MerchantWalletNotFound, { currency: asked.sender });
  if (!receiver || rate === null) throw new OperationError(Refusal.InvalidReceiverCurrency);
  if (!recipientWallet) throw new OperationError(noWallet, { currency: asked.receiver });
  if (!terms) throw new OperationError(Refusal.CurrencyNotAuthorized, { currency: asked.sender });
  const amount = readAmount(asked.amount, sender);
  const price = pricePayout({ amount, sender, receiver, fee: situation.fee, rate });
  if (!price) throw wrongField("amount", FieldRule.WorthAUnit.text);
  return { ...price, amount, sender, receiver, recipientAccountId: recipientWallet.id, terms };
}

/**
 * Validation comes before all other checks. The digits of a currency that does not exist are unknown; what is told of it
 * follows in its own turn.
 * @throws OperationError InvalidFields naming `amount`.
 */
export async function refuseMalformedAmount(
  context: Context,
  asked: { amount: Asked["amount"]; sender?: string | undefined },
): Promise<void> {
  const fields = await wrongPayoutFields(context, { amount: asked.amount, sender_currency: asked.sender });
  if (Object.keys(fields).length > 0) throw new OperationError(Refusal.InvalidFields, { fields });
}

/** What is wrong with a well-formed amount, by the sender currency where that is known. */
export async function wrongPayoutFields(
  context: Context,
  {
    amount,
    sender_currency: sender,
  }: { amount?: Asked["amount"] | undefined; sender_currency?: string | undefined },
): Promise<FieldErrors> {
  if (amount === undefined) return {};
  const rule = wrongAmount(amount, sender === undefined ? undefined : await findCurrency(context, sender));
  return rule === undefined ? {} : { amount: [fieldError("amount", rule)] };
}

/** A quote with the digits of its currencies. */
export type QuoteWithCurrencies = { quote: QuoteModel; sender: Currency; receiver: Currency };

/**
 * Fixes recipient, rate and fee of a payout for five minutes.
 * @throws OperationError InvalidLookupToken, RecipientInactive, and what {@link decidePayout} throws.
 */
export async function quotePayout(
  context: Context,
  partner: Partner,
  request: QuoteRequest,
): Promise<QuoteWithCurrencies> {
  const asked = {
    amount: request.amount,
    sender: request.sender_currency,
    receiver: request.receiver_currency,
  };
  await refuseMalformedAmount(context, asked);
  const recipient = await recipientOfToken(context, partner, request.lookup_token);
  const situation = await readPayoutSituation(context, partner, recipient, asked);
  const possible = decidePayout(situation, asked, Refusal.RecipientHasNoWallet);
  const quote = await context.database.prisma.quote.create({
    data: {
      merchantId: partner.merchantId,
      mode: partner.mode,
      walletUserId: recipient.id,
      amount: possible.amount,
      senderCurrency: possible.sender.code,
      fee: possible.fee,
      rate: possible.rate,
      receiverAmount: possible.receiverAmount,
      receiverCurrency: possible.receiver.code,
    },
  });
  return { quote, sender: possible.sender, receiver: possible.receiver };
}
