import { z } from "zod";
import { FieldRule } from "../errors/field-errors.js";
import { isStorable, modeSchema, timestamp } from "../fields.js";
import { orderStatusSchema, paymentMethodSchema } from "../public/orders.js";
import { newPasskeySchema, passkeySignatureSchema } from "./passkeys.js";

/**
 * Internal API of the payment page, server to server. Browsers never call it.
 *
 * Request headers: `X-Tillgate-Internal-Key` (always), `X-Tillgate-Client-Address` (the shopper's address), `X-Tillgate-Visitor` (the page's random
 * visitor ID; forms are bound to it) and values of its cookies: `X-Tillgate-Wallet-Session` when signed in, `X-Tillgate-Device` of a trusted device,
 * and `X-Tillgate-Witness` of a visitor who saw this order while it was pending.
 */
export const CHECKOUT_PATH = "/checkout/v1";

/** A rate with at most 10 significant digits: units of the order's currency per unit of the wallet's. */
export const checkoutRateSchema = z.string();

export const checkoutWalletSchema = z.object({
  wallet_id: z.uuid(),
  currency: z.string(),
  /** Formatted, `41.50 EUR`. */
  balance: z.string(),
  /** Whether the wallet's currency differs from the order's, so that a payment requires a quote. */
  converts: z.boolean(),
  /** Current price, formatted; null without a rate. Only a quote fixes a converted price. */
  price: z.string().nullable(),
  /** The rate net of the spread; null if nothing is converted or there is no rate. */
  rate: checkoutRateSchema.nullable(),
  sufficient: z.boolean(),
  /** The shortfall, formatted; null if the balance suffices or there is no price. */
  missing: z.string().nullable(),
});

/** A quote for paying from a wallet in another currency: single use, valid for 5 minutes, but no longer than the order. */
export const checkoutQuoteSchema = z.object({
  quote_id: z.uuid(),
  wallet_id: z.uuid(),
  /** Exact debit, formatted. */
  pays: z.string(),
  receives: z.string(),
  rate: checkoutRateSchema,
  /** The service's margin in the rate, in percent; null if unknown. */
  margin_percent: z.string().nullable(),
  from_currency: z.string(),
  to_currency: z.string(),
  sufficient: z.boolean(),
  missing: z.string().nullable(),
  expires_at: timestamp,
  expires_in_ms: z.int().nonnegative(),
});
export type CheckoutQuote = z.infer<typeof checkoutQuoteSchema>;

const HEX_COLOUR = /^#[0-9a-f]{6}$/;
const LOGO_ID = /^[0-9a-f]{64}$/;
export const LOGO_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

/** Backgrounds of the payment page that an accent colour must contrast with. */
export const PAGE_BACKGROUNDS = { light: ["#ffffff", "#f3f4f7"], dark: ["#10151d", "#1a212c"] } as const;

/** `text` is readable on `color`, and `color` on the page's backgrounds. */
const accentShadeSchema = z.object({
  color: z.string().regex(HEX_COLOUR),
  text: z.string().regex(HEX_COLOUR),
});
export type AccentShade = z.infer<typeof accentShadeSchema>;
/** A merchant's colour, adjusted if its contrast is too low. */
const accentSchema = z.object({ light: accentShadeSchema, dark: accentShadeSchema });
export type CheckoutAccent = z.infer<typeof accentSchema>;

export const checkoutMerchantSchema = z.object({
  name: z.string(),
  accent: accentSchema.nullable(),
  /** The picture is at `GET /checkout/v1/logos/{id}`; the ID is the SHA-256 of its bytes. */
  logo: z
    .object({
      id: z.string().regex(LOGO_ID),
      type: z.enum(LOGO_TYPES),
      width: z.int().positive(),
      height: z.int().positive(),
    })
    .nullable(),
});

export type CheckoutMerchant = z.infer<typeof checkoutMerchantSchema>;

/** `GET /checkout/v1/tills/{token}`: the target of a till's printed QR code. */
export const checkoutTillSchema = z.object({
  merchant_name: z.string(),
  name: z.string(),
  mode: modeSchema,
  /** Payment page of the till's open order, if any. */
  payment_url: z.string().nullable(),
});
export type CheckoutTill = z.infer<typeof checkoutTillSchema>;

