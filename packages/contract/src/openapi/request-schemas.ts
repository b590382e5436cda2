import { createOrderRequestSchema, simulateOrderRequestSchema } from "../public/orders.js";
import { createPaymentRequestSchema, tokenRequestSchema } from "../public/payments.js";
import { keyedPayoutRequestSchema, lookupRequestSchema, quoteRequestSchema } from "../public/payouts.js";
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

const AMOUNT =
  "Above zero, with at most the currency's decimals, 15 significant digits and 10^13 minor units: a number or a decimal text without an exponent.";
const KEY =
  "Makes a repeat of this request safe: the same key answers the same resource as it is now, and nothing moves twice. Also read from the header Idempotency-Key; an empty key is refused.";
const METADATA =
  "Your own texts by key, given back as they were sent, in events too: up to 20 keys of 40 characters, values of 500.";
const LOCALE = "Language of page and receipt: a tag of BCP 47, `fr` or `pt-BR`.";
const RETURN =
  "Absolute http or https address without credentials; its own query parameters are kept. https only in live mode.";

const REPLAYED = {
  endpoint_id: "The endpoint, signed with its own secret.",
  callback_url:
    "An address, signed as an order's callback_url with the calling client's secret. https only in live mode; never an address inside a private network.",
  from: "Events of this time on. Left out: from the oldest that is kept.",
  to: "Events before this time. Left out: up to now.",
  events: "The names of events. Left out: those that the endpoint chose; for an address all.",
};
const ONE_TARGET = {
  oneOf: [
    { title: "To an endpoint", required: ["endpoint_id"] },
    { title: "To an address", required: ["callback_url"] },
  ],
};
const ENDPOINT_ADDRESS =
  "Where webhooks are sent. In live mode https on port 80 or 443, in the sandbox also ports from 1024; never an address inside a private network.";

