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
 * Internal API of the shopper's wallet, with the callers, headers and session of the payment page's API (checkout.ts), and
 * `X-Tillgate-Client-Browser`, the browser's `User-Agent`.
 */
export const WALLET_PATH = "/checkout/v1/wallet";

/** `GET /checkout/v1/wallet` */
export const walletViewSchema = z.object({
  /** Null when signed out. */
  shopper: z
    .object({
      name: z.string(),
      mode: modeSchema,
      phone: z.string().nullable(),
      email: z.string().nullable(),
      /** Whether wrong PINs for this account have locked out unknown devices. */
      wrong_pins_elsewhere: z.boolean(),
      /** Whether name, contacts, balances (`••• EUR`) and earlier activity are hidden: the PIN reset required only a phone number or e-mail address. */
      hidden: z.boolean(),
    })
    .nullable(),
  /** The mode of sign-ins if the URL does not specify one. */
  usual_mode: modeSchema,
  /** Sorted by currency. */
  wallets: z.array(
    z.object({
      wallet_id: z.uuid(),
      currency: z.string(),
      /** Formatted, `41.50 EUR`. */
      balance: z.string(),
    }),
  ),
  /** CSRF token, bound to visitor and session. */
  form_token: z.string(),
});
export type WalletView = z.infer<typeof walletViewSchema>;

/** `POST /checkout/v1/wallet/sign-in`: the PIN entered here does not confirm payments. */
export const walletSignInRequestSchema = signInRequestSchema.extend({ mode: modeSchema });
export type WalletSignInRequest = z.input<typeof walletSignInRequestSchema>;

/** `POST …/sign-out`, `…/sign-out-everywhere`, `…/sessions/{id}/end`, `…/devices/{id}/forget` */
export const walletActionRequestSchema = z.object({ form_token: formTokenSchema });
export const walletActionResponseSchema = z.object({
  renewed_session: renewedSessionSchema,
  signed_out: z.boolean(),
});
export type WalletActionResponse = z.infer<typeof walletActionResponseSchema>;

/** `POST /checkout/v1/wallet/pin` */
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

export const walletActivitySchema = z.object({
  id: z.uuid(),
  kind: z.enum(WALLET_ACTIVITY_KINDS),
  direction: z.enum(["in", "out"]),
  /** Formatted, without a sign. */
  amount: z.string(),
  /** The merchant of a payment, refund or payout; otherwise null. */
  merchant_name: z.string().nullable(),
  description: z.string().nullable(),
  /** The amount credited to or debited from the other wallet of a conversion, formatted. */
  counter_amount: z.string().nullable(),
  /** The amount of a converted payment or refund in the merchant's currency, formatted. */
  merchant_amount: z.string().nullable(),
  created_at: timestamp,
});
export type WalletActivity = z.infer<typeof walletActivitySchema>;

const cursor = z.uuid({ error: "must be an id" }).optional();

/** `GET /checkout/v1/wallet/activity`: newest first; cursors are IDs of movements. */
export const walletActivityQuerySchema = z.object({
  currency: z
    .string()
    .regex(/^[A-Z0-9]{2,10}$/, { error: "must be a currency code" })
    .optional(),
  before: cursor,
  after: cursor,
});
export type WalletActivityQuery = z.infer<typeof walletActivityQuerySchema>;

export const walletActivityPageSchema = z.object({
  activity: z.array(walletActivitySchema),
  /** `before` of the page of older movements; null if there are none. */
  next: z.uuid().nullable(),
  /** `after` of the page of newer movements; null if there are none. */
  previous: z.uuid().nullable(),
});
export type WalletActivityPage = z.infer<typeof walletActivityPageSchema>;

