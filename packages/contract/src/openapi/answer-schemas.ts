import { errorEnvelopeSchema } from "../envelope.js";
import { paginationSchema } from "../fields.js";
import {
  accountAnswerSchema,
  balanceEntryListAnswerSchema,
  balanceEntrySchema,
  walletBalanceSchema,
  walletBalancesAnswerSchema,
} from "../public/account.js";
import { orderEventSchema, payoutEventSchema, refundEventSchema } from "../public/events.js";
import {
  orderAnswerSchema,
  orderListAnswerSchema,
  orderSchema,
  orderStatusSchema,
  paymentMethodSchema,
} from "../public/orders.js";
import {
  paymentAnswerSchema,
  paymentCreatedAnswerSchema,
  paymentSchema,
  tokenAnswerSchema,
} from "../public/payments.js";
import {
  balancesAnswerSchema,
  lookupAnswerSchema,
  payoutAnswerSchema,
  payoutListAnswerSchema,
  payoutSchema,
  payoutStatusSchema,
  quoteAnswerSchema,
  quoteSchema,
} from "../public/payouts.js";
import {
  refundAnswerSchema,
  refundListAnswerSchema,
  refundSchema,
  refundStatusSchema,
} from "../public/refunds.js";
import {
  replayAnswerSchema,
  replayListAnswerSchema,
  replayPreviewAnswerSchema,
  replayPreviewSchema,
  replaySchema,
} from "../public/replays.js";
import {
  broughtToEndAnswerSchema,
  testControlAnswerSchema,
  testControlListAnswerSchema,
  testControlSchema,
  testControlsClearedAnswerSchema,
} from "../public/test-controls.js";
import {
  deliveryResentAnswerSchema,
  endpointAnswerSchema,
  endpointListAnswerSchema,
  endpointSchema,
  endpointSecretAnswerSchema,
  eventListAnswerSchema,
  listedEventSchema,
  testWebhookAnswerSchema,
  webhookAttemptSchema,
  webhookDeliveryAnswerSchema,
  webhookDeliveryListAnswerSchema,
  webhookDeliverySchema,
  webhookTestSchema,
} from "../public/webhooks.js";
import { type DescribedSchema, describe, describeWhole } from "./describe-schema.js";

const METADATA = "As sent; null where none was.";
const LOCALE = "The language that was asked for; null where none was.";
const FORMATTED = "Formatted with the currency's digits and its code.";

const NEXT_CURSOR = "Give it as `cursor` for the next page; null on the last one.";
/** Lists that are read by page or by cursor. */
const LISTED = {
  "data.next_cursor": NEXT_CURSOR,
  "data.pagination": "Null behind a cursor: no pages are counted there.",
};
const EXACT =
  "Exact in its text: of more than 15 digits a reader with binary floats sees the nearest number.";

