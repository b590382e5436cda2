import { comparisonBodySchema } from "../public/comparisons.js";
import { createOrderRequestSchema, simulateOrderRequestSchema } from "../public/orders.js";
import { createPaymentRequestSchema, tokenRequestSchema } from "../public/payments.js";
import { lookupRequestSchema, payoutRequestWithKeySchema, quoteRequestSchema } from "../public/payouts.js";
import { createRefundRequestSchema } from "../public/refunds.js";
import { createReplayRequestSchema, previewReplayRequestSchema } from "../public/replays.js";
import {
  createTestControlRequestSchema,
  decideTestPayoutRequestSchema,
  expireRequestSchema,
} from "../public/test-controls.js";
import {
  changeEndpointRequestSchema,
  createEndpointRequestSchema,
  testWebhookRequestSchema,
} from "../public/webhooks.js";
import { describe } from "./describe-schema.js";

const ONE_TARGET = {
  oneOf: [
    { title: "Endpoint", required: ["endpoint_id"] },
    { title: "URL", required: ["callback_url"] },
  ],
};

export const REQUEST_SCHEMAS = {
  TokenRequest: describe(tokenRequestSchema, "A merchant's client credentials."),
  CreatePaymentRequest: describe(
    createPaymentRequestSchema,
    "A payment on the hosted page, for a shop that polls its status.",
  ),
  CreateOrderRequest: describe(
    createOrderRequestSchema,
    "A payment order, payable through a QR code, the hosted page, or both.",
  ),
  SimulateOrderRequest: describe(simulateOrderRequestSchema, "The simulated outcome of an order."),
  CreateRefundRequest: describe(createRefundRequestSchema, "A full or partial refund of a payment."),
  ComparisonRequest: describe(comparisonBodySchema, "A shop's orders, for a comparison with Tillgate."),
  TestWebhookRequest: describe(testWebhookRequestSchema, "The recipient of a test event."),
  CreateTestControlRequest: describe(
    createTestControlRequestSchema,
    "A fault or condition to apply to the account's next sandbox calls, webhooks, payments or payouts.",
  ),
  DecideTestPayoutRequest: describe(decideTestPayoutRequestSchema, "The decision on a pending payout."),
  ExpireRequest: describe(expireRequestSchema, "The resource to expire, and when."),
  CreateWebhookEndpointRequest: describe(
    createEndpointRequestSchema,
    "A URL and the events it subscribes to.",
  ),
  ChangeWebhookEndpointRequest: describe(
    changeEndpointRequestSchema,
    "The fields to change. Omitted fields keep their values.",
  ),
  PreviewReplayRequest: describe(
    previewReplayRequestSchema,
    "The events, and their recipient: exactly one of `endpoint_id` and `callback_url`.",
    ONE_TARGET,
  ),
  CreateReplayRequest: describe(
    createReplayRequestSchema,
    "The events, and their recipient: exactly one of `endpoint_id` and `callback_url`.",
    ONE_TARGET,
  ),
  LookupRequest: describe(lookupRequestSchema, "The recipient: exactly one of `phone` and `email`.", {
    oneOf: [
      { title: "By phone", required: ["phone"] },
      { title: "By e-mail", required: ["email"] },
    ],
  }),
  QuoteRequest: describe(quoteRequestSchema, "The terms to quote for a payout."),
  PayoutRequest: describe(
    payoutRequestWithKeySchema,
    "With `quote_id`, the rate and fee are those of the quote; otherwise, the current ones. Fields sent together with `quote_id` must equal the quote's.",
    {
      // The key may be in the header instead.
      required: ["reference"],
      anyOf: [
        { title: "With a quote", required: ["quote_id"] },
        {
          title: "Without a quote",
          required: ["lookup_token", "amount", "sender_currency", "receiver_currency"],
        },
      ],
    },
  ),
};
