import { ErrorCode, FieldRule, misspeltRule, oneOfRule, wholeNumberRule } from "../errors/index.js";
import { MAX_CURSOR_LENGTH, MAX_PAGE, MAX_PER_PAGE } from "../fields.js";
import { orderStatusSchema, SIMULATED_OUTCOMES } from "../public/orders.js";
import { type JsonObject, reference } from "./describe-schema.js";
import { type ErrorRow, wrongField } from "./errors.js";
import {
  example,
  type Operation,
  PER_PAGE_PARAMETER,
  pathParameter,
  queryParameter,
  successExample,
} from "./operation.js";

const TAG = "Orders";

const ORDER: JsonObject = {
  order_id: "POS-20261121-7KQ2MX",
  amount: "41.50 EUR",
  raw_amount: 41.5,
  currency: "EUR",
  payment_method: "both",
  reference: "till-3/1001",
  description: "Two coffees",
  terminal_id: "till-3",
  status: "PENDING",
  qr_data: "https://pay.example/pay/q3Vw0uXkqPZ7hYc2dR9sTg",
  payment_url: "https://pay.example/pay/q3Vw0uXkqPZ7hYc2dR9sTg",
  trx_id: null,
  paid_at: null,
  expires_at: "2026-11-21T09:35:00+00:00",
  created_at: "2026-11-21T09:30:00+00:00",
  refunded_amount: 0,
  metadata: { cashier: "7" },
  locale: "fr",
};

const PAID: JsonObject = {
  ...ORDER,
  status: "PAID",
  trx_id: "TRX-482913750264",
  paid_at: "2026-11-21T09:31:12+00:00",
};

export const PAGE_PARAMETERS: JsonObject[] = [
  queryParameter("from_date", "Start of the range: a UTC day, inclusive.", {
    type: "string",
    format: "date",
  }),
  queryParameter("to_date", "End of the range: a UTC day, inclusive.", { type: "string", format: "date" }),
  queryParameter(
    "cursor",
    "The `next_cursor` of the previous page, instead of `page`. New rows do not shift later pages, and `pagination` is null.",
    {
      type: "string",
      maxLength: MAX_CURSOR_LENGTH,
    },
  ),
  queryParameter("page", "Page number, starting at 1.", {
    type: "integer",
    minimum: 1,
    maximum: MAX_PAGE,
    default: 1,
  }),
  PER_PAGE_PARAMETER,
];

export const PAGE_ERRORS: ErrorRow[] = [
  wrongField("per_page", wholeNumberRule(1, MAX_PER_PAGE)),
  wrongField("from_date", FieldRule.RealDay),
  wrongField("cursor", FieldRule.EarlierCursor),
  wrongField("cursor", FieldRule.NotWithPage),
];

const ORDER_ID = pathParameter("order_id", "The order's ID.", "POS-20261121-7KQ2MX");

