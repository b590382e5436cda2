import { z } from "zod";
import { modeSchema, storable, timestamp } from "./fields.js";
import { orderStatusSchema, paymentMethodSchema } from "./orders.js";

/**
 * The checkout edge: what the hosted page asks the api, server to server, under `/checkout/v1`. No browser calls it.
 *
 * Request headers: `X-Tillgate-Internal-Key` (always), `X-Tillgate-Client-Address` (the shopper's address),
 * `X-Tillgate-Visitor` (the page's random visitor id; forms are bound to it) and, when signed in,
 * `X-Tillgate-Wallet-Session`.
 */
export const CHECKOUT_PATH = "/checkout/v1";

/** Why a step of the checkout was refused; the page shows its own text for each. */
export const checkoutReasonSchema = z.enum([
  "form_rejected",
  "wrong_sign_in",
  "too_many_attempts",
  "not_signed_in",
  "no_wallet",
  "insufficient_balance",
  "expired",
  "cancelled",
  "already_paid",
  "not_payable_now",
  "sandbox_only",
  "not_found",
  "invalid_field",
]);
export type CheckoutReason = z.infer<typeof checkoutReasonSchema>;

export const checkoutWalletSchema = z.object({
  wallet_id: z.uuid(),
  currency: z.string(),
  /** Formatted, `41.50 EUR`. */
  balance: z.string(),
  sufficient: z.boolean(),
});

/** All that the page shows of one order. `GET /checkout/v1/orders/{token}` */
export const checkoutViewSchema = z.object({
  order: z.object({
    order_id: z.string(),
    mode: modeSchema,
    status: orderStatusSchema,
    version: z.int().positive(),
    merchant_name: z.string(),
    description: z.string().nullable(),
    reference: z.string().nullable(),
    /** Formatted, `41.50 EUR`. */
    amount: z.string(),
    currency: z.string(),
    payment_method: paymentMethodSchema,
    /** What the QR encodes; null where the shop wants no QR. */
    qr_data: z.string().nullable(),
    payment_url: z.string(),
    trx_id: z.string().nullable(),
    paid_at: timestamp.nullable(),
    /** Formatted; null while nothing is refunded. */
    refunded_amount: z.string().nullable(),
    created_at: timestamp,
    expires_at: timestamp,
  }),
  /** Milliseconds until the order expires by the database's clock; 0 when it has. */
  expires_in_ms: z.int().nonnegative(),
  /** Where the shopper goes when this order is settled: return_url or cancel_url with the status in its query. */
  return_to: z.string().nullable(),
  /** The signed-in shopper, or null. `wallet` is the one in the order's currency. */
  shopper: z.object({ name: z.string(), wallet: checkoutWalletSchema.nullable() }).nullable(),
  /** Goes into every form of this page; bound to visitor, session and order. */
  form_token: z.string(),
});
export type CheckoutView = z.infer<typeof checkoutViewSchema>;

export const MAX_IDENTIFIER_LENGTH = 254;
export const PIN_DIGITS = 6;

const formToken = z.string({ error: "is required" }).min(1, { error: "is required" }).max(2048);

/** `POST /checkout/v1/orders/{token}/pay`, `/cancel`, `/sign-out`, `/sandbox-approve`, `/sandbox-decline` */
export const checkoutActionRequestSchema = z.object({ form_token: formToken });

/** `POST /checkout/v1/orders/{token}/sign-in`: phone in any usual spelling or e-mail in any case, and the PIN. */
export const signInRequestSchema = z.object({
  form_token: formToken,
  identifier: z
    .string({ error: "is required" })
    .trim()
    .min(1, { error: "is required" })
    .refine(storable, { error: "must not contain NUL or broken characters" })
    .max(MAX_IDENTIFIER_LENGTH, { error: `must not be longer than ${MAX_IDENTIFIER_LENGTH} characters` }),
  pin: z.string({ error: "is required" }).regex(/^\d{6}$/, { error: `must be ${PIN_DIGITS} digits` }),
});
export type SignInRequest = z.infer<typeof signInRequestSchema>;

/** The answer of a sign-in: an opaque session for the page's HttpOnly cookie. */
export const signInAnswerSchema = z.object({ session: z.string(), max_age_seconds: z.int().positive() });

/** The answer of pay, cancel, approve and decline. */
export const checkoutActionAnswerSchema = z.object({ status: orderStatusSchema });

/** One message of `GET /checkout/v1/orders/{token}/events` (server-sent events, `event: status`, `id:` = version). */
export const checkoutStatusSchema = z.object({
  status: orderStatusSchema,
  version: z.int().positive(),
  expires_in_ms: z.int().nonnegative(),
});
export type CheckoutStatus = z.infer<typeof checkoutStatusSchema>;
