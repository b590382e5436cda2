import { ErrorCode, FieldRule, misspeltRule, oneOfRule, wholeNumberRule } from "../errors/index.js";
import { MAX_CURSOR_LENGTH, MAX_PAGE, MAX_PER_PAGE } from "../fields.js";
import { orderStatusSchema, SIMULATED_OUTCOMES } from "../public/orders.js";
import { type Json, type JsonObject, reference } from "./describe-schema.js";
import { BASIC_ERRORS, type ErrorRow, wrongField } from "./errors.js";
import { type Path, PER_PAGE_PARAMETER, pathParameter, queryParameter } from "./operation.js";

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

export const succeeded = (message: string, data: Json): Json => ({ message: { success: [message] }, data });

/** The query parameters of every list of the Pay API. */
export const PAGE_PARAMETERS: JsonObject[] = [
  queryParameter("from_date", "First UTC day, included.", { type: "string", format: "date" }),
  queryParameter("to_date", "Last UTC day, included.", { type: "string", format: "date" }),
  queryParameter(
    "cursor",
    "The `next_cursor` of an earlier answer, in place of `page`: nothing shifts when rows are added, and nothing is counted.",
    {
      type: "string",
      maxLength: MAX_CURSOR_LENGTH,
    },
  ),
  queryParameter("page", "Page, from 1.", { type: "integer", minimum: 1, maximum: MAX_PAGE, default: 1 }),
  PER_PAGE_PARAMETER,
];

export const PAGE_ERRORS: ErrorRow[] = [
  wrongField("per_page", wholeNumberRule(1, MAX_PER_PAGE)),
  wrongField("from_date", FieldRule.RealDay),
  wrongField("cursor", FieldRule.EarlierCursor),
  wrongField("cursor", FieldRule.NotWithPage),
];

const ORDER_ID = pathParameter("order_id", "The order's id.", "POS-20261121-7KQ2MX");

/** `/orders`: create, list, get, cancel. */
export const ORDER_PATHS: Path[] = [
  {
    path: "/orders",
    api: "pay",
    operations: [
      {
        id: "createOrder",
        method: "post",
        tag: TAG,
        summary: "Create an order",
        description:
          "Creates a payment order. The shopper scans the QR code or opens the hosted page; `pos.order.*` events go to callback_url.",
        security: "clientCredentials",
        request: {
          schema: "CreateOrderRequest",
          examples: {
            till: {
              summary: "At a till",
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
              summary: "On the hosted page only",
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
        answer: {
          schema: "OrderAnswer",
          description: "The order, waiting for the shopper.",
          examples: {
            created: {
              summary: "Created, or created earlier by the same idempotency key",
              value: succeeded("POS order created successfully", ORDER),
            },
          },
        },
        replays: true,
        errors: [
          ...BASIC_ERRORS,
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
        tag: TAG,
        summary: "List orders",
        description: "The newest first. Payments made by payment/create are in the same list.",
        security: "clientCredentials",
        parameters: [
          queryParameter("status", "Only orders that are this now.", reference("schemas", "OrderStatus")),
          queryParameter("reference", "Only orders with this reference.", { type: "string", maxLength: 255 }),
          ...PAGE_PARAMETERS,
        ],
        answer: {
          schema: "OrderListAnswer",
          description: "A page of orders.",
          examples: {
            page: {
              summary: "One paid order",
              value: succeeded("Orders retrieved", {
                orders: [PAID],
                pagination: { current_page: 1, per_page: 20, total: 1, last_page: 1 },
                next_cursor: null,
              }),
            },
          },
        },
        errors: [...BASIC_ERRORS, wrongField("status", oneOfRule(orderStatusSchema.options)), ...PAGE_ERRORS],
      },
    ],
  },
  {
    path: "/orders/{order_id}",
    api: "pay",
    operations: [
      {
        id: "getOrder",
        method: "get",
        tag: TAG,
        summary: "Get an order",
        description: "A pending order past its expiry becomes EXPIRED first.",
        security: "clientCredentials",
        parameters: [ORDER_ID],
        answer: {
          schema: "OrderAnswer",
          description: "The order.",
          examples: { paid: { summary: "Paid", value: succeeded("Order status retrieved", PAID) } },
        },
        errors: [...BASIC_ERRORS, ErrorCode.OrderNotFound],
      },
    ],
  },
  {
    path: "/orders/{order_id}/cancel",
    api: "pay",
    operations: [
      {
        id: "cancelOrder",
        method: "post",
        tag: TAG,
        summary: "Cancel an order",
        description:
          "Only a pending order. When it is cancelled and paid at the same instant, exactly one wins. Needs no body.",
        security: "clientCredentials",
        parameters: [ORDER_ID],
        answer: {
          schema: "OrderAnswer",
          description: "The order, cancelled.",
          examples: {
            cancelled: {
              summary: "Cancelled",
              value: succeeded("Order cancelled", { ...ORDER, status: "CANCELLED" }),
            },
          },
        },
        errors: [...BASIC_ERRORS, ErrorCode.OrderNotFound, ErrorCode.OnlyPendingCanBeCancelled],
      },
    ],
  },
  {
    path: "/orders/{order_id}/simulate",
    api: "pay",
    sandboxOnly: true,
    operations: [
      {
        id: "simulateOrder",
        method: "post",
        tag: TAG,
        summary: "Play the shopper",
        description:
          "Does what a shopper does on the payment page, for tests: events, webhooks and the page follow as they do then. In the sandbox only: the live mode has no such address. Safe to repeat.",
        security: "clientCredentials",
        parameters: [ORDER_ID],
        request: {
          schema: "SimulateOrderRequest",
          examples: { paid: { summary: "The shopper pays", value: { outcome: "paid" } } },
        },
        answer: {
          schema: "OrderAnswer",
          description: "The order as it is then.",
          examples: { paid: { summary: "Paid", value: succeeded("Outcome simulated", PAID) } },
        },
        errors: [
          ...BASIC_ERRORS,
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
    ],
  },
];
