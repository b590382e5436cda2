import { z } from "zod";
import { amount, currencyCode, displayName, modeSchema, optional, timestamp } from "../fields.js";
import {
  checkoutRateSchema,
  formTokenSchema,
  identifierSchema,
  pinSchema,
  renewedSessionSchema,
  signInRequestSchema,
} from "./checkout.js";

/**
 * The shopper's wallet at the pay origin: the same edge, callers and headers as the payment page (checkout.ts), below
 * `/checkout/v1/wallet`. Who is signed in on the payment page is signed in here, and the other way round. The page also sends
 * `X-Tillgate-Client-Browser`, the browser's own words, so that a shopper knows a device again in the list of them.
 */
export const WALLET_PATH = "/checkout/v1/wallet";

/** `GET /checkout/v1/wallet`: the signed-in shopper and the wallets' balances. */
export const walletViewSchema = z.object({
  /** Null when signed out. */
  shopper: z
    .object({
      name: z.string(),
      mode: modeSchema,
      phone: z.string().nullable(),
      email: z.string().nullable(),
      /** Somebody entered wrong PINs for this account elsewhere, until strangers were locked out. */
      wrong_pins_elsewhere: z.boolean(),
      /** The PIN was reset by phone or e-mail alone: name, contacts, balances (`••• EUR`) and earlier activity are hidden. */
      hidden: z.boolean(),
    })
    .nullable(),
  /** The mode in which this installation's shoppers sign in, where the address names none. */
  usual_mode: modeSchema,
  /** Open wallets, by currency. */
  wallets: z.array(
    z.object({
      wallet_id: z.uuid(),
      currency: z.string(),
      /** Formatted, `41.50 EUR`. */
      balance: z.string(),
    }),
  ),
  /** Goes into every form; bound to visitor and session. */
  form_token: z.string(),
});
export type WalletView = z.infer<typeof walletViewSchema>;

/** `POST /checkout/v1/wallet/sign-in`: a PIN that is entered here counts for no order. Answers as the payment page's. */
export const walletSignInRequestSchema = signInRequestSchema.extend({ mode: modeSchema });
export type WalletSignInRequest = z.input<typeof walletSignInRequestSchema>;

/** `POST …/sign-out`, `…/sign-out-everywhere`, `…/sessions/{id}/end`, `…/devices/{id}/forget` */
export const walletActionRequestSchema = z.object({ form_token: formTokenSchema });
export const walletActionResponseSchema = z.object({
  renewed_session: renewedSessionSchema,
  /** Whether this ended the current session. */
  signed_out: z.boolean(),
});
export type WalletActionResponse = z.infer<typeof walletActionResponseSchema>;

/** `POST /checkout/v1/wallet/pin`: always requires the current PIN. */
export const changePinRequestSchema = z.object({
  form_token: formTokenSchema,
  pin: pinSchema,
  new_pin: pinSchema,
});
export type ChangePinRequest = z.infer<typeof changePinRequestSchema>;

export const WALLET_ACTIVITY_KINDS = [
  "payment",
  "refund",
  "payout",
  "deposit",
  "withdrawal",
  "top_up",
  "conversion",
] as const;

/** One movement of a wallet. */
export const walletActivitySchema = z.object({
  id: z.uuid(),
  kind: z.enum(WALLET_ACTIVITY_KINDS),
  direction: z.enum(["in", "out"]),
  /** Formatted, without a sign. */
  amount: z.string(),
  /** The other side; null where money came from or went outside. */
  merchant_name: z.string().nullable(),
  description: z.string().nullable(),
  /** Of a conversion: what the other wallet got or gave, formatted. */
  counter_amount: z.string().nullable(),
  /** Of a payment or refund that was converted: what the merchant got or refunded, formatted. */
  merchant_amount: z.string().nullable(),
  created_at: timestamp,
});
export type WalletActivity = z.infer<typeof walletActivitySchema>;

const place = z.uuid({ error: "must be an id" }).optional();

/** `GET /checkout/v1/wallet/activity`: newest first, with the id of a movement as cursor. */
export const walletActivityQuerySchema = z.object({
  currency: z
    .string()
    .regex(/^[A-Z0-9]{2,10}$/, { error: "must be a currency code" })
    .optional(),
  before: place,
  after: place,
});
export type WalletActivityQuery = z.infer<typeof walletActivityQuerySchema>;

export const walletActivityPageSchema = z.object({
  activity: z.array(walletActivitySchema),
  /** `before` of the page of older movements; null: there are none. */
  next: z.uuid().nullable(),
  /** `after` of the page of newer ones. */
  previous: z.uuid().nullable(),
});
export type WalletActivityPage = z.infer<typeof walletActivityPageSchema>;

