import { Refusal } from "@tillgate/contract";
import { notAnAdministrator } from "./audit.js";
import { moneyDoesNotMove } from "./ledger.js";
import { ledgerFunction, ledgerSet, type Meanings, row, rowOnce } from "./ledger-function.js";
import { payoutRow } from "./rows.js";

/** The refusals of every payout with an inactive currency: the sender's, the receiver's. */
const currencyIsInactive: Meanings = {
  TG049: Refusal.MerchantWalletNotFound,
  TG050: Refusal.InvalidReceiverCurrency,
};

/** What every decision on a payout that waits refuses. */
export const payoutIsNotSettled: Meanings = {
  ...moneyDoesNotMove,
  ...currencyIsInactive,
  TG003: Refusal.PayoutNotFound,
  TG044: Refusal.AlreadyDecided,
  TG045: Refusal.RecipientInactive,
};

/** An administrator decides on a payout that waits, with an audit record. */
export const decidePayout = ledgerFunction({
  name: "decide_payout",
  takes: {
    payoutId: "text",
    approve: "boolean",
    trxId: "text",
    transferId: "uuid",
    administratorId: "uuid",
    reason: "text?",
  },
  answers: row(payoutRow),
  refuses: { ...payoutIsNotSettled, ...notAnAdministrator },
});

/** A merchant decides on a payout of its own that waits, in the sandbox only, with an audit record. */
export const decideTestPayout = ledgerFunction({
  name: "decide_test_payout",
  takes: {
    payoutId: "text",
    merchantId: "uuid",
    approve: "boolean",
    trxId: "text",
    transferId: "uuid",
    credentialId: "uuid",
    requestId: "text",
  },
  answers: row(payoutRow),
  refuses: { ...payoutIsNotSettled, ...notAnAdministrator },
});

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
