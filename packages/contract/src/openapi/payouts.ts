import { MAX_PER_PAGE } from "../fields.js";
import { errorRow, PARTNER_REFUSALS, unprocessableField } from "./errors.js";
import { reference } from "./json.js";
import { type Operation, pathParameter, queryParameter } from "./operation.js";
import { PAGE_PARAMETERS, succeeded } from "./orders.js";
import {
  INVALID_LOOKUP_TOKEN,
  INVALID_RECEIVER_CURRENCY,
  NO_MERCHANT_WALLET,
  NOT_AUTHORIZED,
  RECIPIENT_INACTIVE,
  required,
  TOO_SMALL,
} from "./partner-errors.js";
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
    errorRow(
      400,
      "Invalid or expired quote.",
      "The quote is older than 5 minutes, was used, or is not of this account and mode.",
    ),
    INVALID_LOOKUP_TOKEN,
    RECIPIENT_INACTIVE,
    NO_MERCHANT_WALLET,
    INVALID_RECEIVER_CURRENCY,
    errorRow(
      400,
      "Recipient wallet not found for currency: USD",
      "The recipient has no wallet in the receiver currency.",
    ),
    NOT_AUTHORIZED,
    errorRow(400, "Amount exceeds per-transaction limit", "Above the limit of one payout in this currency."),
    errorRow(400, "Daily payout limit exceeded", "Above what may be paid out on one UTC day."),
    errorRow(400, "Monthly payout limit exceeded", "Above what may be paid out in one UTC month."),
    errorRow(400, "Insufficient balance.", "The merchant wallet holds less than total_deducted."),
    errorRow(400, "Duplicate reference.", "A different payout already uses the reference."),
    required("idempotency_key"),
    unprocessableField(
      "lookup_token",
      "is required when quote_id is absent",
      "A direct payout without one of its fields.",
    ),
    unprocessableField(
      "amount",
      "must equal the quote's or be left out",
      "A field sent beside quote_id says something else than the quote.",
    ),
    TOO_SMALL,
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
  errors: [
    ...PARTNER_REFUSALS,
    errorRow(404, "Payout not found", "No payout of this account and mode has this id."),
  ],
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
        }),
      },
    },
  },
  errors: [
    ...PARTNER_REFUSALS,
    unprocessableField("status", "must be one of completed, pending, failed", "An unknown status."),
    unprocessableField(
      "per_page",
      `must be a whole number from 1 to ${MAX_PER_PAGE}`,
      "A filter or page that cannot be; the field is named.",
    ),
    unprocessableField("from_date", "must be a date (YYYY-MM-DD)", "A day that the calendar does not have."),
  ],
};
