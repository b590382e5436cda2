import { decimalsMessage, MUST_BE_POSITIVE } from "@tillgate/money";
import { MAX_COMPARED_REFUNDS } from "../limits.js";

/** `text` follows the field's name: "The amount field …". */
export type FieldRule = { readonly text: string; readonly cause: string };

/** Used both by validation and by the OpenAPI document. */
export const FieldRule = {
  Required: {
    text: "is required",
    cause: "A required field is missing. Violations of a field's other rules are reported the same way.",
  },
  Unknown: { text: "is unknown", cause: "The request has a field that the operation doesn't have." },
  NotRepeated: { text: "must not have an ID twice", cause: "The list has two entries with the same ID." },
  FewRefunds: {
    text: `must not have more than ${MAX_COMPARED_REFUNDS} refunds in all`,
    cause: "The orders of one call have too many refunds. Send fewer orders in a call.",
  },
  NoLess: {
    text: "must include the orders of this call",
    cause: "The run's total is smaller than the number of orders in the call.",
  },
  NotOlderRun: {
    text: "must not be earlier than the day of the shop's last comparison",
    cause: "The shop has started a comparison on a later day.",
  },
  NotAfterTomorrow: { text: "must not be later than tomorrow", cause: "The date is too far in the future." },
  Displayable: {
    text: "must not contain control or text-direction characters",
    cause: "The name could be displayed as a different one.",
  },
  AboveZero: { text: MUST_BE_POSITIVE, cause: "The amount is zero or negative." },
  TwoDecimals: { text: decimalsMessage(2), cause: "The amount has more decimals than the currency." },
  OwnCurrency: {
    text: "must be a currency of one of your wallets",
    cause: "You have no active wallet in this currency.",
  },
  ActiveCurrency: {
    text: "must be an active currency",
    cause: "An administrator has deactivated the currency.",
  },
  WebAddress: {
    text: "must be an absolute http or https URL without credentials",
    cause: "The value is not a URL that can be delivered to.",
  },
  HttpsInLive: {
    text: "must be an https URL in live mode",
    cause: "Live mode does not accept http URLs.",
  },
  PublicAddress: {
    text: "must be a public URL on port 443 or 80 in live mode",
    cause:
      "Deliveries to the `callback_url` would be blocked: it has a private address, or a port other than 80 and 443.",
  },
  KeyAsInHeader: {
    text: "must equal the Idempotency-Key header or be omitted",
    cause: "The header and the field contain different keys.",
  },
  OneKeyHeader: {
    text: "must not be sent in two Idempotency-Key headers",
    cause: "The request has two Idempotency-Key headers.",
  },
  WholeSeconds: {
    text: "must be a whole number of seconds",
    cause: "The value is a fraction or a string.",
  },
  RealDay: { text: "must be a date (YYYY-MM-DD)", cause: "The date does not exist." },
  RealMonth: { text: "must be a month (YYYY-MM)", cause: "The month does not exist." },
  NotBeforeFirstDay: {
    text: "must not be earlier than the first day",
    cause: "The range ends before it starts.",
  },
  TimeZone: {
    text: "must be the name of a time zone, such as Europe/Paris",
    cause: "The IANA time zone database has no zone of this name.",
  },
  PhoneWithCountry: {
    text: "must be a phone number with its country code",
    cause: "The number is in national format, without a country code.",
  },
  RequiredWithoutEmail: {
    text: "is required when email is absent",
    cause: "Neither `phone` nor `email` was sent.",
  },
  NotWithPhone: {
    text: "must not be sent together with phone",
    cause: "Both `phone` and `email` were sent.",
  },
  RequiredWithoutQuote: {
    text: "is required when quote_id is absent",
    cause: "A payout without a quote lacks a required field.",
  },
  AsInQuote: {
    text: "must equal the quote's or be omitted",
    cause: "A field sent with `quote_id` differs from the quote.",
  },
  WorthAUnit: {
    text: "must credit at least one unit and at most 10^13 units of the receiver currency",
    cause: "The amount is too small or too large after conversion.",
  },
  IsoTime: {
    text: "must be an ISO 8601 time",
    cause: "The value is not a time, or has no offset.",
  },
  LaterThanFrom: { text: "must be later than from", cause: "The range ends before it starts." },
  FewerEvents: {
    text: "must be later: a replay sends at most 100000 events",
    cause: "The range has too many events. Replay it in parts.",
  },
  NotLaterThanNow: { text: "must not be later than now", cause: "The time is in the future." },
  RequiredWithoutEndpoint: {
    text: "is required when endpoint_id is absent",
    cause: "Neither `endpoint_id` nor `callback_url` was sent.",
  },
  NotWithEndpoint: {
    text: "must not be sent together with endpoint_id",
    cause: "Both `endpoint_id` and `callback_url` were sent.",
  },
  EventNames: {
    text: "must be event names, separated by commas",
    cause: "An event name is unknown.",
  },
  EarlierCursor: {
    text: "must be the next_cursor from an earlier response",
    cause: "The cursor was not returned by this list.",
  },
  NotWithPage: {
    text: "must not be sent together with page",
    cause: "Both `cursor` and `page` were sent.",
  },
  EarlierNext: {
    text: "must be the next from an earlier response, or now",
    cause: "The position was not returned by this list.",
  },
} satisfies Record<string, FieldRule>;

/** The bounds are inclusive. */
export const wholeNumberRule = (min: number, max: number): FieldRule => ({
  text: `must be a whole number from ${min} to ${max}`,
  cause: "The value is not a whole number or is out of range.",
});

/** Creates the rule for an unknown field that resembles a missing field. */
export const misspeltRule = (intended: string): FieldRule => ({
  text: `is unknown. Did you mean ${intended}?`,
  cause:
    "The name resembles a known field absent from the request: it is spelled differently, or up to two letters differ.",
});

export const oneOfRule = (values: readonly string[]): FieldRule => ({
  text: `must be one of ${values.join(", ")}`,
  cause: "The value is not one of those allowed.",
});
