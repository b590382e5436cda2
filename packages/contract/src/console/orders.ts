import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { oneOfRule } from "../errors/field-errors.js";
import { MAX_KEY_LENGTH, optionalAmount, optionalText, text, timestamp } from "../fields.js";
import { orderStatusSchema, paymentMethodSchema } from "../public/orders.js";
import { refundStatusSchema } from "../public/refunds.js";
import { consoleFilterFields, consoleList, consoleMoneySchema, consolePageSchema } from "./lists.js";

/** What the console tells of an order: of a paid one also whether a part of it was given back. */
export const CONSOLE_ORDER_STATUSES = [...orderStatusSchema.options, "PARTLY_REFUNDED"] as const;
export const consoleOrderStatusSchema = z.enum(CONSOLE_ORDER_STATUSES, {
  error: oneOfRule(CONSOLE_ORDER_STATUSES).text,
});

/** `GET …/orders`. An order that is partly refunded is paid, too. */
export const consoleOrdersQuerySchema = consolePageSchema.extend({
  ...consoleFilterFields,
  status: consoleOrderStatusSchema.optional(),
  method: paymentMethodSchema.optional(),
});
export type ConsoleOrdersQuery = z.output<typeof consoleOrdersQuerySchema>;

export const consoleOrderSchema = z.object({
  order_id: z.string(),
  status: consoleOrderStatusSchema,
  money: consoleMoneySchema,
  /** What was given back, and what waits for an administrator. */
  refunded: consoleMoneySchema,
  refund_pending: consoleMoneySchema,
  payment_method: paymentMethodSchema,
  reference: z.string().nullable(),
  order_number: z.string().nullable(),
  description: z.string().nullable(),
  terminal_id: z.string().nullable(),
  trx_id: z.string().nullable(),
  created_at: timestamp,
  expires_at: timestamp,
  paid_at: timestamp.nullable(),
});
export type ConsoleOrder = z.infer<typeof consoleOrderSchema>;
export const consoleOrderListResponseSchema = consoleList(consoleOrderSchema);

export const consoleRefundSchema = z.object({
  refund_id: z.string(),
  order_id: z.string(),
  /** The order's. */
  order_reference: z.string().nullable(),
  order_number: z.string().nullable(),
  transaction_id: z.string(),
  status: refundStatusSchema,
  money: consoleMoneySchema,
  /** What the payer gets, where the payment was converted; of a refund that waits, what it would be now. */
  received: consoleMoneySchema.nullable(),
  reason: z.string().nullable(),
  reference: z.string().nullable(),
  created_at: timestamp,
  settled_at: timestamp.nullable(),
});
export type ConsoleRefund = z.infer<typeof consoleRefundSchema>;

/** `GET …/orders/{order}`. */
export const consoleOrderResponseSchema = successEnvelope(
  consoleOrderSchema.extend({
    custom: z.string().nullable(),
    metadata: z.record(z.string(), z.string()).nullable(),
    locale: z.string().nullable(),
    /** The page where it is paid. */
    payment_url: z.string(),
    callback_url: z.string().nullable(),
    return_url: z.string().nullable(),
    cancel_url: z.string().nullable(),
    /** The credential that made it. */
    client_id: z.string().nullable(),
    /** Null until it is paid. E-mail and phone are masked. */
    payer: z
      .object({ name: z.string(), email: z.string().nullable(), phone: z.string().nullable() })
      .nullable(),
    /** What left the payer's wallet, where the payment was converted. */
    payer_money: consoleMoneySchema.nullable(),
    refunds: z.array(consoleRefundSchema),
    /** Whether it has more refunds than these, the newest. */
    more_refunds: z.boolean(),
    /** What may still be refunded: null for an order that was not paid. */
    refundable: consoleMoneySchema.nullable(),
    /** Whether a refund made now waits for an administrator. */
    refunds_need_approval: z.boolean(),
    cancellable: z.boolean(),
    /** The payment link, or the till, that it was made at. */
    link: z.object({ link_id: z.string(), description: z.string() }).nullable(),
    till: z.object({ till_id: z.string(), name: z.string() }).nullable(),
    /** Where the operator shows the trace of this payment; null where nothing is traced. */
    trace_url: z.string().nullable(),
  }),
);

/** `POST …/orders/{order}/cancel`. */
export const consoleCancelRequestSchema = z.object({ reason: optionalText(500) });
export const consoleOrderChangedResponseSchema = successEnvelope(consoleOrderSchema);

/** `POST …/orders/{order}/refunds`: no amount is all that is left. The form makes the key, so that a second post is the first. */
export const consoleRefundRequestSchema = z.object({
  amount: optionalAmount,
  reason: optionalText(500),
  idempotency_key: text(MAX_KEY_LENGTH),
});
export type ConsoleRefundRequest = z.output<typeof consoleRefundRequestSchema>;
export const consoleRefundResponseSchema = successEnvelope(consoleRefundSchema);

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
export const consoleTimelineResponseSchema = successEnvelope(
  z.object({
    entries: z.array(consoleEntrySchema),
    /** Whether older entries were left out. */
    more: z.boolean(),
  }),
);
