import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { currencyCode, integerInRange, MAX_KEY_LENGTH, oneOf, seconds, text, timestamp } from "../fields.js";

export const CALL_CONTROLS = [
  "call_unavailable",
  "call_rate_limited",
  "call_timeout",
  "call_answer_lost",
] as const;
export type CallControl = (typeof CALL_CONTROLS)[number];

export const DELIVERY_CONTROLS = [
  "delivery_late",
  "delivery_twice",
  "delivery_reversed",
  "delivery_never",
  "delivery_badly_signed",
] as const;
export type DeliveryControl = (typeof DELIVERY_CONTROLS)[number];

export const PAYMENT_CONTROLS = ["payment_insufficient", "payment_converted"] as const;
export type PaymentControl = (typeof PAYMENT_CONTROLS)[number];

export const PAYOUT_CONTROLS = ["payout_waits"] as const;

export const TEST_CONTROLS = [
  ...CALL_CONTROLS,
  ...DELIVERY_CONTROLS,
  ...PAYMENT_CONTROLS,
  ...PAYOUT_CONTROLS,
] as const;
export type TestControlKind = (typeof TEST_CONTROLS)[number];

const DELAYING_CONTROLS: readonly TestControlKind[] = ["call_timeout", "delivery_late", "delivery_reversed"];
export const isDelayed = (control: TestControlKind): boolean => DELAYING_CONTROLS.includes(control);

export const MAX_CONTROL_COUNT = 100;
export const MAX_DELAY_SECONDS = 600;
export const DEFAULT_DELAY_SECONDS = 30;
/** Enough time for one call before the resource expires. */
export const SECONDS_BEFORE_EXPIRY = 10;

export const createTestControlRequestSchema = z.object({
  control: oneOf(TEST_CONTROLS).describe(
    "Calls: `call_unavailable` returns 503 and `call_rate_limited` 429 without processing the call; `call_timeout` closes the connection after `seconds` without processing the call; `call_answer_lost` processes the call and closes the connection without a response. Webhooks: `delivery_late` sends after `seconds`, `delivery_twice` sends twice, `delivery_reversed` sends after the next event to the same URL, `delivery_never` fails without an attempt, `delivery_badly_signed` signs the first attempt with an unknown key. Payments: `payment_insufficient` rejects the next Approve on the payment page, or `paid` of `simulate`, with `insufficient_balance`; `payment_converted` makes the next payment from a wallet in another currency. Payouts: `payout_waits` keeps the next Partner API payout pending until you complete or fail it under `/test/payouts`.",
  ),
  count: integerInRange(1, MAX_CONTROL_COUNT, 1).describe(
    "How many calls, webhooks, payments or payouts the control applies to.",
  ),
  seconds: seconds(1, MAX_DELAY_SECONDS, DEFAULT_DELAY_SECONDS).describe(
    "The delay of `call_timeout` and `delivery_late`, and the maximum delay of `delivery_reversed`. Other controls ignore it.",
  ),
});
export type CreateTestControlRequest = z.output<typeof createTestControlRequestSchema>;

export const testControlSchema = z.object({
  control_id: z.uuid().describe("Identifies the control."),
  control: z.enum(TEST_CONTROLS).describe("The fault or condition."),
  left: z.int().describe("How many more times the control applies."),
  seconds: z.int().describe("The delay in seconds."),
  created_at: timestamp.describe("When the control was created."),
  expires_at: timestamp.describe("When the control expires, even if unused."),
});
export type TestControl = z.infer<typeof testControlSchema>;

export const testControlResponseSchema = successEnvelope(testControlSchema);
export const testControlListResponseSchema = successEnvelope(
  z.object({ controls: z.array(testControlSchema) }),
);
export const testControlsClearedResponseSchema = successEnvelope(
  z.object({ cleared: z.int().describe("The number of cleared controls.") }),
);

export const EXPIRABLE_KINDS = ["order", "quote", "lookup_token", "credential"] as const;
export type ExpirableKind = (typeof EXPIRABLE_KINDS)[number];
export const EXPIRY_MOMENTS = ["before_end", "after_end"] as const;

export const expireRequestSchema = z.object({
  kind: oneOf(EXPIRABLE_KINDS).describe("The kind of resource."),
  id: text(64).describe(
    "The order ID, quote ID or lookup token, or the client ID whose rotated-out secret expires.",
  ),
  moment: oneOf(EXPIRY_MOMENTS).describe(
    "`before_end`: in ten seconds, unless it expires sooner. `after_end`: now.",
  ),
});
export type ExpireRequest = z.output<typeof expireRequestSchema>;
export type ExpireInput = z.input<typeof expireRequestSchema>;

export const expireResponseSchema = successEnvelope(
  z.object({
    kind: z.enum(EXPIRABLE_KINDS),
    id: z.string(),
    expires_at: timestamp.describe("The new expiry."),
  }),
);
export type ExpireResult = z.infer<typeof expireResponseSchema>["data"];

/** The path of Tillgate's test endpoint for webhooks, followed by a merchant's ID. Merchants can use it before they have a shop. */
export const TEST_RECEIVER_PATH = "/test-receiver";

/** `POST …/sandbox/test/orders` of the console. */
export const testOrderRequestSchema = z.object({
  currency: currencyCode,
  idempotency_key: text(MAX_KEY_LENGTH),
});
export const testOrderResponseSchema = successEnvelope(z.object({ order_id: z.string() }));

export const PAYOUT_OUTCOMES = ["completed", "failed"] as const;
export type PayoutOutcome = (typeof PAYOUT_OUTCOMES)[number];
export const decideTestPayoutRequestSchema = z.object({
  outcome: oneOf(PAYOUT_OUTCOMES).describe(
    "`completed` credits the recipient. `failed` returns the amount and the fee to the account's wallet.",
  ),
});
