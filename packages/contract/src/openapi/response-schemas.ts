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
import { comparisonResponseSchema } from "../public/comparisons.js";
import {
  orderEventSchema,
  payoutEventSchema,
  refundEventSchema,
  reportEventSchema,
} from "../public/events.js";
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
  feeStatementResponseSchema,
  reportDayResponseSchema,
  reportEntrySchema,
  reportFeedResponseSchema,
  reportWalletSchema,
  reportWalletsResponseSchema,
} from "../public/reports.js";
import {
  expireResponseSchema,
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
    "PENDING becomes PAID, EXPIRED or CANCELLED. After PAID, the status reflects refunds: REFUND_PENDING while a refund is pending, REFUNDED once the payment is fully refunded.",
  ),
  PaymentMethod: describe(paymentMethodSchema, "How an order can be paid."),
  TestControl: describe(testControlSchema, "A fault or condition applied in the sandbox."),
  Order: describe(orderSchema, "A payment order."),
  Payment: describe(paymentSchema, "A payment created with `payment/create`."),
  RefundStatus: describe(
    refundStatusSchema,
    "`pending` only if the account's refunds require approval. `completed` and `failed` are final.",
  ),
  Refund: describe(refundSchema, "A full or partial refund of a payment."),
  Pagination: describe(paginationSchema, "The position of a page in a list."),
  WalletBalance: describe(walletBalanceSchema, "A wallet's available balance and held amount."),
  BalanceEntry: describe(balanceEntrySchema, "One line of a wallet's statement."),
  ReportWallet: describe(reportWalletSchema, "A wallet with reports."),
  ReportEntry: describe(reportEntrySchema, "One entry of a report."),
  WebhookTest: describe(webhookTestSchema, "The result of a test event."),
  ListedEvent: describe(listedEventSchema, "An event as recorded."),
  WebhookEndpoint: describe(endpointSchema, "A webhook endpoint and its health."),
  WebhookDelivery: describe(webhookDeliverySchema, "The delivery of one event to one URL."),
  WebhookAttempt: describe(webhookAttemptSchema, "One attempt of a delivery."),
  Replay: describe(replaySchema, "A resend of the events of a time range, in order."),
  ReplayPreview: describe(replayPreviewSchema, "The events that a replay would currently send."),
  Quote: describe(
    quoteSchema,
    `A payout's rate and fee, fixed for ${QUOTE_MINUTES} minutes and a single use.`,
  ),
  PayoutStatus: describe(
    payoutStatusSchema,
    "`pending` above the account's review amount, with the funds held. `completed` and `failed` are final.",
  ),
  Payout: describe(payoutSchema, "Money sent from a merchant wallet to a recipient's wallet."),
} satisfies Record<string, DescribedSchema>;

const RESPONSES = {
  TokenResponse: describe(tokenResponseSchema, "An access token."),
  PaymentCreatedResponse: describe(paymentCreatedResponseSchema, "A created payment."),
  PaymentResponse: describe(paymentResponseSchema, "One payment."),
  OrderResponse: describe(orderResponseSchema, "One order."),
  OrderListResponse: describe(orderListResponseSchema, "A page of orders, newest first."),
  RefundResponse: describe(refundResponseSchema, "One refund."),
  RefundListResponse: describe(refundListResponseSchema, "A page of refunds, newest first."),
  WebhookTestResponse: describe(testWebhookResponseSchema, "The result of a test event."),
  WalletBalancesResponse: describe(
    walletBalancesResponseSchema,
    "The merchant's open wallets in active currencies, and those in deactivated currencies with a balance.",
  ),
  BalanceEntryListResponse: describe(
    balanceEntryListResponseSchema,
    "A page of a wallet's entries, newest first.",
  ),
  ReportWalletsResponse: describe(
    reportWalletsResponseSchema,
    "The merchant's wallets, including closed ones.",
  ),
  ReportDayResponse: describe(reportDayResponseSchema, "The totals of a day, and a page of its entries."),
  FeeStatementResponse: describe(feeStatementResponseSchema, "The fees for a month."),
  ReportFeedResponse: describe(reportFeedResponseSchema, "The entries after a cursor."),
  ComparisonResponse: describe(comparisonResponseSchema, "The orders with differences."),
  AccountResponse: describe(accountResponseSchema, "The account."),
  EventListResponse: describe(eventListResponseSchema, "Events, oldest first."),
  WebhookEndpointResponse: describe(endpointResponseSchema, "One endpoint."),
  WebhookEndpointSecretResponse: describe(endpointSecretResponseSchema, "An endpoint and its new secret."),
  WebhookEndpointListResponse: describe(endpointListResponseSchema, "All endpoints, oldest first."),
  WebhookDeliveryListResponse: describe(
    webhookDeliveryListResponseSchema,
    "A page of deliveries, newest first.",
  ),
  WebhookDeliveryResponse: describe(webhookDeliveryResponseSchema, "One delivery with its attempts."),
  ReplayResponse: describe(replayResponseSchema, "One replay."),
  ReplayPreviewResponse: describe(
    replayPreviewResponseSchema,
    "The events that a replay would currently send.",
  ),
  ReplayListResponse: describe(replayListResponseSchema, "A page of replays, newest first."),
  DeliveryResentResponse: describe(resendDeliveryResponseSchema, "The resent delivery."),
  LookupResponse: describe(lookupResponseSchema, "A recipient."),
  QuoteResponse: describe(quoteResponseSchema, "A quote."),
  PayoutResponse: describe(payoutResponseSchema, "One payout."),
  TestControlResponse: describe(testControlResponseSchema, "A test control."),
  TestControlListResponse: describe(testControlListResponseSchema, "The active test controls, oldest first."),
  TestControlsClearedResponse: describe(
    testControlsClearedResponseSchema,
    "The number of cleared test controls.",
  ),
  ExpireResponse: describe(expireResponseSchema, "The new expiry."),
  PayoutListResponse: describe(payoutListResponseSchema, "A page of payouts, newest first."),
  BalancesResponse: describe(
    balancesResponseSchema,
    "The merchant's open wallets in active currencies, and those in deactivated currencies with a balance.",
  ),
  ErrorEnvelope: describe(
    errorEnvelopeSchema.omit({ reason: true, missing: true }),
    "The envelope of every error.",
  ),
} satisfies Record<string, DescribedSchema>;

const EVENTS = {
  OrderEvent: describe(orderEventSchema, "An order's status changed."),
  RefundEvent: describe(refundEventSchema, "A full or partial refund was completed or failed."),
  PayoutEvent: describe(payoutEventSchema, "A payout reached its final status."),
  ReportEvent: describe(reportEventSchema, "The report of a wallet's day is final."),
} satisfies Record<string, DescribedSchema>;

export const RESPONSE_SCHEMAS = { ...RESOURCES, ...RESPONSES, ...EVENTS };