/** What callers send. */
export const REQUEST_SCHEMAS = {
  TokenRequest: describe(tokenRequestSchema, "The client credentials of a merchant, in one mode.", {
    client_id: "Client id of the credential.",
    secret_id: "Secret key of the credential.",
  }),
  CreatePaymentRequest: describe(
    createPaymentRequestSchema,
    "A payment on the hosted page, for a shop that comes back to ask for its status.",
    {
      amount: `${AMOUNT} Rounded to 2 decimals, half up, before anything else.`,
      currency: "Uppercase ISO 4217 code of one of your active wallets.",
      return_url: `Where the customer goes after paying. ${RETURN}`,
      cancel_url: `Where the customer goes after cancelling or when the payment has expired. ${RETURN}`,
      product_name: "What is paid for; shown on the page.",
      order_number: "Your own order reference.",
      custom: "Any text for your records; comes back with the payment and in the customer's return address.",
      expires_in: "Seconds until the payment expires.",
      metadata: METADATA,
      locale: LOCALE,
      idempotency_key: KEY,
    },
  ),
  CreateOrderRequest: describe(
    createOrderRequestSchema,
    "A payment order, shown as a QR code, on the hosted page, or both.",
    {
      amount: AMOUNT,
      currency: "Uppercase ISO 4217 code of one of your active wallets.",
      payment_method:
        "What the order is shown as: `qr_only` answers no payment_url, `payment_page` answers no qr_data.",
      reference: "Your own reference; the list can be filtered by it.",
      description: "Shown on the page.",
      terminal_id: "The till or terminal that took the order.",
      callback_url:
        "Receives this order's events, signed with the client secret that made it. In live mode https on port 80 or 443, and no private address.",
      return_url: `Where the page sends the customer after paying. ${RETURN}`,
      cancel_url: `Where the page sends the customer after cancelling or expiry. ${RETURN}`,
      expires_in: "Seconds until the order expires.",
      metadata: METADATA,
      locale: LOCALE,
      idempotency_key: KEY,
    },
  ),
  SimulateOrderRequest: describe(simulateOrderRequestSchema, "How a shopper ends an order.", {
    outcome:
      "`paid`: the account's test shopper pays. `paid_converted`: the test shopper pays from a wallet in another currency, at the rate of this moment. `declined`: the payment is refused, and the order stays payable. `insufficient_balance`: the shopper has too little, and the order stays payable. `cancelled`: the shopper cancels. `expired`: its time is over now.",
  }),
  CreateRefundRequest: describe(createRefundRequestSchema, "Gives a payment back, wholly or in part.", {
    transaction_id: "The trx_id of a paid order.",
    amount: `${AMOUNT} Left out: all that is left of the payment; null or empty is refused.`,
    reason: "Why; for your records.",
    reference: "Your own reference.",
    metadata: METADATA,
    idempotency_key: KEY,
  }),
  TestWebhookRequest: describe(testWebhookRequestSchema, "Where to send a test event.", {
    callback_url:
      "Gets one `tillgate.test` event, as it would get an order's. https only in live mode; never an address inside a private network.",
  }),
  CreateTestControlRequest: describe(
    createTestControlRequestSchema,
    "What the next calls, webhooks, shoppers or payouts of this account's sandbox meet.",
    {
      control:
        "`call_unavailable` answers 503 and `call_rate_limited` 429, and nothing is done; `call_timeout` does nothing and cuts the connection; `call_answer_lost` does all and cuts the connection instead of answering. `delivery_late` sends after `seconds`, `delivery_twice` sends twice, `delivery_reversed` sends after the next event of the same receiver, `delivery_never` gives up at once, `delivery_badly_signed` signs the first attempt with a key that nobody has. `payment_insufficient` refuses the next Approve on the payment page, or `paid` of `simulate`, with `insufficient_balance`; `payment_converted` lets it be paid from a wallet in another currency. `payout_waits` lets the next payout of the Partner API wait until it is decided under `/test/payouts`.",
      count: "How many calls, webhooks, shoppers or payouts it meets.",
      seconds:
        "How long `call_timeout` and `delivery_late` hold something up, and `delivery_reversed` at the most. Others have no use for it.",
    },
  ),
  DecideTestPayoutRequest: describe(decideTestPayoutRequestSchema, "What becomes of a payout that waits.", {
    outcome: "`completed`: the recipient has the money. `failed`: all of it is back in the account's wallet.",
  }),
  BringToEndRequest: describe(bringToEndRequestSchema, "What comes to its end, and how near.", {
    kind: "What it is.",
    id: "The order's id, the quote's, the lookup token, or the client id of which the old secret of a rotation ends.",
    moment: "`before_end`: ten seconds before, if there is more left. `after_end`: now.",
  }),
  CreateWebhookEndpointRequest: describe(
    createEndpointRequestSchema,
    "An address that gets the events that it chose.",
    {
      address: `${ENDPOINT_ADDRESS} Each of your endpoints has another one.`,
      events: "The names of the events that it gets.",
    },
  ),
  ChangeWebhookEndpointRequest: describe(
    changeEndpointRequestSchema,
    "What changes; a field that is left out does not.",
    {
      address: `${ENDPOINT_ADDRESS} Waiting deliveries go there.`,
      events: "The names of the events that it gets from now on.",
    },
  ),
  PreviewReplayRequest: describe(
    previewReplayRequestSchema,
    "Which events, and where to: an endpoint or an address, exactly one of them.",
    REPLAYED,
    ONE_TARGET,
  ),
  CreateReplayRequest: describe(
    createReplayRequestSchema,
    "Which events, and where to: an endpoint or an address, exactly one of them.",
    {
      ...REPLAYED,
      skip_failed:
        "Go on with the next event when an attempt fails; the failed one is tried again by the schedule, out of order. Left out: wait for it.",
      idempotency_key: KEY,
    },
    ONE_TARGET,
  ),
  LookupRequest: describe(
    lookupRequestSchema,
    "Who is to be paid: a phone number or an e-mail address, exactly one of them.",
    {
      phone: "With its country code, in any usual spelling, with or without `+`.",
      email: "In any case.",
    },
    {
      oneOf: [
        { title: "By phone", required: ["phone"] },
        { title: "By e-mail", required: ["email"] },
      ],
    },
  ),
  QuoteRequest: describe(quoteRequestSchema, "Asks for rate and fee of a payout.", {
    lookup_token: "From lookup; valid 10 minutes, any number of times.",
    amount: `${AMOUNT} In the sender currency, before fees.`,
    sender_currency: "ISO 4217 code of the merchant wallet to be debited.",
    receiver_currency: "ISO 4217 code of one of the currencies that lookup returned.",
  }),
  PayoutRequest: describe(
    keyedPayoutRequestSchema,
    "With `quote_id` rate and fee are the quote's; without it they are those of this moment. Fields sent beside `quote_id` must equal the quote's.",
    {
      quote_id: "From quote; valid 5 minutes, used at most once.",
      lookup_token: "From lookup; required when quote_id is absent.",
      amount: `${AMOUNT} In the sender currency, before fees; required when quote_id is absent.`,
      sender_currency: "ISO 4217 code of the merchant wallet; required when quote_id is absent.",
      receiver_currency: "ISO 4217 code of the recipient's wallet; required when quote_id is absent.",
      reference: "Your own reference, unique per merchant account and mode.",
      description: "Visible in the transaction history.",
      metadata: METADATA,
      idempotency_key:
        "Makes a repeat of this request safe: the same key always answers the original payout, whatever else the request says. Keys never expire. Required, here or in the header Idempotency-Key.",
    },
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
