import { createOrderRequestSchema, simulateOrderRequestSchema } from "../public/orders.js";
import { createPaymentRequestSchema, tokenRequestSchema } from "../public/payments.js";
import { lookupRequestSchema, payoutRequestWithKeySchema, quoteRequestSchema } from "../public/payouts.js";
import { createRefundRequestSchema } from "../public/refunds.js";
import { createReplayRequestSchema, previewReplayRequestSchema } from "../public/replays.js";
import {
  bringToEndRequestSchema,
  createTestControlRequestSchema,
  decideTestPayoutRequestSchema,
} from "../public/test-controls.js";
import {
  changeEndpointRequestSchema,
  createEndpointRequestSchema,
  testWebhookRequestSchema,
} from "../public/webhooks.js";
import { describe } from "./describe-schema.js";

const ONE_TARGET = {
  oneOf: [
    { title: "To an endpoint", required: ["endpoint_id"] },
    { title: "To an address", required: ["callback_url"] },
  ],
};

/** What callers send. */
export const REQUEST_SCHEMAS = {
  TokenRequest: describe(tokenRequestSchema, "The client credentials of a merchant, in one mode."),
  CreatePaymentRequest: describe(
    createPaymentRequestSchema,
    "A payment on the hosted page, for a shop that comes back to ask for its status.",
  ),
  CreateOrderRequest: describe(
    createOrderRequestSchema,
    "A payment order, shown as a QR code, on the hosted page, or both.",
  ),
  SimulateOrderRequest: describe(simulateOrderRequestSchema, "How a shopper ends an order."),
  CreateRefundRequest: describe(createRefundRequestSchema, "Gives a payment back, wholly or in part."),
  TestWebhookRequest: describe(testWebhookRequestSchema, "Where to send a test event."),
  CreateTestControlRequest: describe(
    createTestControlRequestSchema,
    "What the next calls, webhooks, shoppers or payouts of this account's sandbox meet.",
  ),
  DecideTestPayoutRequest: describe(decideTestPayoutRequestSchema, "What becomes of a payout that waits."),
  BringToEndRequest: describe(bringToEndRequestSchema, "What comes to its end, and how near."),
  CreateWebhookEndpointRequest: describe(
    createEndpointRequestSchema,
    "An address that gets the events that it chose.",
  ),
  ChangeWebhookEndpointRequest: describe(
    changeEndpointRequestSchema,
    "What changes; a field that is left out does not.",
  ),
  PreviewReplayRequest: describe(
    previewReplayRequestSchema,
    "Which events, and where to: an endpoint or an address, exactly one of them.",
    ONE_TARGET,
  ),
  CreateReplayRequest: describe(
    createReplayRequestSchema,
    "Which events, and where to: an endpoint or an address, exactly one of them.",
    ONE_TARGET,
  ),
  LookupRequest: describe(
    lookupRequestSchema,
    "Who is to be paid: a phone number or an e-mail address, exactly one of them.",
    {
      oneOf: [
        { title: "By phone", required: ["phone"] },
        { title: "By e-mail", required: ["email"] },
      ],
    },
  ),
  QuoteRequest: describe(quoteRequestSchema, "Asks for rate and fee of a payout."),
  PayoutRequest: describe(
    payoutRequestWithKeySchema,
    "With `quote_id` rate and fee are the quote's; without it they are those of this moment. Fields sent beside `quote_id` must equal the quote's.",
    {
      // The key may stand in the header instead.
      required: ["reference"],
      anyOf: [
        { title: "By quote", required: ["quote_id"] },
        {
          title: "Direct",
          required: ["lookup_token", "amount", "sender_currency", "receiver_currency"],
        },
      ],
    },
  ),
};
