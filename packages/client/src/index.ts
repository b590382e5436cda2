export * from "./errors.js";
export * from "./limits.js";
export type { CallOptions, CreateOrder, ListOrders, Orders } from "./orders.js";
export { createPayClient, type PayClient, type PayClientOptions } from "./pay-client.js";
export type { CreateRefund, ListRefunds, Refunds } from "./refunds.js";
