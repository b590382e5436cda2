import { z } from "zod";
import {
  checkoutRateSchema,
  formTokenSchema,
  identifierSchema,
  pinSchema,
  renewedSessionSchema,
} from "./checkout.js";
import { amount, currencyCode, displayName, modeSchema, optional, timestamp } from "./fields.js";

/**
 * What a shopper does alone in the sandbox: make a wallet, set a forgotten PIN, top up, convert. In live mode an operator opens
 * wallets and resets PINs, and money comes from outside: every one of these is refused there.
 */

export const MAX_SHOPPER_NAME_LENGTH = 120;

/** `POST /checkout/v1/wallet/shoppers`: makes a shopper and signs in. Answers as a sign-in. */
export const makeShopperRequestSchema = z.object({
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
export type MakeShopperRequest = z.input<typeof makeShopperRequestSchema>;

/** `POST /checkout/v1/wallet/pin-resets`: sets a forgotten PIN and signs in. Answers as a sign-in. */
export const resetPinRequestSchema = z.object({
  form_token: formTokenSchema,
  mode: modeSchema,
  identifier: identifierSchema,
  new_pin: pinSchema,
});
export type ResetPinRequest = z.input<typeof resetPinRequestSchema>;

/** `GET /checkout/v1/wallet/currencies`: in which wallets may be opened. */
export const walletCurrenciesSchema = z.object({
  currencies: z.array(z.object({ currency: z.string(), name: z.string() })),
});
export type WalletCurrencies = z.infer<typeof walletCurrenciesSchema>;

/** `POST /checkout/v1/wallet/top-ups`: once a key and amount. */
export const topUpRequestSchema = z.object({
  form_token: formTokenSchema,
  currency: currencyCode,
  amount,
  key: z.uuid({ error: "must be an id" }),
});
export type TopUpRequest = z.input<typeof topUpRequestSchema>;

/** The answer of a top-up and of a conversion that was made. */
export const walletMovedAnswerSchema = z.object({
  /** Of the movement. */
  activity_id: z.uuid(),
  renewed_session: renewedSessionSchema,
});
export type WalletMoved = z.infer<typeof walletMovedAnswerSchema>;

/** `POST /checkout/v1/wallet/conversions`: holds a price. */
export const quoteConversionRequestSchema = z.object({
  form_token: formTokenSchema,
  from_currency: currencyCode,
  to_currency: currencyCode,
  amount,
});
export type QuoteConversionRequest = z.input<typeof quoteConversionRequestSchema>;

/** `GET /checkout/v1/wallet/conversions/{id}`: what is held, and whether it was made. */
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
  /** The movement that it became; null: it was not made. */
  activity_id: z.uuid().nullable(),
});
export type WalletConversion = z.infer<typeof walletConversionSchema>;

/** `POST /checkout/v1/wallet/conversions`, and `POST …/conversions/{id}/confirm` with a form token only. */
export const walletConversionAnswerSchema = z.object({
  conversion: walletConversionSchema,
  renewed_session: renewedSessionSchema,
});
