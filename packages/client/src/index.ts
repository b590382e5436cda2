export {
  type BalanceEntry,
  type BalanceEntryList,
  type Balances,
  type Comparison,
  type ComparisonInput,
  ErrorCode,
  type EventList,
  type EventName,
  type ExpireResult,
  type FieldErrors,
  type ListedEvent,
  type LookupResult,
  type Mode,
  type Order,
  type OrderDifference,
  type OrderEvent,
  type OrderList,
  type OrderStatus,
  orderEventSchema,
  type Pagination,
  type Payment,
  type PaymentMethod,
  type Payout,
  type PayoutEvent,
  type PayoutStatus,
  payoutEventSchema,
  type Quote,
  type Refund,
  type RefundEvent,
  type RefundList,
  type RefundStatus,
  type Replay,
  type ReplayList,
  type ReplayPreview,
  type ReplayState,
  type ReportDay,
  type ReportEntry,
  type ReportEntryType,
  type ReportEvent,
  type ReportFeed,
  type ReportWalletItem,
  refundEventSchema,
  reportEventSchema,
  type SimulatedOutcome,
  type TestControl,
  type TestControlKind,
  type WalletBalance,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
  type WebhookDeliveryList,
  type WebhookEndpoint,
  type WebhookEndpointSecret,
  type WebhookEvent,
  type WebhookEventName,
  type WebhookTest,
  webhookEventSchema,
} from "@tillgate/contract";
export { WebhookKeyError } from "@tillgate/webhooks";
export type { ListBalanceEntries, WalletBalances } from "./balances.js";
export type { CallOptions, WalkQuery } from "./call-options.js";
export type { Comparisons } from "./comparisons.js";
export * from "./errors.js";
export * from "./limits.js";
export type { CreateOrder, ListOrders, Orders } from "./orders.js";
export type { ListPage } from "./paging.js";
export {
  createPartnerClient,
  type ExecutePayout,
  type LookupRecipient,
  type PartnerClient,
  type PartnerClientOptions,
  type QuotePayout,
} from "./partner-client.js";
export { createPayClient, type PayClient, type PayClientOptions } from "./pay-client.js";
export type { CreatePayment, Payments } from "./payments.js";
export type { CreateRefund, ListRefunds, Refunds } from "./refunds.js";
export type { CreateReplay, ListReplays, ReplayRange, Replays } from "./replays.js";
export type { GetReportDay, ListReportFeed, Reports } from "./reports.js";
export type { CreateTestControl, TestControls } from "./test-controls.js";
export {
  type ReceivedWebhook,
  TillgateWebhookError,
  type UnwrapOptions,
  type WebhookFailure,
} from "./unwrap.js";
export type {
  CreateWebhookEndpoint,
  ListWebhookDeliveries,
  WebhookDeliveries,
  WebhookEndpoints,
} from "./webhook-endpoints.js";
export type { Events, ListEvents, Webhooks } from "./webhooks.js";
