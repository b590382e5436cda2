import { ErrorCode, FieldRule } from "@tillgate/contract";

/** Response to an error of a SQL function: an error of the contract, an invalid field, or a state that each operation maps to an error itself. */
export type LedgerErrorResponse =
  | ErrorCode
  | { field: string; rule: string }
  | "order settled"
  | "order overdue"
  | "wallet closed"
  /** Items of a group are rejected; the error's detail lists them. */
  | "rejected items"
  /** An invariant was violated. The caller receives an internal error with a request ID. */
  | "fault";

type LedgerError = { means: string; response: LedgerErrorResponse };

const error = (means: string, response: LedgerErrorResponse): LedgerError => ({ means, response });

/** Errors of the SQL functions, by SQLSTATE or by the name of a constraint that concurrent calls can violate. */
export const LEDGER_ERRORS: Readonly<Record<string, LedgerError>> = {
  TG001: error("order not found", ErrorCode.OrderNotFound),
  TG002: error("payment not found for this merchant", ErrorCode.TransactionNotFound),
  TG003: error("payout not found", ErrorCode.PayoutNotFound),
  TG004: error("refund not found", ErrorCode.RefundNotFound),
  TG010: error("the order is no longer PENDING", "order settled"),
  TG011: error("the order is past its expiry but not marked EXPIRED yet", "order overdue"),
  TG012: error("the merchant of the order is suspended", ErrorCode.NotPayableNow),
  TG013: error("the merchant is suspended", ErrorCode.MerchantSuspended),
  TG014: error("the payment link has no uses left", ErrorCode.PaymentLinkUsed),
  TG020: error("the wallet's balance is insufficient", ErrorCode.InsufficientBalance),
  TG021: error("the amount exceeds the payment's remainder", ErrorCode.RefundExceedsPayment),
  TG022: error("a wallet to debit or credit is closed", "wallet closed"),
  TG023: error("the merchant has no wallet in the currency", {
    field: "currency",
    rule: FieldRule.OwnCurrency.text,
  }),
  TG024: error("the wallet cannot pay this order", ErrorCode.NoWallet),
  TG025: error("the currency is deactivated", { field: "currency", rule: FieldRule.ActiveCurrency.text }),
  TG030: error("the idempotency key belongs to a request with other fields", ErrorCode.IdempotencyKeyReused),
  TG040: error("the quote is used, expired or belongs to another merchant", ErrorCode.InvalidQuote),
  TG041: error("another payout has this reference", ErrorCode.DuplicateReference),
  TG042: error("the daily payout limit is exceeded", ErrorCode.DailyLimitExceeded),
  TG043: error("the monthly payout limit is exceeded", ErrorCode.MonthlyLimitExceeded),
  TG044: error("the payout, refund or request is already decided", ErrorCode.AlreadyDecided),
  TG045: error("the recipient is deactivated", ErrorCode.RecipientInactive),
  TG046: error("the shopper's quote cannot be used", ErrorCode.ShopperQuoteUnusable),
  TG047: error("the amount exceeds the limit per payout", ErrorCode.PerTransactionLimitExceeded),
  TG048: error("the merchant is not authorised for payouts in the currency", ErrorCode.CurrencyNotAuthorized),
  TG049: error("the sender's currency is deactivated", ErrorCode.MerchantWalletNotFound),
  TG050: error("the receiver's currency is deactivated", ErrorCode.InvalidReceiverCurrency),
  TG051: error("conversion not found for this shopper", ErrorCode.ConversionNotFound),
  TG052: error("the conversion has expired", ErrorCode.ConversionExpired),
  TG053: error("the shopper cannot move funds, or cannot use this currency", ErrorCode.NoWallet),
  TG054: error("the passkey confirmation is invalid", ErrorCode.PasskeyRefused),
  TG060: error("another movement of funds has this reference", ErrorCode.ReferenceTaken),
  TG061: error("approval request not found", ErrorCode.RequestNotFound),
  TG062: error("the request must be decided by another administrator", ErrorCode.NeedsSecondAdministrator),
  TG063: error("the author has no right to make the change", ErrorCode.NotAnAdministrator),
  TG064: error("wallet not found", ErrorCode.WalletNotFound),
  TG065: error("currency not found", ErrorCode.CurrencyNotFound),
  TG066: error("an increase of the currency's limit is pending", ErrorCode.RaiseWaiting),
  TG067: error("an administrator was added, promoted or enabled without an approved request", "fault"),
  TG080: error("items of a group are rejected", "rejected items"),
  TG090: error("an immutable row was changed or deleted", "fault"),
  TG091: error("a transfer does not balance within one statement", "fault"),
  TG092: error("an immutable column was changed", "fault"),
  TG093: error("a closed account's balance was changed", "fault"),
  TG094: error("invalid creation or change of an order, payout, quote or request", "fault"),
  TG095: error("invalid state transition of a refund", "fault"),
  TG096: error("a state has no matching transfer or event", "fault"),
  TG097: error("a transfer does not match its record", "fault"),
  TG098: error("a change has no audit record or approval", "fault"),
  // Two concurrent payouts with the same quote violate this constraint.
  payouts_quote_id_mode_key: error("the quote is already used", ErrorCode.InvalidQuote),
};

/** Returns the response for the first known constraint name or SQLSTATE; undefined if none is known. */
export const ledgerErrorResponse = (
  ...names: readonly (string | undefined)[]
): LedgerErrorResponse | undefined => names.flatMap((name) => LEDGER_ERRORS[name ?? ""]?.response ?? [])[0];
