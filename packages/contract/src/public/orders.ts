import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { oneOfRule } from "../errors/field-errors.js";
import {
  amount,
  answeredLocale,
  answeredMetadata,
  currencyCode,
  idempotencyKey,
  listQuerySchema,
  metadata,
  nextCursor,
  oneOf,
  optionalFilter,
  optionalLocale,
  optionalText,
  optionalWebAddress,
  paginationSchema,
  seconds,
  timestamp,
  withDefault,
} from "../fields.js";

const ORDER_STATUSES = ["PENDING", "PAID", "EXPIRED", "CANCELLED", "REFUND_PENDING", "REFUNDED"] as const;
export const orderStatusSchema = z.enum(ORDER_STATUSES, { error: oneOfRule(ORDER_STATUSES).text });
/** The state of an order, refunds included: after PAID it is derived from them. */
export type OrderStatus = z.infer<typeof orderStatusSchema>;

const PAYMENT_METHODS = ["qr_only", "payment_page", "both"] as const;
export const paymentMethodSchema = z.enum(PAYMENT_METHODS, { error: oneOfRule(PAYMENT_METHODS).text });
export type PaymentMethod = z.infer<typeof paymentMethodSchema>;

export const createOrderRequestSchema = z.object({
  amount,
  currency: currencyCode,
  payment_method: withDefault(paymentMethodSchema, "both"),
  reference: optionalText(255),
  description: optionalText(500),
  terminal_id: optionalText(64),
  callback_url: optionalWebAddress,
  return_url: optionalWebAddress,
  cancel_url: optionalWebAddress,
  expires_in: seconds(60, 3600, 300),
  metadata,
  locale: optionalLocale,
  idempotency_key: idempotencyKey,
});
/** A parsed `POST /orders`; `expires_in` in seconds. */
export type CreateOrderRequest = z.output<typeof createOrderRequestSchema>;
/** What a caller may send to `POST /orders`. */
export type CreateOrderInput = z.input<typeof createOrderRequestSchema>;

/** Ids grow with use: the lengths of their patterns are lower bounds. */
export const orderSchema = z.object({
  order_id: z.string().regex(/^POS-\d{8}-[0-9A-Z]{6,}$/),
  amount: z.string(),
  raw_amount: z.number(),
  currency: z.string(),
  payment_method: paymentMethodSchema,
  reference: z.string().nullable(),
  description: z.string().nullable(),
  terminal_id: z.string().nullable(),
  status: orderStatusSchema,
  qr_data: z.string().nullable(),
  payment_url: z.string().nullable(),
  trx_id: z.string().nullable(),
  paid_at: timestamp.nullable(),
  expires_at: timestamp,
  created_at: timestamp,
  refunded_amount: z.number(),
  metadata: answeredMetadata,
  locale: answeredLocale,
});
export type Order = z.infer<typeof orderSchema>;

export const listOrdersQuerySchema = listQuerySchema.safeExtend({
  status: orderStatusSchema.optional(),
  reference: optionalFilter(255),
});
export type ListOrdersQuery = z.output<typeof listOrdersQuerySchema>;

/** How a shopper of the sandbox ends an order: what the page's test buttons do, and its time that runs out. */
export const SIMULATED_OUTCOMES = [
  "paid",
  "paid_converted",
  "declined",
  "insufficient_balance",
  "cancelled",
  "expired",
] as const;
export const simulateOrderRequestSchema = z.object({ outcome: oneOf(SIMULATED_OUTCOMES) });
export type SimulatedOutcome = (typeof SIMULATED_OUTCOMES)[number];

export const orderAnswerSchema = successEnvelope(orderSchema);
const orderPageSchema = z.object({
  orders: z.array(orderSchema),
  pagination: paginationSchema,
  next_cursor: nextCursor,
});
export const orderPageAnswerSchema = successEnvelope(orderPageSchema);
/** Behind a cursor no pages are counted. */
export const orderListAnswerSchema = successEnvelope(
  orderPageSchema.extend({ pagination: paginationSchema.nullable() }),
);
export type OrderList = z.infer<typeof orderPageSchema>;
