import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { oneOfRule } from "../errors/field-errors.js";
import {
  amount,
  currencyCode,
  FORMATTED_AMOUNT,
  idempotencyKey,
  listQuerySchema,
  metadata,
  nextCursor,
  nullablePagination,
  oneOf,
  optionalFilter,
  optionalLocale,
  optionalText,
  optionalWebAddress,
  paginationSchema,
  RETURN_ADDRESS_RULE,
  responseLocale,
  responseMetadata,
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
  currency: currencyCode.describe("Uppercase ISO 4217 code of one of your active wallets."),
  payment_method: withDefault(paymentMethodSchema, "both").describe(
    "What the order is shown as: `qr_only` answers no payment_url, `payment_page` answers no qr_data.",
  ),
  reference: optionalText(255).describe("Your own reference; the list can be filtered by it."),
  description: optionalText(500).describe("Shown on the page."),
  terminal_id: optionalText(64).describe("The till or terminal that took the order."),
  callback_url: optionalWebAddress.describe(
    "Receives this order's events, signed with the client secret that made it. In live mode https on port 80 or 443, and no private address.",
  ),
  return_url: optionalWebAddress.describe(
    `Where the page sends the customer after paying. ${RETURN_ADDRESS_RULE}`,
  ),
  cancel_url: optionalWebAddress.describe(
    `Where the page sends the customer after cancelling or expiry. ${RETURN_ADDRESS_RULE}`,
  ),
  expires_in: seconds(60, 3600, 300).describe("Seconds until the order expires."),
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
  order_id: z
    .string()
    .regex(/^POS-\d{8}-[0-9A-Z]{6,}$/)
    .describe("Identifies the order."),
  amount: z.string().describe(FORMATTED_AMOUNT),
  raw_amount: z.number().describe("The amount as a number."),
  currency: z.string().describe("ISO 4217 code."),
  payment_method: paymentMethodSchema.describe("How the order is shown."),
  reference: z.string().nullable().describe("Your own reference."),
  description: z.string().nullable().describe("Shown on the page."),
  terminal_id: z.string().nullable().describe("The till or terminal."),
  status: orderStatusSchema.describe("What the order is now, refunds counted."),
  qr_data: z
    .string()
    .nullable()
    .describe("What the QR code encodes: the hosted page's address. Null for `payment_page`."),
  payment_url: z.string().nullable().describe("The hosted page. Null for `qr_only`."),
  trx_id: z.string().nullable().describe("The payment's transaction; refunds name it. Null until paid."),
  paid_at: timestamp.nullable().describe("When it was paid; null until then."),
  expires_at: timestamp.describe("When it expires, or expired, unless paid before."),
  created_at: timestamp.describe("When it was created."),
  refunded_amount: z.number().describe("The sum of completed refunds."),
  metadata: responseMetadata,
  locale: responseLocale,
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
export const simulateOrderRequestSchema = z.object({
  outcome: oneOf(SIMULATED_OUTCOMES).describe(
    "`paid`: the account's test shopper pays. `paid_converted`: the test shopper pays from a wallet in another currency, at the rate of this moment. `declined`: the payment is refused, and the order stays payable. `insufficient_balance`: the shopper has too little, and the order stays payable. `cancelled`: the shopper cancels. `expired`: its time is over now.",
  ),
});
export type SimulatedOutcome = (typeof SIMULATED_OUTCOMES)[number];

export const orderResponseSchema = successEnvelope(orderSchema);
const orderPageSchema = z.object({
  orders: z.array(orderSchema),
  pagination: paginationSchema,
  next_cursor: nextCursor,
});
export const orderPageResponseSchema = successEnvelope(orderPageSchema);
export const orderListResponseSchema = successEnvelope(
  orderPageSchema.extend({ pagination: nullablePagination }),
);
export type OrderList = z.infer<typeof orderPageSchema>;
