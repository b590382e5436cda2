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
/** After PAID, the status is derived from the refunds. */
export type OrderStatus = z.infer<typeof orderStatusSchema>;

const PAYMENT_METHODS = ["qr_only", "payment_page", "both"] as const;
export const paymentMethodSchema = z.enum(PAYMENT_METHODS, { error: oneOfRule(PAYMENT_METHODS).text });
export type PaymentMethod = z.infer<typeof paymentMethodSchema>;

export const createOrderRequestSchema = z.object({
  amount,
  currency: currencyCode.describe("Uppercase ISO 4217 code of one of your active wallets."),
  payment_method: withDefault(paymentMethodSchema, "both").describe(
    "How the order can be paid. With `qr_only`, `payment_url` is null; with `payment_page`, `qr_data` is null.",
  ),
  reference: optionalText(255).describe("Your own reference. Orders can be filtered by it."),
  description: optionalText(500).describe("Shown on the payment page."),
  terminal_id: optionalText(64).describe("The till or terminal that created the order."),
  callback_url: optionalWebAddress.describe(
    "Receives this order's events, signed with the current secret of the API key that created the order. In live mode: https on port 80 or 443, and a public address.",
  ),
  return_url: optionalWebAddress.describe(
    `Where the customer is redirected after paying. ${RETURN_ADDRESS_RULE}`,
  ),
  cancel_url: optionalWebAddress.describe(
    `Where the customer is redirected after cancellation or expiry. ${RETURN_ADDRESS_RULE}`,
  ),
  expires_in: seconds(60, 3600, 300).describe("Seconds until the order expires."),
  metadata,
  locale: optionalLocale,
  idempotency_key: idempotencyKey,
});
export type CreateOrderRequest = z.output<typeof createOrderRequestSchema>;

/** IDs may grow, so the lengths in the patterns are lower bounds. */
export const orderSchema = z.object({
  order_id: z
    .string()
    .regex(/^POS-\d{8}-[0-9A-Z]{6,}$/)
    .describe("Identifies the order."),
  amount: z.string().describe(FORMATTED_AMOUNT),
  raw_amount: z.number().describe("The amount as a number."),
  currency: z.string().describe("ISO 4217 code."),
  payment_method: paymentMethodSchema.describe("How the order can be paid."),
  reference: z.string().nullable().describe("Your own reference."),
  description: z.string().nullable().describe("Shown on the payment page."),
  terminal_id: z.string().nullable().describe("The till or terminal."),
  status: orderStatusSchema.describe("The current status, including refunds."),
  qr_data: z
    .string()
    .nullable()
    .describe("The content of the QR code: the URL of the hosted page. Null for `payment_page`."),
  payment_url: z.string().nullable().describe("The URL of the hosted page. Null for `qr_only`."),
  trx_id: z
    .string()
    .nullable()
    .describe("The payment's transaction ID, required for refunds. Null until paid."),
  paid_at: timestamp.nullable().describe("When the order was paid. Null until then."),
  expires_at: timestamp.describe("When the order expires if it is not paid."),
  created_at: timestamp.describe("When the order was created."),
  refunded_amount: z.number().describe("The total of completed refunds."),
  metadata: responseMetadata,
  locale: responseLocale,
});
export type Order = z.infer<typeof orderSchema>;

export const listOrdersQuerySchema = listQuerySchema.safeExtend({
  status: orderStatusSchema.optional(),
  reference: optionalFilter(255),
});
export type ListOrdersQuery = z.output<typeof listOrdersQuerySchema>;

/** The outcomes of the payment page's test buttons, and expiry. */
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
    "`paid`: the account's test customer pays. `paid_converted`: the test customer pays from a wallet in another currency, at the current rate. `declined`: the payment is declined, and the order stays payable. `insufficient_balance`: the customer's balance is too low, and the order stays payable. `cancelled`: the customer cancels. `expired`: the order expires now.",
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
