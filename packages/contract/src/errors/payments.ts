import { LOOKUP_TOKEN_MINUTES, MAX_TEST_CONTROLS, QUOTE_MINUTES } from "../limits.js";
import { defineErrors } from "./error.js";

/** Another merchant's order or refund is reported as not found. */
export const PAYMENT_ERRORS = defineErrors({
  OrderNotFound: {
    code: "order_not_found",
    status: 404,
    text: "Order not found",
    cause: "No order or payment of this account and mode has this ID or token.",
    reason: "not_found",
  },
  RefundNotFound: {
    code: "refund_not_found",
    status: 404,
    text: "Refund not found",
    cause: "No refund of this account and mode has this ID.",
  },
  TransactionNotFound: {
    code: "transaction_not_found",
    status: 404,
    text: "Transaction not found",
    cause: "No payment of this account and mode has this transaction ID, or the order was never paid.",
    param: "transaction_id",
  },
  OnlyPendingCanBeCancelled: {
    code: "only_pending_can_be_cancelled",
    status: 422,
    text: "Only pending orders can be cancelled",
    cause: "The order is already paid, cancelled or expired.",
  },
  RefundExceedsPayment: {
    code: "refund_exceeds_payment",
    status: 422,
    text: "Refund exceeds original amount",
    cause:
      "The amount exceeds what remains of the payment after its completed and pending refunds, or nothing remains.",
    param: "amount",
  },
  /** The paying wallet is the merchant's for a refund or payout, and the customer's on the payment page. */
  InsufficientBalance: {
    code: "insufficient_balance",
    status: { pay: 422, partner: 400, checkout: 422, console: 422 },
    text: "Insufficient balance.",
    cause: {
      pay: "The balance of the merchant wallet is lower than the refund's amount. For a simulated payment: the outcome or a test control requested this error.",
      partner: "The balance of the merchant wallet is lower than `total_deducted`.",
    },
    reason: "insufficient_balance",
  },
  TransactionNotRefundable: {
    code: "transaction_not_refundable",
    status: 422,
    text: "Transaction not refundable",
    cause: "The payer's or the merchant's wallet is closed.",
  },
  IdempotencyKeyReused: {
    code: "idempotency_key_reused",
    status: 409,
    text: "The idempotency key was already used for a request with other fields",
    cause: "The idempotency key was already used for a different request.",
    param: "idempotency_key",
  },
});

/** Clients rely on the exact texts. */
export const PAYOUT_ERRORS = defineErrors({
  RecipientNotFound: {
    code: "recipient_not_found",
    status: 404,
    text: "Recipient not found or inactive.",
    cause: "No recipient has this phone number or e-mail, or the recipient is deactivated.",
  },
  TooManyUnknownRecipients: {
    code: "too_many_unknown_recipients",
    status: 429,
    text: "Too many unknown recipients.",
    cause:
      "Lookups, quotes and bulk payouts of the account contained too many unknown recipients. Retry after `Retry-After` seconds.",
  },
  RecipientInactive: {
    code: "recipient_inactive",
    status: 400,
    text: "Recipient not found or inactive.",
    cause: "The recipient is deactivated.",
  },
  InvalidLookupToken: {
    code: "invalid_lookup_token",
    status: 400,
    text: "Invalid or expired lookup token.",
    cause: `The lookup token is older than ${LOOKUP_TOKEN_MINUTES} minutes, or belongs to another account or mode.`,
    param: "lookup_token",
  },
  InvalidQuote: {
    code: "invalid_quote",
    status: 400,
    text: "Invalid or expired quote.",
    cause: `The quote is older than ${QUOTE_MINUTES} minutes, was already used, or belongs to another account or mode.`,
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
    cause: "The receiver currency is unknown or inactive, or has no exchange rate.",
    param: "receiver_currency",
  },
  /** Used for quotes. Payouts use {@link PAYOUT_ERRORS.RecipientWalletNotFound}. */
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
    cause: "The amount exceeds the limit per payout in this currency.",
    param: "amount",
  },
  DailyLimitExceeded: {
    code: "daily_limit_exceeded",
    status: 400,
    text: "Daily payout limit exceeded",
    cause: "The payout would exceed the limit per UTC day.",
  },
  MonthlyLimitExceeded: {
    code: "monthly_limit_exceeded",
    status: 400,
    text: "Monthly payout limit exceeded",
    cause: "The payout would exceed the monthly limit (UTC).",
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
    cause: "No payout of this account and mode has this ID.",
  },
});

export const SANDBOX_ERRORS = defineErrors({
  NotExpirable: {
    code: "nothing_that_ends",
    status: 404,
    text: "Nothing with this ID can be expired",
    cause: "The resource is unknown, final, used or expired, or the client ID has no rotation in progress.",
  },
  TooManyTestControls: {
    code: "too_many_test_controls",
    status: 422,
    text: `You've reached the limit of ${MAX_TEST_CONTROLS} test controls`,
    cause: "The account has the maximum number of active test controls.",
  },
});
