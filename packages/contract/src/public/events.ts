import { z } from "zod";
import { responseMetadata, timestamp } from "../fields.js";
import { orderStatusSchema } from "./orders.js";
import { payoutTerms } from "./payouts.js";
import { refundSchema } from "./refunds.js";
import { reportWalletName } from "./reports.js";

export const orderEventNames = [
  "pos.order.paid",
  "pos.order.expired",
  "pos.order.cancelled",
  "pos.order.refunded",
] as const;
export const refundEventNames = ["refund.completed", "refund.failed"] as const;

const eventId = z.string().regex(/^evt_[0-9A-Za-z]{20,}$/);

/** `data.version` counts the order's changes, so a receiver can detect out-of-order events. */
export const orderEventSchema = z.object({
  id: eventId.describe("The event's ID, the same for every endpoint and attempt."),
  event: z.enum(orderEventNames),
  timestamp,
  data: z.object({
    order_id: z.string(),
    amount: z.number(),
    currency: z.string(),
    status: orderStatusSchema,
    reference: z.string().nullable(),
    terminal_id: z.string().nullable(),
    trx_id: z.string().nullable(),
    paid_at: timestamp.nullable(),
    order_number: z.string().nullable(),
    custom: z.string().nullable(),
    refunded_amount: z.number(),
    metadata: responseMetadata,
    version: z
      .int()
      .positive()
      .describe("Counts the order's changes. Use it to detect events that arrive out of order."),
  }),
});
export type OrderEvent = z.infer<typeof orderEventSchema>;

/** Sent for every full or partial refund. */
export const refundEventSchema = z.object({
  id: eventId.describe("The event's ID, the same for every endpoint and attempt."),
  event: z.enum(refundEventNames),
  timestamp,
  data: refundSchema.extend({ order_id: z.string().describe("The refunded order.") }),
});
export type RefundEvent = z.infer<typeof refundEventSchema>;

export const payoutEventNames = ["payout.completed", "payout.failed"] as const;

/** Flat, for compatibility with existing clients. */
export const payoutEventSchema = z.object({
  id: eventId.describe("The event's ID, the same for every endpoint and attempt."),
  event: z.enum(payoutEventNames),
  payout_id: z.string(),
  ...payoutTerms,
  status: z.enum(["completed", "failed"]),
  processed_at: timestamp,
  metadata: responseMetadata,
  timestamp,
});
export type PayoutEvent = z.infer<typeof payoutEventSchema>;

export const reportEventNames = ["report.ready"] as const;

/** Sent once for each closed UTC day on which a wallet has entries. */
export const reportEventSchema = z.object({
  id: eventId.describe("The event's ID, the same for every endpoint and attempt."),
  event: z.enum(reportEventNames),
  timestamp,
  data: z.object({
    wallet: reportWalletName,
    date: z.string().describe("The day, as `YYYY-MM-DD`. It is closed: its report never changes."),
    time_zone: z.literal("UTC").describe("The time zone in which the day starts and ends."),
  }),
});
export type ReportEvent = z.infer<typeof reportEventSchema>;

/** Sent by `POST /webhooks/test` and by the test of an endpoint. Receivers verify the event and return 2xx without side effects. */
export const testEventSchema = z.object({
  id: eventId,
  event: z.literal("tillgate.test"),
  timestamp,
  data: z.record(z.string(), z.unknown()),
});
export type TestEvent = z.infer<typeof testEventSchema>;

export const webhookEventSchema = z.discriminatedUnion("event", [
  orderEventSchema,
  refundEventSchema,
  payoutEventSchema,
  reportEventSchema,
  testEventSchema,
]);
export type WebhookEvent = z.infer<typeof webhookEventSchema>;
export type WebhookEventName = WebhookEvent["event"];
