import { errorEnvelopeSchema } from "../envelope.js";
import { paginationSchema } from "../fields.js";
import { QUOTE_MINUTES } from "../limits.js";
import {
  accountResponseSchema,
  balanceEntryListResponseSchema,
  balanceEntrySchema,
  walletBalanceSchema,
  walletBalancesResponseSchema,
} from "../public/account.js";
import { orderEventSchema, payoutEventSchema, refundEventSchema } from "../public/events.js";
import {
  orderListResponseSchema,
  orderResponseSchema,
  orderSchema,
  orderStatusSchema,
  paymentMethodSchema,
} from "../public/orders.js";
import {
  paymentCreatedResponseSchema,
  paymentResponseSchema,
  paymentSchema,
  tokenResponseSchema,
} from "../public/payments.js";
import {
  balancesResponseSchema,
  lookupResponseSchema,
  payoutListResponseSchema,
  payoutResponseSchema,
  payoutSchema,
  payoutStatusSchema,
  quoteResponseSchema,
  quoteSchema,
} from "../public/payouts.js";
import {
  refundListResponseSchema,
  refundResponseSchema,
  refundSchema,
  refundStatusSchema,
} from "../public/refunds.js";
import {
  replayListResponseSchema,
  replayPreviewResponseSchema,
  replayPreviewSchema,
  replayResponseSchema,
  replaySchema,
} from "../public/replays.js";
import {
  bringToEndResponseSchema,
  testControlListResponseSchema,
  testControlResponseSchema,
  testControlSchema,
  testControlsClearedResponseSchema,
} from "../public/test-controls.js";
import {
  endpointListResponseSchema,
  endpointResponseSchema,
  endpointSchema,
  endpointSecretResponseSchema,
  eventListResponseSchema,
  listedEventSchema,
  resendDeliveryResponseSchema,
  testWebhookResponseSchema,
  webhookAttemptSchema,
  webhookDeliveryListResponseSchema,
  webhookDeliveryResponseSchema,
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
  TokenAnswer: describe(tokenResponseSchema, "An access token."),
  PaymentCreatedAnswer: describe(paymentCreatedResponseSchema, "A created payment."),
  PaymentAnswer: describe(paymentResponseSchema, "One payment."),
  OrderAnswer: describe(orderResponseSchema, "One order."),
  OrderListAnswer: describe(orderListResponseSchema, "A page of orders, the newest first."),
  RefundAnswer: describe(refundResponseSchema, "One refund."),
  RefundListAnswer: describe(refundListResponseSchema, "A page of refunds, the newest first."),
  WebhookTestAnswer: describe(testWebhookResponseSchema, "The result of a test event."),
  WalletBalancesAnswer: describe(
    walletBalancesResponseSchema,
    "The merchant's open wallets: in active currencies, and in others while something is left in them.",
  ),
  BalanceEntryListAnswer: describe(
    balanceEntryListResponseSchema,
    "A page of a wallet's entries, the newest first.",
  ),
  AccountAnswer: describe(accountResponseSchema, "The account."),
  EventListAnswer: describe(eventListResponseSchema, "Events, the oldest first."),
  WebhookEndpointAnswer: describe(endpointResponseSchema, "One endpoint."),
  WebhookEndpointSecretAnswer: describe(endpointSecretResponseSchema, "An endpoint and its new secret."),
  WebhookEndpointListAnswer: describe(endpointListResponseSchema, "All endpoints, the oldest first."),
  WebhookDeliveryListAnswer: describe(
    webhookDeliveryListResponseSchema,
    "A page of deliveries, the newest first.",
  ),
  WebhookDeliveryAnswer: describe(webhookDeliveryResponseSchema, "One delivery with its attempts."),
  ReplayAnswer: describe(replayResponseSchema, "One replay."),
  ReplayPreviewAnswer: describe(replayPreviewResponseSchema, "What a replay would send now."),
  ReplayListAnswer: describe(replayListResponseSchema, "A page of replays, the newest first."),
  DeliveryResentAnswer: describe(resendDeliveryResponseSchema, "A delivery that is sent again."),
  LookupAnswer: describe(lookupResponseSchema, "A recipient."),
  QuoteAnswer: describe(quoteResponseSchema, "A quote."),
  PayoutAnswer: describe(payoutResponseSchema, "One payout."),
  TestControlAnswer: describe(testControlResponseSchema, "A test control."),
  TestControlListAnswer: describe(
    testControlListResponseSchema,
    "The test controls that still meet something, the oldest first.",
  ),
  TestControlsClearedAnswer: describe(testControlsClearedResponseSchema, "How many were cleared."),
  BroughtToEndAnswer: describe(bringToEndResponseSchema, "When it ends now."),
  PayoutListAnswer: describe(payoutListResponseSchema, "A page of payouts, the newest first."),
  BalancesAnswer: describe(
    balancesResponseSchema,
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
export const RESPONSE_SCHEMAS = { ...RESOURCES, ...ANSWERS, ...EVENTS };
