import { LOOKUP_TOKEN_MINUTES, MAX_TEST_CONTROLS, QUOTE_MINUTES } from "../limits.js";
import { defineErrors } from "./error.js";

/** Errors of the Pay API's rules. Another merchant's order or refund is answered like one that does not exist. */
export const PAYMENT_ERRORS = defineErrors({
  OrderNotFound: {
    code: "order_not_found",
    status: 404,
    text: "Order not found",
    cause: "No order or payment of this account and mode has this id or token.",
    reason: "not_found",
  },
  RefundNotFound: {
    code: "refund_not_found",
    status: 404,
    text: "Refund not found",
    cause: "No refund of this account and mode has this id.",
  },
  TransactionNotFound: {
    code: "transaction_not_found",
    status: 404,
    text: "Transaction not found",
    cause: "No payment of this account and mode has this transaction id, or it was never paid.",
    param: "transaction_id",
  },
  OnlyPendingCanBeCancelled: {
    code: "only_pending_can_be_cancelled",
    status: 422,
    text: "Only pending orders can be cancelled",
    cause: "It was paid, cancelled or has expired.",
  },
  RefundExceedsPayment: {
    code: "refund_exceeds_payment",
    status: 422,
    text: "Refund exceeds original amount",
    cause: "More than what is left, or nothing is left.",
    param: "amount",
  },
  /** The wallet that pays holds too little: the merchant's for a refund or payout, the shopper's on the page. */
  InsufficientBalance: {
    code: "insufficient_balance",
    status: { pay: 422, partner: 400, checkout: 422, console: 422 },
    text: "Insufficient balance.",
    cause: {
      pay: "The merchant wallet holds less than the amount; of an order that is simulated: the shopper was ordered to have too little.",
      partner: "The merchant wallet holds less than total_deducted.",
    },
    reason: "insufficient_balance",
  },
  TransactionNotRefundable: {
    code: "transaction_not_refundable",
    status: 422,
    text: "Transaction not refundable",
    cause: "The payer's wallet was closed.",
  },
  IdempotencyKeyReused: {
    code: "idempotency_key_reused",
    status: 409,
    text: "The idempotency key was already used for a request with other fields",
    cause: "The same idempotency key with another request.",
    param: "idempotency_key",
  },
});

/** Errors of the Partner API's rules, in the exact words that its clients know. */
export const PAYOUT_ERRORS = defineErrors({
  RecipientNotFound: {
    code: "recipient_not_found",
    status: 404,
    text: "Recipient not found or inactive.",
    cause: "Nobody has it, or the recipient was deactivated.",
  },
  TooManyUnknownRecipients: {
    code: "too_many_unknown_recipients",
    status: 429,
    text: "Too many unknown recipients.",
    cause:
      "Lookups, quotes and bulk payouts of the account named too many recipients that do not exist; `Retry-After` says in how many seconds to try again.",
  },
  RecipientInactive: {
    code: "recipient_inactive",
    status: 400,
    text: "Recipient not found or inactive.",
    cause: "The recipient was deactivated.",
  },
  InvalidLookupToken: {
    code: "invalid_lookup_token",
    status: 400,
    text: "Invalid or expired lookup token.",
    cause: `The lookup token is older than ${LOOKUP_TOKEN_MINUTES} minutes or not of this account and mode.`,
    param: "lookup_token",
  },
  InvalidQuote: {
    code: "invalid_quote",
    status: 400,
    text: "Invalid or expired quote.",
    cause: `The quote is older than ${QUOTE_MINUTES} minutes, was used, or is not of this account and mode.`,
    param: "quote_id",
  },
  MerchantWalletNotFound: {
    code: "merchant_wallet_not_found",
    status: 400,
    text: "Merchant wallet not found for currency: {currency}",
    cause: "You have no wallet in the sender currency.",
    param: "sender_currency",
  },
  InvalidReceiverCurrency: {
    code: "invalid_receiver_currency",
    status: 400,
    text: "Invalid receiver currency.",
    cause: "The receiver currency does not exist or is inactive, or no rate leads to it.",
    param: "receiver_currency",
  },
  /** In the quote's words; the payout's are {@link PAYOUT_ERRORS.RecipientWalletNotFound}. */
  RecipientHasNoWallet: {
    code: "recipient_has_no_wallet",
    status: 400,
    text: "Recipient has no wallet for currency: {currency}",
    cause: "The recipient has no wallet in the receiver currency.",
    param: "receiver_currency",
  },
  RecipientWalletNotFound: {
    code: "recipient_wallet_not_found",
    status: 400,
    text: "Recipient wallet not found for currency: {currency}",
    cause: "The recipient has no wallet in the receiver currency.",
    param: "receiver_currency",
  },
  CurrencyNotAuthorized: {
    code: "currency_not_authorized",
    status: 400,
    text: "Currency {currency} is not authorized for payouts.",
    cause: "The sender currency is not enabled for payouts on the account.",
    param: "sender_currency",
  },
  PerTransactionLimitExceeded: {
    code: "per_transaction_limit_exceeded",
    status: 400,
    text: "Amount exceeds per-transaction limit",
    cause: "Above the limit of one payout in this currency.",
    param: "amount",
  },
  DailyLimitExceeded: {
    code: "daily_limit_exceeded",
    status: 400,
    text: "Daily payout limit exceeded",
    cause: "Above what may be paid out on one UTC day.",
  },
  MonthlyLimitExceeded: {
    code: "monthly_limit_exceeded",
    status: 400,
    text: "Monthly payout limit exceeded",
    cause: "Above what may be paid out in one UTC month.",
  },
  DuplicateReference: {
    code: "duplicate_reference",
    status: 400,
    text: "Duplicate reference.",
    cause: "A different payout already uses the reference.",
    param: "reference",
  },
  PayoutNotFound: {
    code: "payout_not_found",
    status: 404,
    text: "Payout not found",
    cause: "No payout of this account and mode has this id.",
  },
});

/** Errors of what a merchant orders of its sandbox. */
export const SANDBOX_ERRORS = defineErrors({
  NothingThatEnds: {
    code: "nothing_that_ends",
    status: 404,
    text: "Nothing with this id can be brought to its end",
    cause:
      "It is unknown, settled, used or ended already, or, as a client id, no rotation of its secret is under way.",
  },
  TooManyTestControls: {
    code: "too_many_test_controls",
    status: 422,
    text: `No more than ${MAX_TEST_CONTROLS} test controls at once`,
    cause: "Clear those that are left, or let them be met.",
  },
});
