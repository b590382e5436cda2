import { ADMINISTRATION_ERRORS } from "./administration.js";
import { CHECKOUT_ERRORS } from "./checkout.js";
import { CONSOLE_ERRORS } from "./console.js";
import type { ErrorCode as ErrorRowOfApi } from "./error.js";
import { PAYMENT_ERRORS, PAYOUT_ERRORS, SANDBOX_ERRORS } from "./payments.js";
import { REMEDIES_BY_NAME } from "./remedies.js";
import { CALLER_ERRORS, REQUEST_ERRORS, SERVER_ERRORS } from "./requests.js";

export {
  type Api,
  type CheckoutReason,
  checkoutReasonSchema,
  type ErrorParams,
  formatErrorText,
  getCause,
  getStatus,
} from "./error.js";
export { FieldRule, misspeltRule, oneOfRule, wholeNumberRule } from "./field-errors.js";

export { CALLER_ERRORS, PAYMENT_ERRORS, PAYOUT_ERRORS, REQUEST_ERRORS, SANDBOX_ERRORS };

export type ErrorCode = ErrorRowOfApi;

/** Add new errors to the file of their audience. */
export const ErrorCode = {
  ...REQUEST_ERRORS,
  ...SERVER_ERRORS,
  ...CALLER_ERRORS,
  ...PAYMENT_ERRORS,
  ...PAYOUT_ERRORS,
  ...SANDBOX_ERRORS,
  ...CHECKOUT_ERRORS,
  ...CONSOLE_ERRORS,
  ...ADMINISTRATION_ERRORS,
};

export const REMEDIES = REMEDIES_BY_NAME satisfies Partial<Record<keyof typeof ErrorCode, string>>;
