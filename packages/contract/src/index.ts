export * from "./checkout/checkout.js";
export * from "./checkout/embedding.js";
export * from "./checkout/live-stream.js";
export * from "./checkout/passkeys.js";
export * from "./checkout/wallet.js";
export * from "./console/administration.js";
export * from "./console/audit.js";
export * from "./console/bulk-payouts.js";
export * from "./console/comparisons.js";
export * from "./console/connect.js";
export * from "./console/developers.js";
export * from "./console/exports.js";
export * from "./console/home.js";
export * from "./console/lists.js";
export * from "./console/members.js";
export * from "./console/orders.js";
export * from "./console/payment-links.js";
export * from "./console/payouts.js";
export * from "./console/pricing.js";
export * from "./console/reports.js";
export * from "./console/rights.js";
export * from "./console/settings.js";
export * from "./console/sign-in.js";
export * from "./console/sign-up.js";
export * from "./console/tills.js";
export * from "./console/webhooks.js";
export * from "./envelope.js";
export * from "./errors/index.js";
export * from "./errors/likely-causes.js";
export {
  type CsvDialect,
  INVALID_CURSOR_TEXT,
  isDisplayable,
  isStorable,
  MAX_ADDRESS_LENGTH,
  MAX_KEY_LENGTH,
  MAX_LOCALE_LENGTH,
  MAX_METADATA,
  MAX_PAGE,
  MAX_PER_PAGE,
  type Mode,
  modeSchema,
  NumberText,
  optionalLocale as optionalLocaleSchema,
  type Pagination,
  paginationSchema,
  timestamp as timestampSchema,
} from "./fields.js";
export * from "./limits.js";
export {
  isLiveAddress,
  isLoopbackHost,
  isSecureAddress,
  parseAddress,
  parseWebAddress,
  trimTrailingSlashes,
} from "./parse-address.js";
export * from "./public/account.js";
export * from "./public/comparisons.js";
export * from "./public/events.js";
export * from "./public/orders.js";
export * from "./public/payments.js";
export * from "./public/payouts.js";
export * from "./public/refunds.js";
export * from "./public/replays.js";
export * from "./public/reports.js";
export * from "./public/test-controls.js";
export * from "./public/webhooks.js";
export { findMisspeltFields, type ReadRequest, readRequest } from "./read-request.js";
export { parseRetryAfter } from "./retry-after.js";
export * from "./time-zone.js";
