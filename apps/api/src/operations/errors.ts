/** Why an operation refused. One enum for all operations; the edges turn it into a status and a text. */
export enum Refusal {
  /** No such order for this merchant and mode; another merchant's order answers the same. */
  OrderNotFound = "order_not_found",
  RefundNotFound = "refund_not_found",
  /** No such payment of this merchant and mode, or never paid. */
  TransactionNotFound = "transaction_not_found",
  /** The fields are well-formed, but a value cannot be used; `fields` says which and why. */
  InvalidFields = "invalid_fields",
  /** Cancelling something that is no longer pending. */
  OnlyPendingCanBeCancelled = "only_pending_can_be_cancelled",
  /** More than what is left of the payment, or nothing is left. */
  RefundExceedsPayment = "refund_exceeds_payment",
  /** The paying wallet holds less than the amount. */
  InsufficientBalance = "insufficient_balance",
  /** The payer's wallet was closed. */
  TransactionNotRefundable = "transaction_not_refundable",
  /** The idempotency key was used for a request with other fields. */
  IdempotencyKeyReused = "idempotency_key_reused",
  /** Missing, malformed, unknown, revoked or wrong client credentials. */
  InvalidCredentials = "invalid_credentials",
  /** The right secret of the other mode. */
  WrongMode = "wrong_mode",
  /** Token endpoint: unknown client or wrong secret, one answer for both. */
  InvalidSecretId = "invalid_secret_id",
  /** Access token missing, malformed, forged, expired, of the other mode, or its credential was revoked. */
  InvalidAccessToken = "invalid_access_token",
  /** The Partner API is not switched on for this merchant. */
  PartnerApiDisabled = "partner_api_disabled",
  /** No recipient to look up; a deactivated one answers the same. */
  RecipientNotFound = "recipient_not_found",
  /** The recipient of a token or quote was deactivated. */
  RecipientInactive = "recipient_inactive",
  /** Unknown, foreign or expired lookup token. */
  InvalidLookupToken = "invalid_lookup_token",
  /** Unknown, foreign, used or expired quote. */
  InvalidQuote = "invalid_quote",
  /** The merchant has no open wallet in the sender currency (`currency`). */
  MerchantWalletNotFound = "merchant_wallet_not_found",
  /** The receiver currency does not exist, is inactive, or no rate leads to it. */
  InvalidReceiverCurrency = "invalid_receiver_currency",
  /** Quote: the recipient has no open wallet in the receiver currency (`currency`). */
  RecipientHasNoWallet = "recipient_has_no_wallet",
  /** Payout: the same, in the payout table's words. */
  RecipientWalletNotFound = "recipient_wallet_not_found",
  /** The sender currency (`currency`) is not authorised for this merchant's payouts. */
  CurrencyNotAuthorized = "currency_not_authorized",
  PerTransactionLimitExceeded = "per_transaction_limit_exceeded",
  DailyLimitExceeded = "daily_limit_exceeded",
  MonthlyLimitExceeded = "monthly_limit_exceeded",
  /** Another payout of the merchant has this reference. */
  DuplicateReference = "duplicate_reference",
  /** The merchant's wallet holds less than amount and fee. */
  InsufficientPayoutBalance = "insufficient_payout_balance",
  PayoutNotFound = "payout_not_found",
  /** An administrator comes second: the payout or refund is decided. */
  AlreadyDecided = "already_decided",
  /** An administrator names a merchant or credential that does not exist. */
  MerchantNotFound = "merchant_not_found",
  CredentialNotFound = "credential_not_found",
  /** Rotating a credential that was revoked. */
  CredentialRevoked = "credential_revoked",
  /** The credential was rotated already, and its old secret still works. */
  RotationUnderWay = "rotation_under_way",
  /** No such webhook delivery of this merchant and mode. */
  DeliveryNotFound = "delivery_not_found",
  /** Sending again to a receiver that is disabled or removed. */
  ReceiverInactive = "receiver_inactive",
  /** No such webhook endpoint of this merchant and mode, or it was removed. */
  ReceiverNotFound = "receiver_not_found",
  /** No such event of this merchant and mode. */
  EventNotFound = "event_not_found",
  /** The merchant has an endpoint with this address. */
  ReceiverExists = "receiver_exists",
  /** The merchant has as many endpoints as it may have in one mode. */
  TooManyReceivers = "too_many_receivers",
  /** The endpoint's secret was rotated already, and its old secret still signs. */
  ReceiverRotationUnderWay = "receiver_rotation_under_way",
  /** Over a rate limit; `retryAfterSeconds` says how long to wait. */
  TooManyRequests = "too_many_requests",
  /** An administrator has suspended the merchant. */
  MerchantSuspended = "merchant_suspended",
  /** Checkout: the form token is missing, old, or of another visitor, session or order. */
  FormRejected = "form_rejected",
  /** Checkout: phone, e-mail or PIN is wrong; nothing says which. */
  WrongSignIn = "wrong_sign_in",
  /** Checkout: too many sign-ins or wrong PINs; `retryAfterSeconds` says how long to wait. */
  TooManyAttempts = "too_many_attempts",
  /** Checkout: too many wrong PINs for the account or from the address; `retryAfterSeconds` says how long to wait. */
  Locked = "locked",
  /** Checkout: the PIN that was sent with a payment is wrong. */
  WrongPin = "wrong_pin",
  /** Checkout: the PIN was entered too long ago and was not sent with the payment. */
  PinNeeded = "pin_needed",
  /** Checkout: the wallet session is missing, over, revoked, or its user was deactivated. */
  NotSignedIn = "not_signed_in",
  /** Checkout: the shopper has no open wallet in the order's currency. */
  NoWallet = "no_wallet",
  /** Checkout: a wallet of the payment was closed. */
  WalletClosed = "wallet_closed",
  /** Checkout: no exchange rate leads from the wallet's currency to the order's. */
  NoRate = "no_rate",
  /** Checkout: the quote is missing, expired, used, or not this shopper's for this order. */
  ShopperQuoteUnusable = "shopper_quote_unusable",
  /** Checkout: the order was settled in the meantime. */
  OrderExpired = "order_expired",
  OrderCancelled = "order_cancelled",
  OrderAlreadyPaid = "order_already_paid",
  /** Checkout: the merchant is suspended; the order stays. */
  NotPayableNow = "not_payable_now",
  /** Checkout: no merchant has this picture. */
  LogoNotFound = "logo_not_found",
  /** Checkout: Approve and Decline exist in sandbox mode only. */
  SandboxOnly = "sandbox_only",
}

export type RefusalDetails = {
  /** Sentences per field, for InvalidFields. */
  fields?: Record<string, string[]>;
  /** Whole seconds, for TooManyAttempts and TooManyRequests. */
  retryAfterSeconds?: number;
  /** The mode that the credential is for, for WrongMode. */
  credentialMode?: string;
  /** What the wallet lacks, formatted, for InsufficientBalance on the page. */
  missing?: string;
  /** The currency code that the text names. */
  currency?: string;
};

/** Thrown by operations: a refusal that a caller can understand, never a broken invariant. */
export class OperationError extends Error {
  override readonly name = "OperationError";

  constructor(
    readonly refusal: Refusal,
    readonly details: RefusalDetails = {},
  ) {
    super(refusal);
  }
}