/** A delivery for a sandbox order. */
export const checkoutDeliverySchema = z.object({
  id: z.string(),
  host: z.string(),
  state: z.enum(["delivered", "waiting", "failed"]),
  /** HTTP status of the last attempt; null if there was no response. */
  http_status: z.int().nullable(),
  /** The shop's own order status, if its response contains it. */
  order_status: z.string().nullable(),
});
export type CheckoutDelivery = z.infer<typeof checkoutDeliverySchema>;

/** `GET /checkout/v1/orders/{token}` */
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
    /** The shopper's language as set by the shop (BCP 47). */
    locale: z.string().nullable(),
    /** Content of the QR code; null for `payment_page` orders. */
    qr_data: z.string().nullable(),
    payment_url: z.string(),
    trx_id: z.string().nullable(),
    paid_at: timestamp.nullable(),
    /** Formatted; null while nothing is refunded. */
    refunded_amount: z.string().nullable(),
    /** Formatted; null while no refund is pending. */
    refund_pending_amount: z.string().nullable(),
    created_at: timestamp,
    expires_at: timestamp,
  }),
  /** Measured by the database's clock; 0 when the order has expired. */
  expires_in_ms: z.int().nonnegative(),
  /** The shop's URL with the order's status. It may give access to the shop's order, so only the payer and visitors who saw it pending get it. */
  return_to: z.string().nullable(),
  /** Whether the page redirects to `return_to`, because the order was just completed while this visitor had it open. */
  leads_back: z.boolean(),
  merchant: checkoutMerchantSchema,
  /** Null until the order is paid. Debit, rate and refunds are for the payer only. */
  payment: z
    .object({
      by_you: z.boolean(),
      paid_amount: z.string().nullable(),
      rate: checkoutRateSchema.nullable(),
      /** Refunds in the payer's currency, formatted; null without refunds or conversion. */
      received_back: z.string().nullable(),
    })
    .nullable(),
  shopper: z
    .object({
      name: z.string(),
      /** Whether the payment requires the PIN, because it was not entered for this order recently. */
      pin_needed: z.boolean(),
      /** Whether a passkey can confirm the payment instead of the PIN. */
      passkey: z.boolean(),
      /**
       * Whether the page offers to add a passkey: the PIN was just entered for this order, no passkey has been added since, and the shopper is not
       * the sandbox's shared shopper.
       */
      passkey_offered: z.boolean(),
      /** Whether wrong PINs for this account have locked out unknown devices. */
      wrong_pins_elsewhere: z.boolean(),
      /** The wallet in the order's currency. */
      wallet: checkoutWalletSchema.nullable(),
      /** All open wallets. The wallet in the order's currency is first. */
      wallets: z.array(checkoutWalletSchema),
    })
    .nullable(),
  /** Name of the sandbox's shared shopper, whom a signed-out visitor of a pending order can sign in as with one click; otherwise null. */
  open_shopper: z.string().nullable(),
  /** The account, with a masked name, that can pay by passkey on this device without signing in. Null if there is none, or when signed in. */
  recognised: z.object({ name: z.string() }).nullable(),
  /** The signed-in shopper's newest valid quote for this order. */
  quote: checkoutQuoteSchema.nullable(),
  /** Deliveries of the order's newest event; null in live mode and while the order is pending. */
  landings: z.array(checkoutDeliverySchema).nullable(),
  /** CSRF token, bound to visitor, session and order. */
  form_token: z.string(),
  /** Cookie that later proves that this visitor saw the order while it was pending. Null if the order is no longer pending. */
  witness: z.object({ token: z.string(), max_age_seconds: z.int().positive() }).nullable(),
});
export type CheckoutView = z.infer<typeof checkoutViewSchema>;

export const MAX_IDENTIFIER_LENGTH = 254;
export const PIN_DIGITS = 6;

const emptyAsAbsent = (value: unknown): unknown => (value === "" ? undefined : value);

export const formTokenSchema = z
  .string({ error: FieldRule.Required.text })
  .min(1, { error: FieldRule.Required.text })
  .max(2048);

/** `POST /checkout/v1/orders/{token}/cancel`, `/sign-out`, `/sandbox-approve`, `/sandbox-decline`, `/sandbox-sign-in`, `/passkeys/start` */
export const checkoutActionRequestSchema = z.object({ form_token: formTokenSchema });