const RESOURCES = {
  OrderStatus: describeWhole(
    orderStatusSchema,
    "PENDING becomes PAID, EXPIRED or CANCELLED. After PAID it follows the refunds: REFUND_PENDING while one is pending, REFUNDED when all of the payment was given back.",
  ),
  PaymentMethod: describeWhole(paymentMethodSchema, "How an order is shown to the shopper."),
  TestControl: describe(testControlSchema, "What was ordered of the sandbox.", {
    control_id: "Identifies the control.",
    control: "What calls or webhooks meet.",
    left: "How many it still meets.",
    seconds: "How long it holds something up.",
    created_at: "When it was ordered.",
    expires_at: "When it is over, whatever is left.",
  }),
  Order: describe(orderSchema, "A payment order.", {
    order_id: "Identifies the order.",
    amount: FORMATTED,
    raw_amount: "The amount as a number.",
    currency: "ISO 4217 code.",
    payment_method: "How the order is shown.",
    reference: "Your own reference.",
    description: "Shown on the page.",
    terminal_id: "The till or terminal.",
    status: "What the order is now, refunds counted.",
    qr_data: "What the QR code encodes: the hosted page's address. Null for `payment_page`.",
    payment_url: "The hosted page. Null for `qr_only`.",
    trx_id: "The payment's transaction; refunds name it. Null until paid.",
    paid_at: "When it was paid; null until then.",
    expires_at: "When it expires, or expired, unless paid before.",
    created_at: "When it was created.",
    refunded_amount: "The sum of completed refunds.",
    metadata: METADATA,
    locale: LOCALE,
  }),
  Payment: describe(paymentSchema, "A payment made by payment/create.", {
    token: "Identifies the payment and its hosted page.",
    order_id: "The same payment in the list of orders.",
    status: "What the payment is now, refunds counted.",
    amount: FORMATTED,
    raw_amount: "The amount as a number.",
    currency: "ISO 4217 code.",
    order_number: "Your own order reference.",
    custom: "Your own text.",
    metadata: METADATA,
    locale: LOCALE,
    trx_id: "The payment's transaction; refunds name it. Null until paid.",
    paid_at: "When it was paid; null until then.",
    expires_at: "When it expires, or expired, unless paid before.",
    created_at: "When it was created.",
  }),
  RefundStatus: describeWhole(
    refundStatusSchema,
    "`pending` only where an administrator has set the account's refunds to need approval; then `completed` or `failed`, once.",
  ),
  Refund: describe(refundSchema, "A refund of a payment, whole or partial.", {
    refund_id: "Identifies the refund.",
    transaction_id: "The payment's transaction.",
    amount: FORMATTED,
    raw_amount: "The amount as a number.",
    currency: "ISO 4217 code.",
    status: "How far the refund is.",
    reason: "The reason that was given; empty where none was.",
    reference: "Your own reference; empty where none was given.",
    metadata: METADATA,
    created_at: "When it was created.",
  }),
  Pagination: describe(paginationSchema, "Where in a list a page is.", {
    current_page: "This page, from 1.",
    per_page: "Entries a page.",
    total: "Entries on all pages.",
    last_page: "The last page; 1 when there is no entry.",
  }),
  WalletBalance: describe(walletBalanceSchema, "A wallet, and what waits for a decision beside it.", {
    currency: "ISO 4217 code.",
    balance: `What can be spent. ${FORMATTED}`,
    raw_balance: `The balance as a number. ${EXACT}`,
    held: `What is held for pending payouts and refunds. ${FORMATTED}`,
    raw_held: `What is held, as a number. ${EXACT}`,
  }),
  BalanceEntry: describe(balanceEntrySchema, "One line of a wallet's statement.", {
    entry_id: "Identifies the entry.",
    kind: "What moved the money. `hold` goes into what is held, `hold_return` comes back from it.",
    currency: "ISO 4217 code of the wallet.",
    amount: `Below zero where the wallet was debited. ${FORMATTED}`,
    raw_amount: "The amount as a number.",
    balance: `The wallet's balance after it. ${FORMATTED}`,
    raw_balance: `The balance after it, as a number. ${EXACT}`,
    order_id: "The order that it is for, or null.",
    refund_id: "The refund that it is for, or null.",
    payout_id: "The payout that it is for, or null.",
    reference: "The reference of that, or the external one of a deposit or withdrawal.",
    created_at: "When it was booked.",
  }),
  WebhookTest: describe(webhookTestSchema, "The result of a test event.", {
    delivered: "Whether the address answered 2xx, and no web page, within 15 seconds.",
    http_status: "The status it answered; null when there was no answer.",
    latency_ms: "How long it took, in milliseconds.",
    error:
      "Why it failed: `dns` the host name does not resolve, `refused_address` not an address that is delivered to, `tls` the certificate or handshake, `connection` refused or broken off, `timeout`, `redirect` a 3xx (none is followed), `status` any other status. `html_answer` a 2xx with a web page in it: a page answered in place of a webhook receiver, and a delivery would be sent again. Null: all is well.",
  }),
  ListedEvent: describe(listedEventSchema, "An event as it was written.", {
    id: "The event's id, its `webhook-id`.",
    event: "The event's name.",
    created_at: "When it was written.",
    order_id: "The order it is about; null for a payout.",
    body: "The body, as the exact text that deliveries send.",
  }),
  WebhookEndpoint: describe(endpointSchema, "A webhook endpoint and its health.", {
    endpoint_id: "Identifies the endpoint.",
    address: "Where webhooks are sent.",
    events: "The events that it gets.",
    state: "`paused`: its deliveries are kept. `disabled`: nothing is sent to it until it is enabled.",
    disabled_reason:
      "`gone` (it answered 410), `failing` (for five days) or `administrator`; null while it is not disabled.",
    disabled_at: "When it was disabled.",
    verified_at: "When its address first answered 2xx to a test event; null again for another address.",
    last_success_at: "When a delivery last arrived.",
    last_failure_at: "When an attempt last failed.",
    likely_cause: "The likely cause of the last failure, in words; null once a delivery has arrived again.",
    failures_in_row: "How many attempts have failed since the last that arrived.",
    failing_since: "When the first of them failed.",
    previous_secret_expires_at: "Until when the secret before a rotation signs too.",
    created_at: "When it was made.",
  }),
  WebhookDelivery: describe(webhookDeliverySchema, "An event on its way to one address.", {
    delivery_id: "Identifies the delivery.",
    event_id: "The event's id, its `webhook-id`.",
    event: "The event's name.",
    endpoint_id: "The endpoint; null for an order's own callback_url.",
    address: "Where it is sent.",
    status:
      "`queued`: it is sent as soon as possible. `pending`: it has failed and is tried again. `held`: its endpoint is paused. `failed`: it was given up.",
    given_up_because: "Why it was given up; null while it was not.",
    attempts: "How often it was sent.",
    next_attempt_at: "When it is sent again, while it is pending.",
    created_at: "When it was made.",
    settled_at: "When it arrived or was given up.",
  }),
  WebhookAttempt: describe(webhookAttemptSchema, "One try to send a delivery.", {
    number: "Counts the attempts of the delivery, from 1.",
    started_at: "When it was sent.",
    latency_ms: "How long the answer took.",
    http_status: "What was answered; null where nothing was.",
    error: "What went wrong, `dns` or `timeout`; null for an answer.",
    likely_cause: "The likely cause of a failure, in words.",
    answer_start: "The first part of the answer.",
  }),
  Replay: describe(replaySchema, "Events of a range on their way again, one after the other.", {
    replay_id: "Identifies the replay.",
    endpoint_id: "The endpoint that gets them; null where an address does.",
    callback_url: "The address that gets them; null where an endpoint does.",
    from: "Events of this time on.",
    to: "And before this one.",
    events: "The names of the events that it sends.",
    skip_failed: "Whether it goes on with the next event when an attempt fails.",
    state:
      "`running`; `stopped`: a delivery was given up, and resuming goes on with that event; `completed`; `cancelled`.",
    total: "How many events it had when it was begun.",
    sent: "How many have arrived.",
    failed: "How many it has passed over.",
    cursor:
      "The place of the last event that arrived or was passed over, as `GET /events` takes it as `after`; null before the first.",
    event_id: "The event that is under way; null where none is.",
    delivery_id: "Its delivery.",
    created_at: "When it was begun.",
    ended_at: "When it was completed or cancelled.",
  }),
  ReplayPreview: describe(replayPreviewSchema, "What a replay would send now.", {
    total: "How many events.",
    more: "Whether there are more than were counted: more than one replay sends.",
    by_event: "How many of each name.",
    first_at: "When the first of them happened.",
    last_at: "When the last of them happened.",
    first: "The first of them, in order.",
  }),
  Quote: describe(quoteSchema, "Rate and fee of a payout, fixed for 5 minutes and one use.", {
    quote_id: "Identifies the quote.",
    amount: "Amount to send, before fees, in sender_currency.",
    sender_currency: "Currency debited from the merchant wallet.",
    receiver_currency: "Currency credited to the recipient.",
    exchange_rate: "From sender_currency to receiver_currency; 1 when they are equal.",
    fee: "Fixed plus percentage, debited in sender_currency.",
    total_deducted: "amount + fee.",
    receiver_amount: "Amount credited to the recipient, in receiver_currency.",
    expires_at: "When the quote ceases to be usable.",
  }),
  PayoutStatus: describeWhole(
    payoutStatusSchema,
    "`pending` above the account's review amount, with the money held; then `completed` or `failed`, once.",
  ),
  Payout: describe(payoutSchema, "Money sent from a merchant wallet to a recipient's wallet.", {
    payout_id: "Identifies the payout.",
    reference: "Your own reference.",
    amount: "Amount sent, before fees, in `currency`.",
    currency: "Sender currency.",
    fee: "Fixed plus percentage, in `currency`.",
    total_deducted: "amount + fee, debited from the merchant wallet.",
    exchange_rate: "From `currency` to `receiver_currency`.",
    receiver_amount: "Amount credited to the recipient's wallet.",
    receiver_currency: "Recipient's currency.",
    status: "How far the payout is.",
    description: "As sent in the request.",
    metadata: METADATA,
    trx_id: "Internal transaction identifier.",
    created_at: "When it was created.",
    processed_at: "When it was completed or failed; null while it is pending.",
  }),
} satisfies Record<string, DescribedSchema>;

