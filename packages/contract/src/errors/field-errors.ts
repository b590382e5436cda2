import { MUST_BE_POSITIVE, mustHaveDecimals } from "@tillgate/money";

/** A rule of a field, as the text after the field's name: "The amount field …". */
export type FieldRule = { readonly text: string; readonly cause: string };

/** The rules whose words several places need: the code that refuses, and the OpenAPI document. */
export const FieldRule = {
  Required: {
    text: "is required",
    cause: "A required field is missing; other rules of a field are reported the same way.",
  },
  Displayable: {
    text: "must not contain control or text-direction characters",
    cause: "A name that others are shown could be read as another one.",
  },
  AboveZero: { text: MUST_BE_POSITIVE, cause: "An amount of zero or less." },
  TwoDecimals: { text: mustHaveDecimals(2), cause: "More decimals than the currency has." },
  OwnCurrency: {
    text: "must be a currency of one of your wallets",
    cause: "You hold no active wallet in this currency.",
  },
  ActiveCurrency: {
    text: "must be an active currency",
    cause: "An administrator has deactivated the currency.",
  },
  WebAddress: {
    text: "must be an absolute http or https address without credentials",
    cause: "It is no address that can be delivered to.",
  },
  HttpsInLive: {
    text: "must be an https address in live mode",
    cause: "A plain http address in live mode.",
  },
  PublicAddress: {
    text: "must be an address on the public internet in live mode",
    cause:
      "A callback_url that would be refused when it is delivered to: a private address, or a port other than 80 and 443.",
  },
  KeyAsInHeader: {
    text: "must equal the Idempotency-Key header or be left out",
    cause: "Header and field hold two keys.",
  },
  OneKeyHeader: {
    text: "must not be given by two Idempotency-Key headers",
    cause: "Two headers hold two keys.",
  },
  WholeSeconds: {
    text: "must be a whole number of seconds",
    cause: "A number that is not whole, or a text.",
  },
  RealDay: { text: "must be a date (YYYY-MM-DD)", cause: "A day that the calendar does not have." },
  PhoneWithCountry: {
    text: "must be a phone number with its country code",
    cause: "A number as it is dialled within a country: nothing says which.",
  },
  RequiredWithoutEmail: { text: "is required when email is absent", cause: "Neither phone nor email." },
  NotWithPhone: { text: "must not be sent together with phone", cause: "Both phone and email." },
  RequiredWithoutQuote: {
    text: "is required when quote_id is absent",
    cause: "A direct payout without one of its fields.",
  },
  AsInQuote: {
    text: "must equal the quote's or be left out",
    cause: "A field sent beside quote_id says something else than the quote.",
  },
  WorthAUnit: {
    text: "must credit at least one unit and at most 10^13 units of the receiver currency",
    cause: "Too little or too much after the conversion.",
  },
  IsoTime: {
    text: "must be an ISO 8601 time",
    cause: "A text that is no time, or a time without its offset.",
  },
  LaterThanFrom: { text: "must be later than from", cause: "A range that ends before it begins." },
  FewerEvents: {
    text: "must be later: a replay sends at most 100000 events",
    cause: "Replay the parts of a long range one after the other.",
  },
  NotLaterThanNow: { text: "must not be later than now", cause: "Nothing has happened there yet." },
  RequiredWithoutEndpoint: {
    text: "is required when endpoint_id is absent",
    cause: "Neither an endpoint nor an address.",
  },
  NotWithEndpoint: {
    text: "must not be sent together with endpoint_id",
    cause: "Both an endpoint and an address.",
  },
  EventNames: {
    text: "must be names of events, separated by commas",
    cause: "A name that no event has.",
  },
  EarlierCursor: {
    text: "must be the next_cursor of an earlier answer",
    cause: "No answer of this list gave this place.",
  },
  NotWithPage: {
    text: "must not be sent together with page",
    cause: "Both a cursor and the number of a page.",
  },
  EarlierNext: {
    text: "must be the next of an earlier answer, or now",
    cause: "No answer gave this place.",
  },
} satisfies Record<string, FieldRule>;

/** A whole number between two bounds, both included. */
export const wholeNumberRule = (min: number, max: number): FieldRule => ({
  text: `must be a whole number from ${min} to ${max}`,
  cause: "A number that is not whole, or out of its bounds.",
});

/** An unknown field that looks like a missing one. */
export const misspeltRule = (meant: string): FieldRule => ({
  text: `is not known. Is ${meant} meant?`,
  cause: "Another spelling of a field that was left out, or one that is up to two letters off.",
});

/** One of several words. */
export const oneOfRule = (words: readonly string[]): FieldRule => ({
  text: `must be one of ${words.join(", ")}`,
  cause: "An unknown word.",
});