/** `GET /checkout/v1/wallet/activity/{id}` */
export const walletReceiptSchema = walletActivitySchema.extend({
  payment: z
    .object({
      order_id: z.string(),
      trx_id: z.string().nullable(),
      reference: z.string().nullable(),
      /** The amount credited to the merchant, formatted. */
      price: z.string(),
      /** Units of the merchant's currency per unit of the wallet's; null without a conversion. */
      rate: checkoutRateSchema.nullable(),
      payment_url: z.string(),
      refunds: z.array(
        z.object({
          refund_id: z.string(),
          status: z.enum(["pending", "completed"]),
          /** In the merchant's currency, formatted. */
          amount: z.string(),
          /** The amount credited to the wallet, formatted; null while pending. */
          received: z.string().nullable(),
          /** Null until the refund is credited. */
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
      payment_id: z.uuid(),
    })
    .nullable(),
  conversion: z
    .object({ rate: checkoutRateSchema, from_currency: z.string(), to_currency: z.string() })
    .nullable(),
  payout: z.object({ payout_id: z.string(), trx_id: z.string().nullable() }).nullable(),
});
export type WalletReceipt = z.infer<typeof walletReceiptSchema>;

/** `GET /checkout/v1/wallet/sign-ins` */
export const walletSignInsSchema = z.object({
  sessions: z.array(
    z.object({
      id: z.uuid(),
      /** The `User-Agent` header, or empty. */
      browser: z.string(),
      signed_in_at: timestamp,
      expires_at: timestamp,
      remembered: z.boolean(),
      current: z.boolean(),
    }),
  ),
  devices: z.array(
    z.object({
      id: z.uuid(),
      browser: z.string(),
      /** The account's last sign-in on the device. */
      used_at: timestamp,
      current: z.boolean(),
    }),
  ),
  /** Newest first. */
  passkeys: z.array(
    z.object({
      id: z.uuid(),
      added_at: timestamp,
      /** The last payment confirmed with the passkey; null if there was none. */
      used_at: timestamp.nullable(),
    }),
  ),
});
export type WalletSignIns = z.infer<typeof walletSignInsSchema>;

// The following calls are for the sandbox only, and are rejected in live mode.

export const MAX_SHOPPER_NAME_LENGTH = 120;

/** `POST /checkout/v1/wallet/shoppers`: registers a shopper and signs in, with the response of sign-in. */
export const registerShopperRequestSchema = z.object({
  form_token: formTokenSchema,
  mode: modeSchema,
  name: displayName(MAX_SHOPPER_NAME_LENGTH),
  /** With a country code. A phone number or e-mail address is required. */
  phone: optional(identifierSchema),
  email: optional(identifierSchema),
  pin: pinSchema,
  /** Token of the order that the wallet is created for. The PIN counts as entered for this order. */
  order_token: optional(z.string().max(200)),
  currency: currencyCode,
  amount: optional(amount),
});
export type RegisterShopperRequest = z.input<typeof registerShopperRequestSchema>;

/** `POST /checkout/v1/wallet/pin-resets`: resets a forgotten PIN and signs in, with the response of sign-in. */
export const resetPinRequestSchema = z.object({
  form_token: formTokenSchema,
  mode: modeSchema,
  identifier: identifierSchema,
  new_pin: pinSchema,
});
export type ResetPinRequest = z.input<typeof resetPinRequestSchema>;

/** `GET /checkout/v1/wallet/currencies` */
export const walletCurrenciesSchema = z.object({
  currencies: z.array(z.object({ currency: z.string(), name: z.string() })),
});

/** `POST /checkout/v1/wallet/top-ups`: idempotent by key and amount. */
export const topUpRequestSchema = z.object({
  form_token: formTokenSchema,
  currency: currencyCode,
  amount,
  key: z.uuid({ error: "must be an id" }),
});
export type TopUpRequest = z.input<typeof topUpRequestSchema>;

export const walletTransferResponseSchema = z.object({
  activity_id: z.uuid(),
  renewed_session: renewedSessionSchema,
});

/** `POST /checkout/v1/wallet/conversions` */
export const quoteConversionRequestSchema = z.object({
  form_token: formTokenSchema,
  from_currency: currencyCode,
  to_currency: currencyCode,
  amount,
});
export type QuoteConversionRequest = z.input<typeof quoteConversionRequestSchema>;

/** `GET /checkout/v1/wallet/conversions/{id}` */
export const walletConversionSchema = z.object({
  id: z.uuid(),
  /** The exact debit, formatted. */
  gives: z.string(),
  gets: z.string(),
  rate: checkoutRateSchema,
  /** The service's margin in the rate, in percent; null if unknown. */
  margin_percent: z.string().nullable(),
  from_currency: z.string(),
  to_currency: z.string(),
  expires_at: timestamp,
  expires_in_ms: z.int().nonnegative(),
  /** Null until confirmed. */
  activity_id: z.uuid().nullable(),
});
export type WalletConversion = z.infer<typeof walletConversionSchema>;

/** `POST /checkout/v1/wallet/conversions`, and `POST …/conversions/{id}/confirm` with a form token only. */
export const walletConversionResponseSchema = z.object({
  conversion: walletConversionSchema,
  renewed_session: renewedSessionSchema,
});
