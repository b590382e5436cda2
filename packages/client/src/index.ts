export * from "./errors.js";
export * from "./limits.js";
export type { CallOptions, CreateOrder, ListOrders, Orders } from "./orders.js";
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
export type { Events, ListEvents, Webhooks } from "./webhooks.js";
