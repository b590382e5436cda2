import { z } from "zod";
import { FieldRule } from "../errors/field-errors.js";
import { isStorable, modeSchema, timestamp } from "../fields.js";
import { orderStatusSchema, paymentMethodSchema } from "../public/orders.js";
import { newPasskeySchema, passkeySignatureSchema } from "./passkeys.js";

/**
 * The checkout edge: the hosted page's calls to the api, server to server, under `/checkout/v1`. No browser calls it.
 *
 * Request headers: `X-Tillgate-Internal-Key` (always), `X-Tillgate-Client-Address` (the shopper's address),
 * `X-Tillgate-Visitor` (the page's random visitor id; forms are bound to it) and what else its cookies hold:
 * `X-Tillgate-Wallet-Session` when signed in, `X-Tillgate-Device` where an account has signed in before, and
 * `X-Tillgate-Witness` where this order was seen while it was pending.
 */
export const CHECKOUT_PATH = "/checkout/v1";

/** A rate as the page shows it: at most 10 significant digits, units of the order's currency for one of the wallet's. */
export const checkoutRateSchema = z.string();

export const checkoutWalletSchema = z.object({
  wallet_id: z.uuid(),
  currency: z.string(),
  /** Formatted, `41.50 EUR`. */
  balance: z.string(),
  /** Another currency than the order's: paying from it needs a quote. */
  converts: z.boolean(),
  /** The price from it now, formatted. Where it converts, only a quote fixes it. Null: no rate, it cannot pay. */
  price: z.string().nullable(),
  /** After the spread; null unless it converts and there is a rate. */
  rate: checkoutRateSchema.nullable(),
  sufficient: z.boolean(),
  /** Formatted: the price less the balance; null where it suffices or there is no price. */
  missing: z.string().nullable(),
});

