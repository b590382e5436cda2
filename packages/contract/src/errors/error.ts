import { z } from "zod";
import type { Mode } from "../fields.js";

/** Why a step of the checkout was refused; the page shows its own text for each. */
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

/** The audience of an error: a caller of one of the two public APIs, our own payment page, or the console. */
export type Api = "pay" | "partner" | "checkout" | "console";

/** An error of the API. Responses and the OpenAPI document both take it from here. */
export type ErrorCode = {
  /** The answer's `error_code`: one per error. It never changes after its release. */
  readonly code: string;
  /** The HTTP status; by API where two of them answer differently. */
  readonly status: number | Readonly<Record<Api, number>>;
  /** The exact text. `{currency}`, `{mode}` and `{requestId}` stand for what {@link ErrorParams} holds. */
  readonly text: string;
  /** Its cause, for readers of the document; by API where the causes differ. */
  readonly cause: string | Readonly<Partial<Record<Api, string>> & { pay: string }>;
  /** The one wrong field: the answer's `param`. */
  readonly param?: string;
  /** The payment page decides by it; only on the checkout edge. */
  readonly reason?: CheckoutReason;
};

/** Rows by their names. */
export const defineErrors = <Name extends string>(
  rows: Record<Name, ErrorCode>,
): Readonly<Record<Name, ErrorCode>> => rows;

/** The open places of a text. */
export type ErrorParams = {
  /** The currency code in question. */
  currency?: string | undefined;
  /** The mode of a key. */
  mode?: Mode | undefined;
  requestId?: string | undefined;
};

/** The HTTP status of an error on one API. */
export const statusOf = ({ status }: ErrorCode, api: Api): number =>
  typeof status === "number" ? status : status[api];

/** What causes an error on one API. */
export const causeOf = ({ cause }: ErrorCode, api: Api): string =>
  typeof cause === "string" ? cause : (cause[api] ?? cause.pay);

/** The exact text of an error. */
export const textOf = ({ text }: ErrorCode, words: ErrorParams): string =>
  text.replace(/\{(currency|mode|requestId)\}/g, (_open, name: keyof ErrorParams) => words[name] ?? "");
