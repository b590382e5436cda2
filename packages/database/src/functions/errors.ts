import { ErrorCode, FieldRule } from "@tillgate/contract";

/**
 * The API's response to an error of a SQL function: an error of the contract; an invalid field; or a state that each
 * operation maps to its own error.
 */
export type LedgerErrorResponse =
  | ErrorCode
  | { field: string; rule: string }
  | "order settled"
  | "order overdue"
  | "wallet closed"
  /** Items of a group are rejected; the error's detail lists them. */
  | "rejected items"
  /** A broken invariant: the caller sees an internal error, with a request id. */
  | "fault";

type LedgerError = { means: string; answer: LedgerErrorResponse };

const error = (means: string, answer: LedgerErrorResponse): LedgerError => ({ means, answer });

/** Errors of the SQL functions, by SQLSTATE or by the name of a constraint that concurrent calls can violate. */
export const LEDGER_ERRORS: Readonly<Record<string, LedgerError>> = {
  TG001: error("no such order", ErrorCode.OrderNotFound),
  TG002: error("no such payment of the merchant", ErrorCode.TransactionNotFound),
  TG003: error("no such payout", ErrorCode.PayoutNotFound),
  TG004: error("no such refund", ErrorCode.RefundNotFound),
  TG010: error("the order has left PENDING", "order settled"),
  TG011: error("the order's time is over, but it is not expired yet", "order overdue"),
  TG012: error("the merchant of the order is suspended", ErrorCode.NotPayableNow),
  TG013: error("the merchant is suspended", ErrorCode.MerchantSuspended),
  TG014: error("the payment link has no uses left", ErrorCode.PaymentLinkUsed),
  TG020: error("the wallet holds less than the amount", ErrorCode.InsufficientBalance),
  TG021: error("less than the amount is left of the payment", ErrorCode.RefundExceedsPayment),
  TG022: error("a wallet to debit or credit is closed", "wallet closed"),
  TG023: error("the merchant has no wallet in the currency", {
    field: "currency",
    rule: FieldRule.OwnCurrency.text,
  }),
  TG024: error("the wallet cannot pay this order", ErrorCode.NoWallet),
  TG025: error("the currency is deactivated", { field: "currency", rule: FieldRule.ActiveCurrency.text }),
  TG030: error("the idempotency key belongs to a request with other fields", ErrorCode.IdempotencyKeyReused),
  TG040: error("the quote is used, expired or another merchant's", ErrorCode.InvalidQuote),
  TG041: error("another payout has the reference", ErrorCode.DuplicateReference),
  TG042: error("the payout limit of the day is reached", ErrorCode.DailyLimitExceeded),
  TG043: error("the payout limit of the month is reached", ErrorCode.MonthlyLimitExceeded),
  TG044: error("it is decided", ErrorCode.AlreadyDecided),
  TG045: error("the recipient is deactivated", ErrorCode.RecipientInactive),
  TG046: error("the shopper's quote cannot be used", ErrorCode.ShopperQuoteUnusable),
  TG047: error("above the limit of one payout", ErrorCode.PerTransactionLimitExceeded),
  TG048: error("the merchant is not authorised for payouts in the currency", ErrorCode.CurrencyNotAuthorized),
  TG049: error("the sender's currency is deactivated", ErrorCode.MerchantWalletNotFound),
  TG050: error("the receiver's currency is deactivated", ErrorCode.InvalidReceiverCurrency),
  TG051: error("the shopper has no such conversion", ErrorCode.ConversionNotFound),
  TG052: error("the conversion is expired", ErrorCode.ConversionExpired),
  TG053: error("the shopper cannot move own money, or not in this currency", ErrorCode.NoWallet),
  TG054: error("the confirmation by passkey does not hold", ErrorCode.PasskeyRefused),
  TG060: error("the reference names another movement of funds", ErrorCode.ReferenceTaken),
  TG061: error("no such request of an administrator", ErrorCode.RequestNotFound),
  TG062: error("the request needs another administrator", ErrorCode.NeedsSecondAdministrator),
  TG063: error("not an administrator who may do this", ErrorCode.NotAnAdministrator),
  TG064: error("no such wallet", ErrorCode.WalletNotFound),
  TG065: error("no such currency", ErrorCode.CurrencyNotFound),
  TG066: error("a raise of the currency's limit waits", ErrorCode.RaiseWaiting),
  TG067: error("an administrator is added by fewer than two others", "fault"),
  TG080: error("items of a group are rejected", "rejected items"),
  TG090: error("a row that stays is changed or deleted", "fault"),
  TG091: error("a transfer does not balance, or not in one statement", "fault"),
  TG092: error("what a row keeps is changed", "fault"),
  TG093: error("a closed account is changed", "fault"),
  TG094: error("an order, quote or request leaves its path", "fault"),
  TG095: error("a refund leaves its path", "fault"),
  TG096: error("a state without its transfer or event", "fault"),
  TG097: error("a transfer does not match its record", "fault"),
  TG098: error("a change without its audit record or approval", "fault"),
  // Concurrent payouts with one quote.
  payouts_quote_id_mode_key: error("the quote is used", ErrorCode.InvalidQuote),
};

/** The response to a database error with these names (constraint, SQLSTATE), if known. */
export const ledgerErrorResponse = (
  ...names: readonly (string | undefined)[]
): LedgerErrorResponse | undefined => names.flatMap((name) => LEDGER_ERRORS[name ?? ""]?.answer ?? [])[0];