/** The price from a wallet in another currency, fixed for min(5 minutes, the order's expiry) and for one payment. */
export const checkoutQuoteSchema = z.object({
  quote_id: z.uuid(),
  wallet_id: z.uuid(),
  /** What leaves the wallet, formatted and exact. */
  pays: z.string(),
  /** The order's amount, formatted. */
  receives: z.string(),
  rate: checkoutRateSchema,
  /** What of the rate is the service's margin, in percent; null where that is not known. */
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

/** The grounds of the payment page that an accent colour must stand out from. */
export const PAGE_BACKGROUNDS = { light: ["#ffffff", "#f3f4f7"], dark: ["#10151d", "#1a212c"] } as const;

/** `text` is readable on `color`, and `color` shows on the page's grounds of its kind. */
const accentShadeSchema = z.object({
  color: z.string().regex(HEX_COLOUR),
  text: z.string().regex(HEX_COLOUR),
});
export type AccentShade = z.infer<typeof accentShadeSchema>;
/** A merchant's colour, unchanged where it works and shifted where it does not. */
const accentSchema = z.object({ light: accentShadeSchema, dark: accentShadeSchema });
export type CheckoutAccent = z.infer<typeof accentSchema>;

/** The merchant, as the page shows it. */
export const checkoutMerchantSchema = z.object({
  name: z.string(),
  accent: accentSchema.nullable(),
  /** The picture is at `GET /checkout/v1/logos/{id}`; the id is the SHA-256 of its bytes. */
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

/** `GET /checkout/v1/tills/{token}`: what the printed code of a till opens. */
export const checkoutTillSchema = z.object({
  merchant_name: z.string(),
  name: z.string(),
  mode: modeSchema,
  /** The page of the order that is open there; null while none is. */
  payment_url: z.string().nullable(),
});
export type CheckoutTill = z.infer<typeof checkoutTillSchema>;

/** Where a webhook about an order of the sandbox goes, and what became of it. */
export const checkoutDeliverySchema = z.object({
  /** Of the delivery. */
  id: z.string(),
  host: z.string(),
  state: z.enum(["delivered", "waiting", "failed"]),
  /** Of the last attempt; null where there was none, or no answer. */
  http_status: z.int().nullable(),
  /** How the shop's order stands now, in the shop's own word, where its answer says it. */
  order_status: z.string().nullable(),
});
export type CheckoutDelivery = z.infer<typeof checkoutDeliverySchema>;

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
    /** What the shop says of its shopper's language, a tag of BCP 47. */
    locale: z.string().nullable(),
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
  /**
   * Where the shopper goes after this order: return_url or cancel_url with the status in its query. It may open the order
   * at the shop, so only the payer, and visitors who had the page open while the order was pending, get it.
   */
  return_to: z.string().nullable(),
  /** The page leads there automatically: the order was settled just now, before this visitor's eyes. */
  leads_back: z.boolean(),
  merchant: checkoutMerchantSchema,
  /** Null until the order is paid. Debit, rate and what came back are for the payer only. */
  payment: z
    .object({
      by_you: z.boolean(),
      paid_amount: z.string().nullable(),
      rate: checkoutRateSchema.nullable(),
      /** What came back into the payer's wallet, formatted; null where nothing did, or nothing was converted. */
      received_back: z.string().nullable(),
    })
    .nullable(),
  /** The signed-in shopper, or null. */
  shopper: z
    .object({
      name: z.string(),
      /** The payment must carry the PIN: it was not entered for this order in the last minutes. */
      pin_needed: z.boolean(),
      /** A passkey may confirm the payment in place of the PIN. */
      passkey: z.boolean(),
      /** The PIN was entered for this order just now, and no passkey was added since: one may be. Never to the sandbox's shared shopper. */
      passkey_offered: z.boolean(),
      /** Somebody entered wrong PINs for this account elsewhere, until strangers were locked out. */
      wrong_pins_elsewhere: z.boolean(),
      /** The wallet in the order's currency. */
      wallet: checkoutWalletSchema.nullable(),
      /** All open wallets, the one in the order's currency first. */
      wallets: z.array(checkoutWalletSchema),
    })
    .nullable(),
  /** As whom anybody signs in in one step while nobody is signed in; null in live, and where there is no such shopper. */
  open_shopper: z.string().nullable(),
  /**
   * While nobody is signed in: the account, masked, that has signed in on this device and may confirm with its passkey, from its
   * wallet in the order's currency.
   */
  recognised: z.object({ name: z.string() }).nullable(),
  /** The signed-in shopper's newest quote for this order that can still be used. */
  quote: checkoutQuoteSchema.nullable(),
  /** The webhooks about the order's end; null in live, and while it can be paid. */
  landings: z.array(checkoutDeliverySchema).nullable(),
  /** Goes into every form of this page; bound to visitor, session and order. */
  form_token: z.string(),
  /** For a cookie of this order's page: proves later that this visitor saw it pending. Null when it no longer is. */
  witness: z.object({ token: z.string(), max_age_seconds: z.int().positive() }).nullable(),
});
export type CheckoutView = z.infer<typeof checkoutViewSchema>;

export const MAX_IDENTIFIER_LENGTH = 254;
export const PIN_DIGITS = 6;

/** Forms send every field, filled or not. */
const emptyAsAbsent = (value: unknown): unknown => (value === "" ? undefined : value);

export const formTokenSchema = z
  .string({ error: FieldRule.Required.text })
  .min(1, { error: FieldRule.Required.text })
  .max(2048);

/** `POST /checkout/v1/orders/{token}/cancel`, `/sign-out`, `/sandbox-approve`, `/sandbox-decline`, `/sandbox-sign-in`, `/passkeys/start` */
export const checkoutActionRequestSchema = z.object({ form_token: formTokenSchema });

/** The PIN of a wallet, as it is sent: not whether it is a good one. */
export const pinSchema = z
  .string({ error: FieldRule.Required.text })
  .regex(/^\d{6}$/, { error: `must be ${PIN_DIGITS} digits` });
const id = z.uuid({ error: "must be an id" });

/** `POST /checkout/v1/orders/{token}/quotes`: for one of the shopper's wallets in another currency. */
export const quoteWalletRequestSchema = z.object({ form_token: formTokenSchema, wallet_id: id });

const paysFrom = {
  wallet_id: z.preprocess(emptyAsAbsent, id.optional()),
  quote_id: z.preprocess(emptyAsAbsent, id.optional()),
};

/**
 * `POST /checkout/v1/orders/{token}/pay`. Without ids: from the wallet in the order's currency. The PIN is needed where the
 * last one was entered too long ago, and is checked whenever it is sent; empty fields count as not sent. A passkey's
 * signature of what `/passkey/start` answered takes its place.
 */
export const payRequestSchema = z.object({
  form_token: formTokenSchema,
  ...paysFrom,
  pin: z.preprocess(emptyAsAbsent, pinSchema.optional()),
  passkey: z.preprocess(emptyAsAbsent, passkeySignatureSchema.optional()),
});
export type PayRequest = z.infer<typeof payRequestSchema>;

/** `POST /checkout/v1/orders/{token}/passkey/start`: what a passkey is to sign to confirm this payment from this wallet. */
export const passkeyPaymentRequestSchema = z.object({ form_token: formTokenSchema, ...paysFrom });
export type PasskeyPaymentRequest = z.infer<typeof passkeyPaymentRequestSchema>;

/** `POST /checkout/v1/orders/{token}/passkeys`, after `/passkeys/start`: a new passkey of the shopper. */
export const addPasskeyRequestSchema = z.object({
  form_token: formTokenSchema,
  credential: newPasskeySchema,
});
export type AddPasskeyRequest = z.infer<typeof addPasskeyRequestSchema>;

/** Phone in any usual spelling, or e-mail in any case. */
export const identifierSchema = z
  .string({ error: FieldRule.Required.text })
  .trim()
  .min(1, { error: FieldRule.Required.text })
  .refine(isStorable, { error: "must not contain NUL or broken characters" })
  .max(MAX_IDENTIFIER_LENGTH, { error: `must not be longer than ${MAX_IDENTIFIER_LENGTH} characters` });

/** `POST /checkout/v1/orders/{token}/sign-in` */
export const signInRequestSchema = z.object({
  form_token: formTokenSchema,
  identifier: identifierSchema,
  pin: pinSchema,
  /** The shopper's choice to stay signed in on this device; else the session ends with the browser. */
  stay_signed_in: z.boolean({ error: "must be true or false" }).default(false),
});
export type SignInRequest = z.input<typeof signInRequestSchema>;

/** An opaque session for the page's HttpOnly cookie; without an age the cookie ends with the browser. */
const walletSession = z.object({ session: z.string(), max_age_seconds: z.int().positive().nullable() });

/** The answer of `/sign-in` and `/sandbox-sign-in`. */
export const signInResponseSchema = walletSession.extend({
  /** For a long-lived cookie. PINs with it are the account's own, so a stranger cannot lock them out. */
  device: z.object({ token: z.string(), max_age_seconds: z.int().positive() }),
  /** So many wrong PINs came before this right one that strangers were locked out. */
  wrong_pins_before: z.boolean(),
});

/** A session whose cookie must be set again; the old value ends soon. Null: the cookie stays the same. */
export const renewedSessionSchema = walletSession.nullable();

/** The answer of pay, cancel, sign-out, approve and decline. */
export const checkoutActionResponseSchema = z.object({
  status: orderStatusSchema,
  /** The same shopper had done it before; nothing moved now. */
  repeated: z.boolean(),
  renewed_session: renewedSessionSchema,
});

export const checkoutQuoteResponseSchema = z.object({
  quote: checkoutQuoteSchema,
  renewed_session: renewedSessionSchema,
});

/**
 * `GET /checkout/v1/orders/{token}/status`, and one message of `GET /checkout/v1/orders/{token}/events` (server-sent
 * events, `event: status`, `id:` = version; between them signs of life, see live-stream.ts).
 */
export const checkoutStatusSchema = z.object({
  status: orderStatusSchema,
  version: z.int().positive(),
  expires_in_ms: z.int().nonnegative(),
});
export type CheckoutStatus = z.infer<typeof checkoutStatusSchema>;
