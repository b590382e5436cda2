import { FieldRule, Refusal } from "@tillgate/contract";
import { OperationError, wrongField } from "../operation-error.js";

/**
 * The refusals that the SQL functions raise after re-checking, under their locks, what can race. `TG010` and `TG011`
 * (an order that is settled or has expired) and `TG022` (a closed wallet) mean different things to different operations,
 * which map them themselves.
 */
const REFUSALS: Record<string, Refusal> = {
  TG001: Refusal.OrderNotFound,
  TG002: Refusal.TransactionNotFound,
  TG012: Refusal.NotPayableNow,
  TG013: Refusal.MerchantSuspended,
  TG020: Refusal.InsufficientBalance,
  TG021: Refusal.RefundExceedsPayment,
  TG024: Refusal.NoWallet,
  TG030: Refusal.IdempotencyKeyReused,
  TG003: Refusal.PayoutNotFound,
  TG004: Refusal.RefundNotFound,
  TG040: Refusal.InvalidQuote,
  TG041: Refusal.DuplicateReference,
  TG042: Refusal.DailyLimitExceeded,
  TG043: Refusal.MonthlyLimitExceeded,
  TG044: Refusal.AlreadyDecided,
  TG045: Refusal.RecipientInactive,
  TG046: Refusal.ShopperQuoteUnusable,
  TG047: Refusal.PerTransactionLimitExceeded,
  TG048: Refusal.CurrencyNotAuthorized,
  TG049: Refusal.MerchantWalletNotFound,
  TG050: Refusal.InvalidReceiverCurrency,
  TG060: Refusal.ReferenceTaken,
  TG061: Refusal.RequestNotFound,
  TG062: Refusal.NeedsSecondAdministrator,
  TG063: Refusal.NotAnAdministrator,
  TG064: Refusal.WalletNotFound,
  TG065: Refusal.CurrencyNotFound,
  TG066: Refusal.RaiseWaiting,
};

/** The order that was to be changed has left PENDING. */
export class OrderSettledError extends Error {}
/** The order that was to be changed has run out of time but is not expired yet. */
export class OrderOverdueError extends Error {}
/** A wallet that was to be debited or credited is closed. */
export class WalletClosedError extends Error {}

const constraintOf = (error: unknown): string | undefined =>
  error instanceof Error && "constraint" in error && typeof error.constraint === "string"
    ? error.constraint
    : undefined;

/** The SQLSTATE of a database error. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** What the caller of a SQL function gets instead of a database error; other errors pass unchanged. */
export function asRefusal(error: unknown): unknown {
  const code = codeOf(error);
  if (code === "TG010") return new OrderSettledError();
  if (code === "TG011") return new OrderOverdueError();
  if (code === "TG022") return new WalletClosedError();
  if (code === "TG023") return wrongField("currency", FieldRule.OwnCurrency.text);
  if (code === "TG025") return wrongField("currency", FieldRule.ActiveCurrency.text);
  // Two payouts from one quote at the same instant: the second meets the first's row.
  if (code === "23505" && constraintOf(error) === "payouts_quote_id_mode_key")
    return new OperationError(Refusal.InvalidQuote);
  const refusal = code === undefined ? undefined : REFUSALS[code];
  return refusal ? new OperationError(refusal) : error;
}

/** Whether the same call may succeed when it is made again: a deadlock or a serialization failure. */
export const isTransient = (error: unknown): boolean => ["40P01", "40001"].includes(codeOf(error) ?? "");

const RANDOM_IDS = [
  "orders_pkey",
  "orders_token_key",
  "orders_trx_id_key",
  "refunds_pkey",
  "payouts_pkey",
  "payouts_trx_id_key",
];

/** Whether a random id was taken already. */
export const isCollision = (error: unknown): boolean =>
  codeOf(error) === "23505" && RANDOM_IDS.includes(constraintOf(error) ?? "");
