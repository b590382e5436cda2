import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { countOf, currencyCode, MAX_KEY_LENGTH, oneOf, seconds, text, timestamp } from "../fields.js";

/** What the next calls of the merchant to its own APIs meet, in the sandbox. */
export const CALL_CONTROLS = [
  "call_unavailable",
  "call_rate_limited",
  "call_timeout",
  "call_answer_lost",
] as const;
export type CallControl = (typeof CALL_CONTROLS)[number];

/** What happens to the merchant's next webhooks, in the sandbox. */
export const DELIVERY_CONTROLS = [
  "delivery_late",
  "delivery_twice",
  "delivery_reversed",
  "delivery_never",
  "delivery_badly_signed",
] as const;
export type DeliveryControl = (typeof DELIVERY_CONTROLS)[number];

/** What the next shopper meets who presses Approve on one of the merchant's orders, in the sandbox. */
export const PAYMENT_CONTROLS = ["payment_insufficient", "payment_converted"] as const;
export type PaymentControl = (typeof PAYMENT_CONTROLS)[number];

/** What happens to the merchant's next payouts by the API, in the sandbox. */
export const PAYOUT_CONTROLS = ["payout_waits"] as const;

export const TEST_CONTROLS = [
  ...CALL_CONTROLS,
  ...DELIVERY_CONTROLS,
  ...PAYMENT_CONTROLS,
  ...PAYOUT_CONTROLS,
] as const;
export type TestControlKind = (typeof TEST_CONTROLS)[number];

/** Those that hold something up, for `seconds`. Others have no use for them. */
const DELAYING_CONTROLS: readonly TestControlKind[] = ["call_timeout", "delivery_late", "delivery_reversed"];
export const isDelayed = (control: TestControlKind): boolean => DELAYING_CONTROLS.includes(control);

/** Calls, webhooks, shoppers or payouts that one control may meet. */
export const MAX_CONTROL_COUNT = 100;
/** How long a control may hold something up, and how long it does unless it says so, in seconds. */
export const MAX_DELAY_SECONDS = 600;
export const DEFAULT_DELAY_SECONDS = 30;
/** How far before its end something is brought, in seconds: enough for a call. */
export const SECONDS_BEFORE_EXPIRY = 10;

export const createTestControlRequestSchema = z.object({
  control: oneOf(TEST_CONTROLS).describe(
    "`call_unavailable` answers 503 and `call_rate_limited` 429, and nothing is done; `call_timeout` does nothing and cuts the connection; `call_answer_lost` does all and cuts the connection instead of answering. `delivery_late` sends after `seconds`, `delivery_twice` sends twice, `delivery_reversed` sends after the next event of the same receiver, `delivery_never` gives up at once, `delivery_badly_signed` signs the first attempt with a key that nobody has. `payment_insufficient` refuses the next Approve on the payment page, or `paid` of `simulate`, with `insufficient_balance`; `payment_converted` lets it be paid from a wallet in another currency. `payout_waits` lets the next payout of the Partner API wait until it is decided under `/test/payouts`.",
  ),
  count: countOf(1, MAX_CONTROL_COUNT, 1).describe("How many calls, webhooks, shoppers or payouts it meets."),
  /** How long it holds something up, where it does. */
  seconds: seconds(1, MAX_DELAY_SECONDS, DEFAULT_DELAY_SECONDS).describe(
    "How long `call_timeout` and `delivery_late` hold something up, and `delivery_reversed` at the most. Others have no use for it.",
  ),
});
export type CreateTestControlRequest = z.output<typeof createTestControlRequestSchema>;

export const testControlSchema = z.object({
  control_id: z.uuid().describe("Identifies the control."),
  control: z.enum(TEST_CONTROLS).describe("What calls or webhooks meet."),
  /** How many calls, webhooks, shoppers or payouts it still meets. */
  left: z.int().describe("How many it still meets."),
  seconds: z.int().describe("How long it holds something up."),
  created_at: timestamp.describe("When it was ordered."),
  expires_at: timestamp.describe("When it is over, whatever is left."),
});
export type TestControl = z.infer<typeof testControlSchema>;

export const testControlResponseSchema = successEnvelope(testControlSchema);
export const testControlListResponseSchema = successEnvelope(
  z.object({ controls: z.array(testControlSchema) }),
);
export const testControlsClearedResponseSchema = successEnvelope(
  z.object({ cleared: z.int().describe("How many were cleared.") }),
);

/** What has an end that can be brought near, and how near. */
export const EXPIRABLE_KINDS = ["order", "quote", "lookup_token", "credential"] as const;
export type ExpirableKind = (typeof EXPIRABLE_KINDS)[number];
export const EXPIRY_MOMENTS = ["before_end", "after_end"] as const;

export const bringToEndRequestSchema = z.object({
  kind: oneOf(EXPIRABLE_KINDS).describe("What it is."),
  /** The order's id, the quote's, the lookup token, or the client id whose old secret ends. */
  id: text(64).describe(
    "The order's id, the quote's, the lookup token, or the client id of which the old secret of a rotation ends.",
  ),
  moment: oneOf(EXPIRY_MOMENTS).describe(
    "`before_end`: ten seconds before, if there is more left. `after_end`: now.",
  ),
});
export type BringToEndRequest = z.output<typeof bringToEndRequestSchema>;
export type BringToEndInput = z.input<typeof bringToEndRequestSchema>;

export const bringToEndResponseSchema = successEnvelope(
  z.object({
    kind: z.enum(EXPIRABLE_KINDS),
    id: z.string(),
    expires_at: timestamp.describe("When it ends, or ended."),
  }),
);
export type BringToEndResult = z.infer<typeof bringToEndResponseSchema>["data"];

/**
 * Followed by a merchant's id: Tillgate's own endpoint in the sandbox, which checks webhooks as a shop's server should. An endpoint with this
 * address lets a merchant see webhooks arrive before there is a shop.
 */
export const TEST_RECEIVER_PATH = "/test-receiver";

/** `POST …/sandbox/test/orders` of the console: an order without a shop. */
export const testOrderRequestSchema = z.object({
  currency: currencyCode,
  idempotency_key: text(MAX_KEY_LENGTH),
});
export const testOrderResponseSchema = successEnvelope(z.object({ order_id: z.string() }));

/** What becomes of a payout of the sandbox that waits. */
export const PAYOUT_OUTCOMES = ["completed", "failed"] as const;
export type PayoutOutcome = (typeof PAYOUT_OUTCOMES)[number];
export const decideTestPayoutRequestSchema = z.object({
  outcome: oneOf(PAYOUT_OUTCOMES).describe(
    "`completed`: the recipient has the money. `failed`: all of it is back in the account's wallet.",
  ),
});
