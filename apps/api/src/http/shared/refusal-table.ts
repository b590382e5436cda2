import type { CheckoutReason } from "@tillgate/contract";
import { Refusal } from "../../operations/errors.js";

type Answer = { status: number; text: string; reason?: CheckoutReason };

/** Status and text of every refusal; `{currency}` stands for the code in question, in one place (the wire contract's envelopes); `reason` is for the payment page. */
export const REFUSAL_ANSWERS: Record<Refusal, Answer> = {
  [Refusal.OrderNotFound]: { status: 404, text: "Order not found", reason: "not_found" },
  [Refusal.RefundNotFound]: { status: 404, text: "Refund not found" },
  [Refusal.TransactionNotFound]: { status: 404, text: "Transaction not found" },
  [Refusal.InvalidFields]: { status: 400, text: "Invalid fields", reason: "invalid_field" },
  [Refusal.OnlyPendingCanBeCancelled]: { status: 422, text: "Only pending orders can be cancelled" },
  [Refusal.RefundExceedsPayment]: { status: 422, text: "Refund exceeds original amount" },
  [Refusal.InsufficientBalance]: {
    status: 422,
    text: "Insufficient balance.",
    reason: "insufficient_balance",
  },
  [Refusal.TransactionNotRefundable]: { status: 422, text: "Transaction not refundable" },
  [Refusal.IdempotencyKeyReused]: {
    status: 409,
    text: "The idempotency key was already used for a request with other fields",
  },
  [Refusal.InvalidCredentials]: { status: 401, text: "Invalid API credentials." },
  [Refusal.WrongMode]: { status: 401, text: "Invalid API credentials." },
  [Refusal.InvalidSecretId]: { status: 400, text: "Invalid secret ID" },
  [Refusal.InvalidAccessToken]: { status: 403, text: "Requested with invalid token!" },
  [Refusal.PartnerApiDisabled]: { status: 403, text: "Partner payout API is not enabled for this account." },
  [Refusal.RecipientNotFound]: { status: 404, text: "Recipient not found or inactive." },
  [Refusal.RecipientInactive]: { status: 400, text: "Recipient not found or inactive." },
  [Refusal.InvalidLookupToken]: { status: 400, text: "Invalid or expired lookup token." },
  [Refusal.InvalidQuote]: { status: 400, text: "Invalid or expired quote." },
  [Refusal.MerchantWalletNotFound]: {
    status: 400,
    text: "Merchant wallet not found for currency: {currency}",
  },
  [Refusal.InvalidReceiverCurrency]: { status: 400, text: "Invalid receiver currency." },
  [Refusal.RecipientHasNoWallet]: { status: 400, text: "Recipient has no wallet for currency: {currency}" },
  [Refusal.RecipientWalletNotFound]: {
    status: 400,
    text: "Recipient wallet not found for currency: {currency}",
  },
  [Refusal.CurrencyNotAuthorized]: {
    status: 400,
    text: "Currency {currency} is not authorized for payouts.",
  },
  [Refusal.PerTransactionLimitExceeded]: { status: 400, text: "Amount exceeds per-transaction limit" },
  [Refusal.DailyLimitExceeded]: { status: 400, text: "Daily payout limit exceeded" },
  [Refusal.MonthlyLimitExceeded]: { status: 400, text: "Monthly payout limit exceeded" },
  [Refusal.DuplicateReference]: { status: 400, text: "Duplicate reference." },
  [Refusal.InsufficientPayoutBalance]: { status: 400, text: "Insufficient balance." },
  [Refusal.PayoutNotFound]: { status: 404, text: "Payout not found" },
  [Refusal.AlreadyDecided]: { status: 409, text: "It is already decided" },
  [Refusal.MerchantNotFound]: { status: 404, text: "Merchant not found" },
  [Refusal.CredentialNotFound]: { status: 404, text: "Credential not found" },
  [Refusal.CredentialRevoked]: { status: 409, text: "The credential is revoked" },
  [Refusal.RotationUnderWay]: {
    status: 409,
    text: "The credential was rotated already and its old secret still works",
  },
  [Refusal.DeliveryNotFound]: { status: 404, text: "Delivery not found" },
  [Refusal.ReceiverInactive]: {
    status: 409,
    text: "The receiver is disabled or removed: enable it before sending again",
  },
  [Refusal.TooManyRequests]: { status: 429, text: "Too many requests" },
  [Refusal.MerchantSuspended]: { status: 403, text: "This account is suspended." },
  [Refusal.FormRejected]: { status: 403, text: "The form is no longer valid", reason: "form_rejected" },
  [Refusal.WrongSignIn]: { status: 401, text: "Phone, e-mail or PIN is not right", reason: "wrong_sign_in" },
  [Refusal.TooManyAttempts]: { status: 429, text: "Too many attempts", reason: "too_many_attempts" },
  [Refusal.NotSignedIn]: { status: 401, text: "Nobody is signed in", reason: "not_signed_in" },
  [Refusal.NoWallet]: { status: 422, text: "No wallet in this currency", reason: "no_wallet" },
  [Refusal.OrderExpired]: { status: 422, text: "The order has expired", reason: "expired" },
  [Refusal.OrderCancelled]: { status: 422, text: "The order was cancelled", reason: "cancelled" },
  [Refusal.OrderAlreadyPaid]: { status: 422, text: "The order is already paid", reason: "already_paid" },
  [Refusal.NotPayableNow]: {
    status: 422,
    text: "The order cannot be paid right now",
    reason: "not_payable_now",
  },
  [Refusal.SandboxOnly]: { status: 422, text: "Only in the sandbox", reason: "sandbox_only" },
};
