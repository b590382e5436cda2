import { errorEnvelopeSchema } from "../envelope.js";
import { paginationSchema } from "../fields.js";
import { QUOTE_MINUTES } from "../limits.js";
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
import { type DescribedSchema, describe } from "./describe-schema.js";

const RESOURCES = {
  OrderStatus: describe(
    orderStatusSchema,
    "PENDING becomes PAID, EXPIRED or CANCELLED. After PAID it follows the refunds: REFUND_PENDING while one is pending, REFUNDED when all of the payment was given back.",
  ),
  PaymentMethod: describe(paymentMethodSchema, "How an order is shown to the shopper."),
  TestControl: describe(testControlSchema, "What was ordered of the sandbox."),
  Order: describe(orderSchema, "A payment order."),
  Payment: describe(paymentSchema, "A payment made by payment/create."),
  RefundStatus: describe(
    refundStatusSchema,
    "`pending` only where an administrator has set the account's refunds to need approval; then `completed` or `failed`, once.",
  ),
  Refund: describe(refundSchema, "A refund of a payment, whole or partial."),
  Pagination: describe(paginationSchema, "Where in a list a page is."),
  WalletBalance: describe(walletBalanceSchema, "A wallet, and what waits for a decision beside it."),
  BalanceEntry: describe(balanceEntrySchema, "One line of a wallet's statement."),
  WebhookTest: describe(webhookTestSchema, "The result of a test event."),
  ListedEvent: describe(listedEventSchema, "An event as it was written."),
  WebhookEndpoint: describe(endpointSchema, "A webhook endpoint and its health."),
  WebhookDelivery: describe(webhookDeliverySchema, "An event on its way to one address."),
  WebhookAttempt: describe(webhookAttemptSchema, "One try to send a delivery."),
  Replay: describe(replaySchema, "Events of a range on their way again, one after the other."),
  ReplayPreview: describe(replayPreviewSchema, "What a replay would send now."),
  Quote: describe(quoteSchema, `Rate and fee of a payout, fixed for ${QUOTE_MINUTES} minutes and one use.`),
  PayoutStatus: describe(
    payoutStatusSchema,
    "`pending` above the account's review amount, with the money held; then `completed` or `failed`, once.",
  ),
  Payout: describe(payoutSchema, "Money sent from a merchant wallet to a recipient's wallet."),
} satisfies Record<string, DescribedSchema>;

const ANSWERS = {
  TokenAnswer: describe(tokenAnswerSchema, "An access token."),
  PaymentCreatedAnswer: describe(paymentCreatedAnswerSchema, "A created payment."),
  PaymentAnswer: describe(paymentAnswerSchema, "One payment."),
  OrderAnswer: describe(orderAnswerSchema, "One order."),
  OrderListAnswer: describe(orderListAnswerSchema, "A page of orders, the newest first."),
  RefundAnswer: describe(refundAnswerSchema, "One refund."),
  RefundListAnswer: describe(refundListAnswerSchema, "A page of refunds, the newest first."),
  WebhookTestAnswer: describe(testWebhookAnswerSchema, "The result of a test event."),
  WalletBalancesAnswer: describe(
    walletBalancesAnswerSchema,
    "The merchant's open wallets: in active currencies, and in others while something is left in them.",
  ),
  BalanceEntryListAnswer: describe(
    balanceEntryListAnswerSchema,
    "A page of a wallet's entries, the newest first.",
  ),
  AccountAnswer: describe(accountAnswerSchema, "The account."),
  EventListAnswer: describe(eventListAnswerSchema, "Events, the oldest first."),
  WebhookEndpointAnswer: describe(endpointAnswerSchema, "One endpoint."),
  WebhookEndpointSecretAnswer: describe(endpointSecretAnswerSchema, "An endpoint and its new secret."),
  WebhookEndpointListAnswer: describe(endpointListAnswerSchema, "All endpoints, the oldest first."),
  WebhookDeliveryListAnswer: describe(
    webhookDeliveryListAnswerSchema,
    "A page of deliveries, the newest first.",
  ),
  WebhookDeliveryAnswer: describe(webhookDeliveryAnswerSchema, "One delivery with its attempts."),
  ReplayAnswer: describe(replayAnswerSchema, "One replay."),
  ReplayPreviewAnswer: describe(replayPreviewAnswerSchema, "What a replay would send now."),
  ReplayListAnswer: describe(replayListAnswerSchema, "A page of replays, the newest first."),
  DeliveryResentAnswer: describe(deliveryResentAnswerSchema, "A delivery that is sent again."),
  LookupAnswer: describe(lookupAnswerSchema, "A recipient."),
  QuoteAnswer: describe(quoteAnswerSchema, "A quote."),
  PayoutAnswer: describe(payoutAnswerSchema, "One payout."),
  TestControlAnswer: describe(testControlAnswerSchema, "A test control."),
  TestControlListAnswer: describe(
    testControlListAnswerSchema,
    "The test controls that still meet something, the oldest first.",
  ),
  TestControlsClearedAnswer: describe(testControlsClearedAnswerSchema, "How many were cleared."),
  BroughtToEndAnswer: describe(broughtToEndAnswerSchema, "When it ends now."),
  PayoutListAnswer: describe(payoutListAnswerSchema, "A page of payouts, the newest first."),
  BalancesAnswer: describe(
    balancesAnswerSchema,
    "The merchant's open wallets: in active currencies, and in others while something is left in them.",
  ),
  ErrorEnvelope: describe(
    errorEnvelopeSchema.omit({ reason: true, missing: true }),
    "Every error of every operation.",
  ),
} satisfies Record<string, DescribedSchema>;

const EVENTS = {
  OrderEvent: describe(orderEventSchema, "Something happened to an order."),
  RefundEvent: describe(refundEventSchema, "A refund was completed or has failed, a partial one too."),
  PayoutEvent: describe(payoutEventSchema, "A payout has its final status."),
} satisfies Record<string, DescribedSchema>;

/** What Tillgate answers and sends. */
export const ANSWER_SCHEMAS = { ...RESOURCES, ...ANSWERS, ...EVENTS };