/** The PIN's strength is not checked here. */
export const pinSchema = z
  .string({ error: FieldRule.Required.text })
  .regex(/^\d{6}$/, { error: `must be ${PIN_DIGITS} digits` });
const id = z.uuid({ error: "must be an id" });

/** `POST /checkout/v1/orders/{token}/quotes` */
export const quoteWalletRequestSchema = z.object({ form_token: formTokenSchema, wallet_id: id });

const paysFrom = {
  wallet_id: z.preprocess(emptyAsAbsent, id.optional()),
  quote_id: z.preprocess(emptyAsAbsent, id.optional()),
};

/**
 * `POST /checkout/v1/orders/{token}/pay`. Without IDs, the wallet in the order's currency pays. The PIN is required if it was last entered too long
 * ago, unless a passkey signs the challenge from `/passkey/start`. A PIN that is sent is verified.
 */
export const payRequestSchema = z.object({
  form_token: formTokenSchema,
  ...paysFrom,
  pin: z.preprocess(emptyAsAbsent, pinSchema.optional()),
  passkey: z.preprocess(emptyAsAbsent, passkeySignatureSchema.optional()),
});
export type PayRequest = z.infer<typeof payRequestSchema>;

/** `POST /checkout/v1/orders/{token}/passkey/start` */
export const passkeyPaymentRequestSchema = z.object({ form_token: formTokenSchema, ...paysFrom });

/** `POST /checkout/v1/orders/{token}/passkeys`, after `/passkeys/start` */
export const addPasskeyRequestSchema = z.object({
  form_token: formTokenSchema,
  credential: newPasskeySchema,
});
export type AddPasskeyRequest = z.infer<typeof addPasskeyRequestSchema>;

/** Phone number in any usual notation, or case-insensitive e-mail. */
export const identifierSchema = z
  .string({ error: FieldRule.Required.text })
  .trim()
  .min(1, { error: FieldRule.Required.text })
  .refine(isStorable, { error: "must not contain NUL characters or invalid Unicode" })
  .max(MAX_IDENTIFIER_LENGTH, { error: `must not be longer than ${MAX_IDENTIFIER_LENGTH} characters` });

/** `POST /checkout/v1/orders/{token}/sign-in` */
export const signInRequestSchema = z.object({
  form_token: formTokenSchema,
  identifier: identifierSchema,
  pin: pinSchema,
  /** If false, the session ends with the browser. */
  stay_signed_in: z.boolean({ error: "must be true or false" }).default(false),
});
export type SignInRequest = z.input<typeof signInRequestSchema>;

/** Opaque session token for an HttpOnly cookie; a null age makes it a session cookie. */
const walletSession = z.object({ session: z.string(), max_age_seconds: z.int().positive().nullable() });

/** Response of `/sign-in` and `/sandbox-sign-in`. */
export const signInResponseSchema = walletSession.extend({
  /** The token of the trusted device, on which wrong PINs entered elsewhere cannot lock the shopper out. */
  device: z.object({ token: z.string(), max_age_seconds: z.int().positive() }),
  /** Whether wrong PINs had locked out unknown devices before this sign-in. */
  wrong_pins_before: z.boolean(),
});

/** A renewed session to set as the cookie; the old token expires soon. Null if the token was not renewed. */
export const renewedSessionSchema = walletSession.nullable();

/** Response of pay, cancel, sign-out, approve and decline. */
export const checkoutActionResponseSchema = z.object({
  status: orderStatusSchema,
  /** Whether the same shopper had already done this, so that nothing changed. */
  repeated: z.boolean(),
  renewed_session: renewedSessionSchema,
});

export const checkoutQuoteResponseSchema = z.object({
  quote: checkoutQuoteSchema,
  renewed_session: renewedSessionSchema,
});

/**
 * `GET /checkout/v1/orders/{token}/status`, and one server-sent event of `GET /checkout/v1/orders/{token}/events` (`event: status`, `id:` = version;
 * heartbeats are in live-stream.ts).
 */
export const checkoutStatusSchema = z.object({
  status: orderStatusSchema,
  version: z.int().positive(),
  expires_in_ms: z.int().nonnegative(),
});
export type CheckoutStatus = z.infer<typeof checkoutStatusSchema>;

/** W3C Trace Context of the call that created the order; null if it was not traced. */
export const checkoutTraceSchema = z.object({ traceparent: z.string().nullable() });
