import { z } from "zod";
import { consoleMoneySchema } from "./console-lists.js";
import { successEnvelope } from "./envelope.js";
import { timestamp } from "./fields.js";

/** What an entry of an order's, refund's or payout's timeline tells of. */
export const consoleEntryKindSchema = z.enum([
  /** A call of the API that made or changed it, or tried to. Its log is kept for a time only. */
  "request",
  /** Made by a call of the API or of the console. */
  "order.created",
  "order.paid",
  "order.cancelled",
  "order.expired",
  "order.refunded",
  "refund.created",
  "refund.completed",
  "refund.failed",
  "payout.created",
  "payout.completed",
  "payout.failed",
  /** A transfer of the ledger, with its lines. */
  "transfer",
  /** An event, and one delivery of it with its attempts. */
  "event",
  "delivery",
  "attempt",
  /** What a console user or an administrator did, from the audit chain. */
  "action",
]);
export type ConsoleEntryKind = z.infer<typeof consoleEntryKindSchema>;

export const consoleEntrySchema = z.object({
  at: timestamp,
  kind: consoleEntryKindSchema,
  /** Of the order, refund, payout, transfer, event, delivery, audit record or logged call that it is about. */
  id: z.string(),
  /** Of a call of the API: its `X-Request-Id` and its credential, where they are recorded. */
  request_id: z.string().nullable(),
  client_id: z.string().nullable(),
  /** Of an action: who, what (`refund.create`), and why; of a payment that a passkey confirmed: `passkey`. Of a call: method and path. */
  user: z.string().nullable(),
  action: z.string().nullable(),
  reason: z.string().nullable(),
  money: consoleMoneySchema.nullable(),
  /** Of a transfer: `merchant`, `hold`, `shopper`, or an account of the house. */
  lines: z.array(z.object({ account: z.string(), money: consoleMoneySchema })),
  /** Of an event: its name; of a delivery and an attempt: that of their event. */
  event: z.string().nullable(),
  /** Of a delivery and an attempt: where to, how it stands, and what was answered. */
  address: z.string().nullable(),
  status: z.string().nullable(),
  attempt: z.int().nullable(),
  http_status: z.int().nullable(),
  error: z.string().nullable(),
  likely_cause: z.string().nullable(),
  /** Of an attempt: what the shop says that it did, in its own words. */
  shop_step: z.string().nullable(),
  /** And how its order stands after it: `processing`. */
  shop_order_status: z.string().nullable(),
  latency_ms: z.int().nullable(),
});
export type ConsoleEntry = z.infer<typeof consoleEntrySchema>;

/**
 * `GET …/orders/{order}/timeline`, and those of refunds and payouts: oldest first. Events, deliveries and attempts are kept
 * for a time only; when an unpaid order was cancelled or expired is known from its event.
 */
export const consoleTimelineAnswerSchema = successEnvelope(
  z.object({
    entries: z.array(consoleEntrySchema),
    /** Whether older entries were left out. */
    more: z.boolean(),
  }),
);
