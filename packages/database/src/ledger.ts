/** The SQL functions that the API calls. */
export * from "./functions/access.js";
export * from "./functions/audit.js";
export * from "./functions/conversions.js";
export * from "./functions/deliveries.js";
export * from "./functions/events.js";
export * from "./functions/funds.js";
export * from "./functions/lists.js";
export * from "./functions/orders.js";
export * from "./functions/payments.js";
export * from "./functions/payouts.js";
export * from "./functions/refunds.js";
export * from "./functions/reports.js";
