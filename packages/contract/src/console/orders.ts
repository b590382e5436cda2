import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { oneOfRule } from "../errors/field-errors.js";
import { MAX_KEY_LENGTH, optionalAmount, optionalText, text, timestamp } from "../fields.js";
import { orderStatusSchema, paymentMethodSchema } from "../public/orders.js";
import { refundStatusSchema } from "../public/refunds.js";
import { consoleFilterFields, consoleListSchema, consoleMoneySchema, consolePageSchema } from "./lists.js";

export const CONSOLE_ORDER_STATUSES = [...orderStatusSchema.options, "PARTLY_REFUNDED"] as const;
export const consoleOrderStatusSchema = z.enum(CONSOLE_ORDER_STATUSES, {
  error: oneOfRule(CONSOLE_ORDER_STATUSES).text,
});

/** `GET …/orders`. PAID includes partly refunded orders. */
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
  /** `refund_pending`: refunds awaiting an administrator. */
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
export const consoleOrderListResponseSchema = consoleListSchema(consoleOrderSchema);

export const consoleRefundSchema = z.object({
  refund_id: z.string(),
  order_id: z.string(),
  order_reference: z.string().nullable(),
  order_number: z.string().nullable(),
  transaction_id: z.string(),
  status: refundStatusSchema,
  money: consoleMoneySchema,
  /** In the payer's currency, if converted; for a pending refund, what the payer would receive if it were approved now. */
  received: consoleMoneySchema.nullable(),
  reason: z.string().nullable(),
  reference: z.string().nullable(),
  created_at: timestamp,
  settled_at: timestamp.nullable(),
});
export type ConsoleRefund = z.infer<typeof consoleRefundSchema>;

/** `GET …/orders/{order}` */
export const consoleOrderResponseSchema = successEnvelope(
  consoleOrderSchema.extend({
    custom: z.string().nullable(),
    metadata: z.record(z.string(), z.string()).nullable(),
    locale: z.string().nullable(),
    payment_url: z.string(),
    callback_url: z.string().nullable(),
    return_url: z.string().nullable(),
    cancel_url: z.string().nullable(),
    client_id: z.string().nullable(),
    /** Null until paid. E-mail and phone are masked. */
    payer: z
      .object({ name: z.string(), email: z.string().nullable(), phone: z.string().nullable() })
      .nullable(),
    /** Debit of the payer's wallet, if converted. */
    payer_money: consoleMoneySchema.nullable(),
    refunds: z.array(consoleRefundSchema),
    more_refunds: z.boolean(),
    /** Null for an unpaid order. */
    refundable: consoleMoneySchema.nullable(),
    /** Whether a new refund would need approval. */
    refunds_need_approval: z.boolean(),
    cancellable: z.boolean(),
    link: z.object({ link_id: z.string(), description: z.string() }).nullable(),
    till: z.object({ till_id: z.string(), name: z.string() }).nullable(),
    /** Null without tracing. */
    trace_url: z.string().nullable(),
  }),
);

/** `POST …/orders/{order}/cancel` */
export const consoleCancelRequestSchema = z.object({ reason: optionalText(500) });
export const consoleOrderChangedResponseSchema = successEnvelope(consoleOrderSchema);

/** `POST …/orders/{order}/refunds`: without an amount, refunds the remainder. */
export const consoleRefundRequestSchema = z.object({
  amount: optionalAmount,
  reason: optionalText(500),
  idempotency_key: text(MAX_KEY_LENGTH),
});
export const consoleRefundResponseSchema = successEnvelope(consoleRefundSchema);

export const consoleEntryKindSchema = z.enum([
  /** An API call that created or changed the object, or tried to. Logs have a retention period. */
  "request",
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
  "transfer",
  "event",
  "delivery",
  "attempt",
  /** An action in the audit log. */
  "action",
]);

export const consoleEntrySchema = z.object({
  at: timestamp,
  kind: consoleEntryKindSchema,
  id: z.string(),
  /** `X-Request-Id` and credential of an API call, if recorded; null for other entries. */
  request_id: z.string().nullable(),
  client_id: z.string().nullable(),
  /** `action`: such as `refund.create`; `passkey` for a payment confirmed by passkey; method and path of an API call. */
  user: z.string().nullable(),
  action: z.string().nullable(),
  reason: z.string().nullable(),
  money: consoleMoneySchema.nullable(),
  /** Lines of a transfer. `account` is `merchant`, `hold`, `shopper`, or one of Tillgate's own accounts. */
  lines: z.array(z.object({ account: z.string(), money: consoleMoneySchema })),
  /** The event's name; for a delivery or an attempt, the name of its event. */
  event: z.string().nullable(),
  /** The URL of a delivery or attempt. */
  address: z.string().nullable(),
  status: z.string().nullable(),
  attempt: z.int().nullable(),
  http_status: z.int().nullable(),
  error: z.string().nullable(),
  likely_cause: z.string().nullable(),
  /** The shop's own description of how it processed the attempt. */
  shop_step: z.string().nullable(),
  /** The status after the attempt, such as `processing`. */
  shop_order_status: z.string().nullable(),
  latency_ms: z.int().nullable(),
});
export type ConsoleEntry = z.infer<typeof consoleEntrySchema>;

/**
 * `GET …/orders/{order}/timeline`, and the timelines of refunds and payouts: oldest first. Events, deliveries and attempts are pruned later, and with
 * them the time at which an unpaid order was cancelled or expired.
 */
export const consoleTimelineResponseSchema = successEnvelope(
  z.object({
    entries: z.array(consoleEntrySchema),
    more: z.boolean(),
  }),
);
