import type { Balances, NumberText, Quote } from "@tillgate/contract";
import { toWireNumber } from "@tillgate/money";
import type { Balance } from "../../operations/payouts/list-balances.js";
import type { QuoteWithCurrencies } from "../../operations/payouts/quote-payout.js";
import { exactNumber } from "../shared/answer.js";
import { wireTime } from "../shared/wire-time.js";

/** A quote as the Partner API shows it. */
export const shapeQuote = ({ quote, sender, receiver }: QuoteWithCurrencies): Quote => ({
  quote_id: quote.id,
  amount: toWireNumber(quote.amount, sender.digits),
  sender_currency: quote.senderCurrency,
  receiver_currency: quote.receiverCurrency,
  exchange_rate: quote.rate.toNumber(),
  fee: toWireNumber(quote.fee, sender.digits),
  total_deducted: toWireNumber(quote.amount + quote.fee, sender.digits),
  receiver_amount: toWireNumber(quote.receiverAmount, receiver.digits),
  expires_at: wireTime(quote.expiresAt),
});

/** The answer for {@link Balances}: a balance that a float would round keeps its digits. */
type SentBalances = {
  balances: (Omit<Balances["balances"][number], "balance"> & { balance: number | NumberText })[];
};

/** The wallets of a merchant as the Partner API shows them. No single amount passes 10^13 minor units, but many together do. */
export const shapeBalances = (balances: Balance[]): SentBalances => ({
  balances: balances.map(({ code, symbol, digits, balance }) => ({
    currency_code: code,
    currency_symbol: symbol,
    balance: exactNumber(balance, digits),
  })),
});
