export * from "./account.js";
export * from "./audit-actions.js";
export * from "./balances.js";
export * from "./checkout.js";
export * from "./checkout-reason.js";
export * from "./connect.js";
export * from "./console.js";
export * from "./console-administration.js";
export * from "./console-batches.js";
export * from "./console-credentials.js";
export * from "./console-exports.js";
export * from "./console-home.js";
export * from "./console-lists.js";
export * from "./console-members.js";
export * from "./console-orders.js";
export * from "./console-oversight.js";
export * from "./console-passkeys.js";
export * from "./console-password.js";
export * from "./console-payment-links.js";
export * from "./console-payouts.js";
export * from "./console-pricing.js";
export * from "./console-requests.js";
export * from "./console-rights.js";
export * from "./console-search.js";
export * from "./console-settings.js";
export * from "./console-sign-in.js";
export * from "./console-sign-up.js";
export * from "./console-tills.js";
export * from "./console-timeline.js";
export * from "./console-views.js";
export * from "./embedding.js";
export * from "./envelope.js";
export * from "./events.js";
export {
  EARLIER_PLACE_TEXT,
  isDisplayable,
  MAX_ADDRESS_LENGTH,
  MAX_KEY_LENGTH,
  MAX_LOCALE_LENGTH,
  MAX_METADATA,
  MAX_PAGE,
  MAX_PER_PAGE,
  type Mode,
  modeSchema,
  optionalLocale as optionalLocaleSchema,
  type Pagination,
  paginationSchema,
  timestamp as timestampSchema,
} from "./fields.js";
export * from "./likely-causes.js";
export * from "./limits.js";
export * from "./live-stream.js";
export { misspeltFields } from "./misspelt.js";
export { NumberText } from "./number-text.js";
export * from "./orders.js";
export { isLoopbackHost, parseAddress, parseWebAddress, withoutTrailingSlashes } from "./parse-address.js";
export * from "./partner.js";
export * from "./passkeys.js";
export * from "./payments.js";
export { type ReadRequest, readRequest } from "./read-request.js";
export * from "./refunds.js";
export * from "./refusals/index.js";
export * from "./replays.js";
export { parseRetryAfter } from "./retry-after.js";
export * from "./test-controls.js";
export * from "./time-zone.js";
export * from "./tokens.js";
export * from "./wallet.js";
export * from "./wallet-sandbox.js";
export * from "./webhook-endpoints.js";
export * from "./webhooks.js";