export const ORDER_OPERATIONS: Operation[] = [
  {
    id: "createOrder",
    method: "post",
    path: "/orders",
    tag: TAG,
    summary: "Create an order",
    description:
      "Creates a payment order. The customer scans the QR code or opens the hosted page; `pos.order.*` events are sent to `callback_url`.",
    request: {
      schema: "CreateOrderRequest",
      examples: {
        till: {
          summary: "An order at a till",
          value: {
            amount: 41.5,
            currency: "EUR",
            reference: "till-3/1001",
            description: "Two coffees",
            terminal_id: "till-3",
            callback_url: "https://shop.example/tillgate",
            metadata: { cashier: "7" },
            locale: "fr",
            idempotency_key: "till-3/1001",
          },
        },
        page: {
          summary: "An order for the hosted page only",
          value: {
            amount: "41.50",
            currency: "EUR",
            payment_method: "payment_page",
            return_url: "https://shop.example/thanks",
            expires_in: 900,
          },
        },
      },
    },
    response: {
      schema: "OrderResponse",
      description: "The order, awaiting payment.",
      examples: successExample(
        "created",
        "Created, now or by an earlier request with the same idempotency key",
        "POS order created successfully",
        ORDER,
      ),
    },
    replays: true,
    errors: [
      wrongField("amount", FieldRule.Required),
      wrongField("amount", FieldRule.AboveZero),
      wrongField("amount", FieldRule.TwoDecimals),
      wrongField("currency", FieldRule.OwnCurrency),
      wrongField("currency", FieldRule.ActiveCurrency),
      wrongField("callback_url", FieldRule.HttpsInLive),
      wrongField("callback_url", FieldRule.PublicAddress),
      wrongField("idempotency_key", FieldRule.KeyAsInHeader),
      wrongField("callbackUrl", misspeltRule("callback_url")),
      ErrorCode.IdempotencyKeyReused,
    ],
  },
  {
    id: "listOrders",
    method: "get",
    path: "/orders",
    tag: TAG,
    summary: "List orders",
    description: "Returns orders, newest first. Includes payments created with `payment/create`.",
    parameters: [
      queryParameter("status", "Only orders with this current status.", reference("schemas", "OrderStatus")),
      queryParameter("reference", "Only orders with this reference.", { type: "string", maxLength: 255 }),
      ...PAGE_PARAMETERS,
    ],
    response: {
      schema: "OrderListResponse",
      description: "A page of orders.",
      examples: successExample("page", "One paid order", "Orders retrieved", {
        orders: [PAID],
        pagination: { current_page: 1, per_page: 20, total: 1, last_page: 1 },
        next_cursor: null,
      }),
    },
    errors: [wrongField("status", oneOfRule(orderStatusSchema.options)), ...PAGE_ERRORS],
  },
  {
    id: "getOrder",
    method: "get",
    path: "/orders/{order_id}",
    tag: TAG,
    summary: "Get an order",
    description: "Retrieves an order. A pending order past its expiry is marked EXPIRED first.",
    parameters: [ORDER_ID],
    response: {
      schema: "OrderResponse",
      description: "The order.",
      examples: successExample("paid", "Paid", "Order status retrieved", PAID),
    },
    errors: [ErrorCode.OrderNotFound],
  },
  {
    id: "cancelOrder",
    method: "post",
    path: "/orders/{order_id}/cancel",
    tag: TAG,
    summary: "Cancel an order",
    description:
      "Cancels a pending order. If the order is cancelled and paid at the same time, exactly one of the two succeeds. No body required.",
    parameters: [ORDER_ID],
    response: {
      schema: "OrderResponse",
      description: "The cancelled order.",
      examples: successExample("cancelled", "Cancelled", "Order cancelled", {
        ...ORDER,
        status: "CANCELLED",
      }),
    },
    errors: [ErrorCode.OrderNotFound, ErrorCode.OnlyPendingCanBeCancelled],
  },
  {
    id: "simulateOrder",
    method: "post",
    path: "/orders/{order_id}/simulate",
    sandboxOnly: true,
    tag: TAG,
    summary: "Simulate the customer",
    description:
      "Simulates a customer's action on the payment page, with the same events, webhooks and page updates. Exists only in the sandbox. Safe to repeat.",
    parameters: [ORDER_ID],
    request: {
      schema: "SimulateOrderRequest",
      examples: example("paid", "The customer pays", { outcome: "paid" }),
    },
    response: {
      schema: "OrderResponse",
      description: "The order after the simulated action.",
      examples: successExample("paid", "Paid", "Outcome simulated", PAID),
    },
    errors: [
      wrongField("outcome", FieldRule.Required),
      wrongField("outcome", oneOfRule(SIMULATED_OUTCOMES)),
      ErrorCode.OrderNotFound,
      ErrorCode.OrderAlreadyPaid,
      ErrorCode.OrderCancelled,
      ErrorCode.OrderExpired,
      ErrorCode.WalletClosed,
      ErrorCode.InsufficientBalance,
      ErrorCode.NoRate,
    ],
  },
];
