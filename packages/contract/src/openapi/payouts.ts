import { payoutStatusSchema } from "../partner.js";
import { FieldRule, oneOfRule, Refusal } from "../refusals/index.js";
import { PARTNER_REFUSALS, wrongField } from "./errors.js";
import { reference } from "./json.js";
import { type Operation, pathParameter, queryParameter } from "./operation.js";
import { PAGE_PARAMETERS, PAGE_REFUSALS, succeeded } from "./orders.js";
import { LOOKUP_TOKEN, PARTNER_TAG, PAYOUT, PAYOUT_ID, PENDING, QUOTE_ID } from "./partner-examples.js";

/** `POST /payout` */
export const EXECUTE: Operation = {
  id: "executePayout",
  method: "post",
  tag: PARTNER_TAG,
  summary: "Execute a payout",
  description:
    "The third step: with `quote_id`, or directly at the rate and fee of this moment. Debit, credit and ledger are one transaction: when any step fails nothing has moved, and a retry with the same idempotency key is safe. Above the account's review amount the payout is `pending` until it is approved or rejected; `payout.*` events tell the end.",
  security: "apiToken",
  request: {
    schema: "PayoutRequest",
    examples: {
      quote: {
        summary: "By quote",
        value: {
          quote_id: QUOTE_ID,
          reference: "salary-2026-11/17",
          idempotency_key: "salary-2026-11/17",
          description: "November salary",
        },
      },
      direct: {
        summary: "Direct",
        value: {
          lookup_token: LOOKUP_TOKEN,
          amount: 100,
          sender_currency: "EUR",
          receiver_currency: "XAF",
          reference: "salary-2026-11/17",
          idempotency_key: "salary-2026-11/17",
        },
      },
    },
  },
  answer: {
    schema: "PayoutAnswer",
    description: "The payout.",
    examples: {
      completed: { summary: "Completed", value: succeeded("Payout completed.", { payout: PAYOUT }) },
      pending: {
        summary: "Waiting for approval",
        value: succeeded("Payout pending approval.", { payout: PENDING }),
      },
      repeated: {
        summary: "The same idempotency key again",
        value: succeeded("Payout was already processed.", { payout: PAYOUT, duplicate: true }),
      },
    },
  },
  replays: true,
  errors: [
    ...PARTNER_REFUSALS,
    Refusal.InvalidQuote,
    Refusal.InvalidLookupToken,
    Refusal.RecipientInactive,
    Refusal.MerchantWalletNotFound,
    Refusal.InvalidReceiverCurrency,
    Refusal.RecipientWalletNotFound,
    Refusal.CurrencyNotAuthorized,
    Refusal.PerTransactionLimitExceeded,
    Refusal.DailyLimitExceeded,
    Refusal.MonthlyLimitExceeded,
    Refusal.InsufficientBalance,
    Refusal.DuplicateReference,
    wrongField("idempotency_key", FieldRule.Required),
    wrongField("idempotency_key", FieldRule.KeyAsInHeader),
    wrongField("lookup_token", FieldRule.RequiredWithoutQuote),
    wrongField("amount", FieldRule.AsInQuote),
    wrongField("amount", FieldRule.WorthAUnit),
  ],
};

/** `GET /payout/{payout_id}` */
export const GET_PAYOUT: Operation = {
  id: "getPayout",
  method: "get",
  tag: PARTNER_TAG,
  summary: "Get a payout",
  description: "The payout as it is now.",
  security: "apiToken",
  parameters: [pathParameter("payout_id", "The payout's id.", PAYOUT_ID)],
  answer: {
    schema: "PayoutAnswer",
    description: "The payout.",
    examples: {
      completed: { summary: "Completed", value: succeeded("Payout details.", { payout: PAYOUT }) },
    },
  },
  errors: [...PARTNER_REFUSALS, Refusal.PayoutNotFound],
};

/** `GET /payouts` */
export const LIST_PAYOUTS: Operation = {
  id: "listPayouts",
  method: "get",
  tag: PARTNER_TAG,
  summary: "List payouts",
  description: "The newest first, in an order that is stable across pages.",
  security: "apiToken",
  parameters: [
    queryParameter("status", "Only payouts that are this now.", reference("schemas", "PayoutStatus")),
    queryParameter("reference", "Only the payout with exactly this reference.", {
      type: "string",
      maxLength: 255,
    }),
    ...PAGE_PARAMETERS,
  ],
  answer: {
    schema: "PayoutListAnswer",
    description: "A page of payouts.",
    examples: {
      page: {
        summary: "One payout",
        value: succeeded("Payouts retrieved", {
          payouts: [PAYOUT],
          pagination: { current_page: 1, per_page: 20, total: 1, last_page: 1 },
          next_cursor: null,
        }),
      },
    },
  },
  errors: [
    ...PARTNER_REFUSALS,
    wrongField("status", oneOfRule(payoutStatusSchema.options)),
    ...PAGE_REFUSALS,
  ],
};
