import type { ConsolePayout } from "@tillgate/contract";
import type { PayoutModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { QuoteWithCurrencies } from "../../operations/payouts/quote-payout.js";
import type { PayoutView } from "../../operations/payouts/view-payout.js";
import type { StatementEntry } from "../../operations/wallets/read-statement.js";
import { metadataOf } from "../../readers/metadata.js";
import { wireTime } from "../shared/wire-time.js";
import { maskContact, shapeMoney } from "./money.js";
import { traceAddress } from "./trace-address.js";

/** What a payout and its quote cost and bring. */
const shapeTerms = async (
  context: Context,
  terms: Pick<
    PayoutModel,
    "amount" | "senderCurrency" | "fee" | "receiverAmount" | "receiverCurrency" | "rate"
  >,
) => ({
  money: await shapeMoney(context, terms.amount, terms.senderCurrency),
  fee: await shapeMoney(context, terms.fee, terms.senderCurrency),
  total: await shapeMoney(context, terms.amount + terms.fee, terms.senderCurrency),
  received: await shapeMoney(context, terms.receiverAmount, terms.receiverCurrency),
  rate: terms.rate.toFixed(),
});

export const shapePayout = async (context: Context, payout: PayoutModel): Promise<ConsolePayout> => ({
  payout_id: payout.id,
  status: payout.status,
  reference: payout.reference,
  description: payout.description,
  ...(await shapeTerms(context, payout)),
  trx_id: payout.trxId,
  created_at: wireTime(payout.createdAt),
  processed_at: payout.processedAt && wireTime(payout.processedAt),
});

export const shapePayoutView = async (context: Context, { payout, recipient }: PayoutView) => ({
  ...(await shapePayout(context, payout)),
  metadata: metadataOf(payout),
  recipient: maskContact(recipient),
  trace_url: traceAddress(context.config.tracePage, payout.traceparent),
});

export const shapeQuote = async (context: Context, { quote }: QuoteWithCurrencies) => ({
  quote_id: quote.id,
  ...(await shapeTerms(context, quote)),
  expires_at: wireTime(quote.expiresAt),
});

export const shapeStatementEntry = async (context: Context, currency: string, entry: StatementEntry) => ({
  entry_id: String(entry.entryId),
  at: wireTime(entry.at),
  kind: entry.kind,
  money: await shapeMoney(context, entry.amount, currency),
  balance: await shapeMoney(context, entry.balance, currency),
  order_id: entry.orderId,
  refund_id: entry.refundId,
  payout_id: entry.payoutId,
  reference: entry.reference,
  order_reference: entry.orderReference,
});
