import { ADMINISTRATION_REFUSALS } from "./administration.js";
import { CHECKOUT_REFUSALS } from "./checkout.js";
import { CONSOLE_REFUSALS } from "./console.js";
import type { Refusal as OneRefusal } from "./error.js";
import { PAYMENT_REFUSALS, PAYOUT_REFUSALS, SANDBOX_REFUSALS } from "./payments.js";
import { CURES_BY_NAME } from "./remedies.js";
import { CALLER_REFUSALS, FAULTS, REQUEST_REFUSALS } from "./requests.js";

export {
  type Api,
  type CheckoutReason,
  causeOf,
  checkoutReasonSchema,
  type RefusalWords,
  statusOf,
  textOf,
} from "./error.js";
export { FieldRule, misspeltRule, oneOfRule, wholeNumberRule } from "./field-errors.js";

export { CALLER_REFUSALS, PAYMENT_REFUSALS, PAYOUT_REFUSALS, REQUEST_REFUSALS, SANDBOX_REFUSALS };

/** One way to be refused. */
export type Refusal = OneRefusal;

/** Every refusal, by name. A new one is one entry in the file of its audience. */
export const Refusal = {
  ...REQUEST_REFUSALS,
  ...FAULTS,
  ...CALLER_REFUSALS,
  ...PAYMENT_REFUSALS,
  ...PAYOUT_REFUSALS,
  ...SANDBOX_REFUSALS,
  ...CHECKOUT_REFUSALS,
  ...CONSOLE_REFUSALS,
  ...ADMINISTRATION_REFUSALS,
};

/** What a caller of the two public APIs does about each refusal that it can meet. */
export const CURES = CURES_BY_NAME satisfies Partial<Record<keyof typeof Refusal, string>>;