/** `GET /checkout/v1/wallet/activity/{id}`: the receipt of a movement. */
export const walletReceiptSchema = walletActivitySchema.extend({
  payment: z
    .object({
      order_id: z.string(),
      trx_id: z.string().nullable(),
      reference: z.string().nullable(),
      /** What the merchant got, formatted. */
      price: z.string(),
      /** Units of the merchant's currency for one of the wallet's; null where nothing was converted. */
      rate: checkoutRateSchema.nullable(),
      payment_url: z.string(),
      refunds: z.array(
        z.object({
          refund_id: z.string(),
          status: z.enum(["pending", "completed"]),
          /** What the merchant gives, formatted. */
          amount: z.string(),
          /** What came back into the wallet, formatted; null while it is pending. */
          received: z.string().nullable(),
          /** Its own receipt; null where nothing has come back. */
          activity_id: z.uuid().nullable(),
          created_at: timestamp,
        }),
      ),
    })
    .nullable(),
  refund: z
    .object({
      refund_id: z.string(),
      order_id: z.string(),
      /** The receipt of the payment. */
      payment_id: z.uuid(),
    })
    .nullable(),
  conversion: z
    .object({ rate: checkoutRateSchema, from_currency: z.string(), to_currency: z.string() })
    .nullable(),
  payout: z.object({ payout_id: z.string(), trx_id: z.string().nullable() }).nullable(),
});
export type WalletReceipt = z.infer<typeof walletReceiptSchema>;

/** `GET /checkout/v1/wallet/sign-ins`: sessions, trusted devices and passkeys. */
export const walletSignInsSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.uuid(),
      /** The browser's own words; empty where it said none. */
      browser: z.string(),
      signed_in_at: timestamp,
      expires_at: timestamp,
      /** The shopper chose to stay signed in. */
      remembered: z.boolean(),
      current: z.boolean(),
    }),
  ),
  devices: z.array(
    z.object({
      id: z.uuid(),
      browser: z.string(),
      /** When the account last signed in there. */
      used_at: timestamp,
      current: z.boolean(),
    }),
  ),
  /** The shopper's passkeys, the newest first. */
  passkeys: z.array(
    z.object({
      id: z.uuid(),
      added_at: timestamp,
      /** When it last confirmed a payment. */
      used_at: timestamp.nullable(),
    }),
  ),
});
export type WalletSignIns = z.infer<typeof walletSignInsSchema>;

/**
 * What a shopper does alone in the sandbox: make a wallet, set a forgotten PIN, top up, convert. In live mode an operator opens
 * wallets and resets PINs, and money comes from outside: every one of these is refused there.
 */

export const MAX_SHOPPER_NAME_LENGTH = 120;

/** `POST /checkout/v1/wallet/shoppers`: registers a shopper and signs in. Responds like sign-in. */
export const registerShopperRequestSchema = z.object({
  form_token: formTokenSchema,
  mode: modeSchema,
  name: displayName(MAX_SHOPPER_NAME_LENGTH),
  /** With its country code. One of phone and e-mail is needed. */
  phone: optional(identifierSchema),
  email: optional(identifierSchema),
  pin: pinSchema,
  /** The payment that the wallet is made for: the PIN counts for it. */
  order_token: optional(z.string().max(200)),
  /** The first wallet, and what it holds to begin with. */
  currency: currencyCode,
  amount: optional(amount),
});
export type RegisterShopperRequest = z.input<typeof registerShopperRequestSchema>;

/** `POST /checkout/v1/wallet/pin-resets`: resets a forgotten PIN and signs in. Responds like sign-in. */
export const resetPinRequestSchema = z.object({
  form_token: formTokenSchema,
  mode: modeSchema,
  identifier: identifierSchema,
  new_pin: pinSchema,
});
export type ResetPinRequest = z.input<typeof resetPinRequestSchema>;

/** `GET /checkout/v1/wallet/currencies`: currencies in which wallets can be opened. */
export const walletCurrenciesSchema = z.object({
  currencies: z.array(z.object({ currency: z.string(), name: z.string() })),
});
export type WalletCurrencies = z.infer<typeof walletCurrenciesSchema>;

/** `POST /checkout/v1/wallet/top-ups`: idempotent by key and amount. */
export const topUpRequestSchema = z.object({
  form_token: formTokenSchema,
  currency: currencyCode,
  amount,
  key: z.uuid({ error: "must be an id" }),
});
export type TopUpRequest = z.input<typeof topUpRequestSchema>;

/** Response of a top-up and of a confirmed conversion. */
export const walletTransferResponseSchema = z.object({
  /** Of the movement. */
  activity_id: z.uuid(),
  renewed_session: renewedSessionSchema,
});
export type WalletTransferResponse = z.infer<typeof walletTransferResponseSchema>;

/** `POST /checkout/v1/wallet/conversions`: quotes a conversion. */
export const quoteConversionRequestSchema = z.object({
  form_token: formTokenSchema,
  from_currency: currencyCode,
  to_currency: currencyCode,
  amount,
});
export type QuoteConversionRequest = z.input<typeof quoteConversionRequestSchema>;

/** `GET /checkout/v1/wallet/conversions/{id}`: a quote, and whether it was used. */
export const walletConversionSchema = z.object({
  id: z.uuid(),
  /** What leaves the one wallet and reaches the other, formatted and exact. */
  gives: z.string(),
  gets: z.string(),
  rate: checkoutRateSchema,
  /** What of the rate is the service's margin, in percent; null where that is not known. */
  margin_percent: z.string().nullable(),
  from_currency: z.string(),
  to_currency: z.string(),
  expires_at: timestamp,
  expires_in_ms: z.int().nonnegative(),
  /** The resulting movement; null if not confirmed. */
  activity_id: z.uuid().nullable(),
});
export type WalletConversion = z.infer<typeof walletConversionSchema>;

/** `POST /checkout/v1/wallet/conversions`, and `POST …/conversions/{id}/confirm` with a form token only. */
export const walletConversionResponseSchema = z.object({
  conversion: walletConversionSchema,
  renewed_session: renewedSessionSchema,
});