const ANSWERS = {
  TokenAnswer: describeWhole(tokenAnswerSchema, "An access token.", {
    "data.access_token": "Bearer token for the payment operations (a signed JWT).",
    "data.expire_time": "Its lifetime in seconds.",
  }),
  PaymentCreatedAnswer: describeWhole(paymentCreatedAnswerSchema, "A created payment.", {
    "data.token": "Identifies the payment.",
    "data.payment_url": "The hosted page to send the customer to.",
  }),
  PaymentAnswer: describeWhole(paymentAnswerSchema, "One payment."),
  OrderAnswer: describeWhole(orderAnswerSchema, "One order."),
  OrderListAnswer: describeWhole(orderListAnswerSchema, "A page of orders, the newest first.", LISTED),
  RefundAnswer: describeWhole(refundAnswerSchema, "One refund."),
  RefundListAnswer: describeWhole(refundListAnswerSchema, "A page of refunds, the newest first.", LISTED),
  WebhookTestAnswer: describeWhole(testWebhookAnswerSchema, "The result of a test event."),
  WalletBalancesAnswer: describeWhole(
    walletBalancesAnswerSchema,
    "The merchant's open wallets: in active currencies, and in others while something is left in them.",
  ),
  BalanceEntryListAnswer: describeWhole(
    balanceEntryListAnswerSchema,
    "A page of a wallet's entries, the newest first.",
    { "data.next_cursor": NEXT_CURSOR },
  ),
  AccountAnswer: describeWhole(accountAnswerSchema, "The account.", {
    "data.merchant_name": "The merchant's name.",
    "data.mode": "The mode of the credentials.",
    "data.console_url":
      "The merchant's pages in the console: a mode and a page follow, as in `/sandbox/orders/POS-…`. Null where there is no console.",
  }),
  EventListAnswer: describeWhole(eventListAnswerSchema, "Events, the oldest first.", {
    "data.next": "Give it as `after` to go on behind these events.",
    "data.has_more": "Whether there are more events already.",
  }),
  WebhookEndpointAnswer: describeWhole(endpointAnswerSchema, "One endpoint."),
  WebhookEndpointSecretAnswer: describeWhole(endpointSecretAnswerSchema, "An endpoint and its new secret.", {
    "data.secret": "Signs its webhooks (`whsec_…`). Shown only here.",
  }),
  WebhookEndpointListAnswer: describeWhole(endpointListAnswerSchema, "All endpoints, the oldest first."),
  WebhookDeliveryListAnswer: describeWhole(
    webhookDeliveryListAnswerSchema,
    "A page of deliveries, the newest first.",
    { "data.next_cursor": NEXT_CURSOR },
  ),
  WebhookDeliveryAnswer: describeWhole(webhookDeliveryAnswerSchema, "One delivery with its attempts.", {
    "data.history": "The attempts, the newest first; the newest hundred.",
  }),
  ReplayAnswer: describeWhole(replayAnswerSchema, "One replay."),
  ReplayPreviewAnswer: describeWhole(replayPreviewAnswerSchema, "What a replay would send now."),
  ReplayListAnswer: describeWhole(replayListAnswerSchema, "A page of replays, the newest first.", {
    "data.next_cursor": NEXT_CURSOR,
  }),
  DeliveryResentAnswer: describeWhole(deliveryResentAnswerSchema, "A delivery that is sent again.", {
    "data.already_waiting": "Whether it was about to be sent anyway, so that nothing changed.",
  }),
  LookupAnswer: describeWhole(lookupAnswerSchema, "A recipient.", {
    "data.lookup_token": "Names the recipient in quote and payout; valid 10 minutes.",
    "data.recipient.name": "For the sender to recognise the recipient.",
    "data.recipient.currencies": "The currencies of the recipient's wallets.",
  }),
  QuoteAnswer: describeWhole(quoteAnswerSchema, "A quote."),
  PayoutAnswer: describeWhole(payoutAnswerSchema, "One payout.", {
    "data.duplicate":
      "There, and true, when an earlier request with the same idempotency key made this payout.",
  }),
  TestControlAnswer: describeWhole(testControlAnswerSchema, "A test control."),
  TestControlListAnswer: describeWhole(
    testControlListAnswerSchema,
    "The test controls that still meet something, the oldest first.",
  ),
  TestControlsClearedAnswer: describeWhole(testControlsClearedAnswerSchema, "How many were cleared.", {
    "data.cleared": "How many were cleared.",
  }),
  BroughtToEndAnswer: describeWhole(broughtToEndAnswerSchema, "When it ends now.", {
    "data.expires_at": "When it ends, or ended.",
  }),
  PayoutListAnswer: describeWhole(payoutListAnswerSchema, "A page of payouts, the newest first.", LISTED),
  BalancesAnswer: describeWhole(
    balancesAnswerSchema,
    "The merchant's open wallets: in active currencies, and in others while something is left in them.",
    {
      "data.balances.balance":
        "What can be spent; what is held for pending payouts and refunds is not in it. Exact in its text: of more than 15 digits a reader with binary floats sees the nearest one.",
    },
  ),
  ErrorEnvelope: describeWhole(
    errorEnvelopeSchema.omit({ reason: true, missing: true }),
    "Every error of every operation.",
    {
      "message.code": "Equals the HTTP status.",
      "message.error": "What is wrong, as sentences.",
      error_code: "Which refusal it is; never changes.",
      param: "The field that is to blame, where it is one.",
      errors: "Only when fields are wrong: the sentences by field.",
    },
  ),
} satisfies Record<string, DescribedSchema>;

const EVENTS = {
  OrderEvent: describeWhole(orderEventSchema, "Something happened to an order.", {
    id: "The event's id, the same for every receiver and attempt.",
    "data.version": "Counts the order's changes, so that a late event is known as late.",
  }),
  RefundEvent: describeWhole(refundEventSchema, "A refund was completed or has failed, a partial one too.", {
    id: "The event's id, the same for every receiver and attempt.",
    "data.order_id": "The order whose payment is refunded.",
  }),
  PayoutEvent: describeWhole(payoutEventSchema, "A payout has its final status.", {
    id: "The event's id, the same for every receiver and attempt.",
  }),
} satisfies Record<string, DescribedSchema>;

/** What Tillgate answers and sends. */
export const ANSWER_SCHEMAS = { ...RESOURCES, ...ANSWERS, ...EVENTS };
