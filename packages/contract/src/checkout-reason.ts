import { z } from "zod";

/** Why a step of the checkout was refused; the page shows its own text for each. */
export const checkoutReasonSchema = z.enum([
  "form_rejected",
  "wrong_sign_in",
  "wrong_pin",
  "pin_needed",
  "passkey_refused",
  "too_many_passkeys",
  "locked",
  "device_locked",
  "too_many_attempts",
  "not_signed_in",
  "no_wallet",
  "wallet_closed",
  "insufficient_balance",
  "no_rate",
  "quote_expired",
  "expired",
  "cancelled",
  "already_paid",
  "not_payable_now",
  "link_used",
  "sandbox_only",
  "not_found",
  "invalid_field",
  "trivial_pin",
  "same_pin",
  "identifier_taken",
  "unknown_shopper",
  "conversion_expired",
]);
export type CheckoutReason = z.infer<typeof checkoutReasonSchema>;
