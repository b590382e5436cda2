import { type FieldErrors, fieldError, type QuoteRequest, Refusal } from "@tillgate/contract";
import type { QuoteModel } from "@tillgate/database";
import type { Currency } from "@tillgate/money";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../credentials/authenticate-client.js";
import { wrongAmount } from "../../readers/amounts.js";
import { findCurrency } from "../../readers/currencies.js";
import { bookedTerms, judgePayout } from "./judge-payout.js";
import { type AskedPayout, readPayoutSituation } from "./payout-situation.js";
import { requirePayable } from "./require-payable.js";
import { countUnknownRecipient, requireLookupBudget } from "./unknown-recipients.js";

/** What is wrong with a well-formed amount beside fields that are wrong, by the sender currency where that is known. */
export async function wrongPayoutFields(
  context: Context,
  { amount, sender_currency: sender }: Pick<AskedPayout, "amount" | "sender_currency">,
): Promise<FieldErrors> {
  if (amount === undefined) return {};
  const rule = wrongAmount(amount, sender === undefined ? undefined : await findCurrency(context, sender));
  return rule === undefined ? {} : { amount: [fieldError("amount", rule)] };
}

/** A quote with the digits of its currencies. */
export type QuoteWithCurrencies = { quote: QuoteModel; sender: Currency; receiver: Currency };

/**
 * Fixes recipient, rate and fee of a payout for five minutes.
 * @param options.payable reject what limits or balance would reject now. The Partner API prices it all the same.
 * @throws OperationError what {@link judgePayout} throws, and {@link requirePayable}; TooManyUnknownRecipients for guessed lookup tokens.
 */
export async function quotePayout(
  context: Context,
  partner: MerchantScope,
  request: QuoteRequest,
  { payable = false }: { payable?: boolean } = {},
): Promise<QuoteWithCurrencies> {
  const situation = await readPayoutSituation(context, partner, request);
  if (situation.tokenNames === null) {
    await requireLookupBudget(context, partner);
    await countUnknownRecipient(context, partner);
  }
  const possible = await judgePayout(context, situation, request, Refusal.RecipientHasNoWallet);
  if (payable) await requirePayable(context, partner, possible);
  const quote = await context.database.prisma.quote.create({
    data: {
      merchantId: partner.merchantId,
      mode: partner.mode,
      walletUserId: possible.walletUserId,
      ...bookedTerms(possible),
    },
  });
  return { quote, sender: possible.sender, receiver: possible.receiver };
}
