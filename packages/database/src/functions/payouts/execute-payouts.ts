import { Refusal } from "@tillgate/contract";
import { moneyDoesNotMove } from "../ledger/book-transfers.js";
import { ledgerSet, rowOnce } from "../ledger-function.js";
import { payoutRow } from "../rows.js";
import { currencyIsInactive } from "./require-active-currencies.js";

/** Executes payouts, or holds their money until an administrator decides. `rate` is decimal text. */
export const executePayouts = ledgerSet({
  name: "execute_payouts",
  takes: {
    payoutId: "text",
    merchantId: "uuid",
    mode: "mode",
    idempotencyKey: "text",
    reference: "text",
    quoteId: "uuid?",
    walletUserId: "uuid",
    recipientAccountId: "uuid",
    amount: "bigint",
    senderCurrency: "text",
    fee: "bigint",
    rate: "numeric",
    receiverAmount: "bigint",
    receiverCurrency: "text",
    description: "text?",
    trxId: "text",
    transferId: "uuid",
    needsApproval: "boolean",
    metadata: "text?",
    traceparent: "text?",
  },
  answers: rowOnce(payoutRow),
  refuses: {
    ...moneyDoesNotMove,
    ...currencyIsInactive,
    TG013: Refusal.MerchantSuspended,
    TG040: Refusal.InvalidQuote,
    // Two payouts from one quote at the same instant: the second meets the first's row.
    payouts_quote_id_mode_key: Refusal.InvalidQuote,
    TG041: Refusal.DuplicateReference,
    TG042: Refusal.DailyLimitExceeded,
    TG043: Refusal.MonthlyLimitExceeded,
    TG045: Refusal.RecipientInactive,
    TG047: Refusal.PerTransactionLimitExceeded,
    TG048: Refusal.CurrencyNotAuthorized,
  },
});
