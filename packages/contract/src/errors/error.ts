import { z } from "zod";
import type { Mode } from "../fields.js";

/** The payment page has its own text for each reason. */
export const checkoutReasonSchema = z.enum([
  "form_rejected",
  "wrong_sign_in",
  "phone_without_country",
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

export type Api = "pay" | "partner" | "checkout" | "console";

/** Used by responses and by the OpenAPI document. */
export type ErrorCode = {
  /** The response's `error_code`: unique, and stable after its release. */
  readonly code: string;
  readonly status: number | Readonly<Record<Api, number>>;
  /** Placeholders such as `{currency}` are replaced by {@link ErrorParams}. */
  readonly text: string;
  readonly cause: string | Readonly<Partial<Record<Api, string>> & { pay: string }>;
  /** The invalid field, if it is always the same. */
  readonly param?: string;
  /** The payment page branches on it; sent only by the internal checkout API. */
  readonly reason?: CheckoutReason;
};

export const defineErrors = <Name extends string>(
  rows: Record<Name, ErrorCode>,
): Readonly<Record<Name, ErrorCode>> => rows;

/** Values of the placeholders in error texts. */
export type ErrorParams = {
  currency?: string | undefined;
  mode?: Mode | undefined;
  requestId?: string | undefined;
};

export const getStatus = ({ status }: ErrorCode, api: Api): number =>
  typeof status === "number" ? status : status[api];

/** Returns the documented cause, or the Pay API's cause if none is defined for this API. */
export const getCause = ({ cause }: ErrorCode, api: Api): string =>
  typeof cause === "string" ? cause : (cause[api] ?? cause.pay);

/** Fills the placeholders. A placeholder without a value becomes empty. */
export const formatErrorText = ({ text }: ErrorCode, params: ErrorParams): string =>
  text.replace(
    /\{(currency|mode|requestId)\}/g,
    (_placeholder, name: keyof ErrorParams) => params[name] ?? "",
  );
