import { ErrorCode, FieldRule, oneOfRule } from "../errors/index.js";
import { LOOKUP_TOKEN_MINUTES, QUOTE_MINUTES } from "../limits.js";
import { payoutStatusSchema } from "../public/payouts.js";
import { type JsonObject, reference } from "./describe-schema.js";
import { wrongField } from "./errors.js";
import {
  example,
  type Operation,
  pathParameter,
  queryParameter,
  succeeded,
  successExample,
} from "./operation.js";
import { PAGE_ERRORS, PAGE_PARAMETERS } from "./orders.js";

const PARTNER_TAG = "Payouts";

const LOOKUP_TOKEN = "0b4e7a52-5a0e-4c8e-9b52-8d5b6f0f6a11";
const QUOTE_ID = "6f1c0b7e-2f8d-4a39-8f64-1c2d3e4f5a6b";
export const PAYOUT_ID = "PO7KQ2MX9A";

const QUOTE: JsonObject = {
  quote_id: QUOTE_ID,
  amount: 100,
  sender_currency: "EUR",
  receiver_currency: "XAF",
  exchange_rate: 649.39743,
  fee: 1.5,
  total_deducted: 101.5,
  receiver_amount: 64939,
  expires_at: "2026-11-21T09:35:00+00:00",
};

export const PAYOUT_TERMS = {
  reference: "salary-2026-11/17",
  amount: 100,
  currency: "EUR",
  fee: 1.5,
  total_deducted: 101.5,
  exchange_rate: 649.39743,
  receiver_amount: 64939,
  receiver_currency: "XAF",
};

const PAYOUT: JsonObject = {
  payout_id: PAYOUT_ID,
  ...PAYOUT_TERMS,
  status: "completed",
  description: "November salary",
  metadata: null,
  trx_id: "PP4829137502",
  created_at: "2026-11-21T09:31:12+00:00",
  processed_at: "2026-11-21T09:31:12+00:00",
};

export const PENDING: JsonObject = { ...PAYOUT, status: "pending", processed_at: null };

const EXECUTE: Operation = {
  id: "executePayout",
  method: "post",
  path: "/payout",
  tag: PARTNER_TAG,
  summary: "Execute a payout",
  description:
    "The third step: pays on the terms of `quote_id`, or directly at the current rate and fee. The debit, the credit and the ledger entries are one transaction: if any part fails, no money moves, and a retry with the same idempotency key is safe. Above the account's review amount, the payout is `pending`, with the amount and fee held, until the operator approves or rejects it; a `payout.*` event reports the outcome.",
  request: {
    schema: "PayoutRequest",
    examples: {
      quote: {
        summary: "With a quote",
        value: {
          quote_id: QUOTE_ID,
          reference: "salary-2026-11/17",
          idempotency_key: "salary-2026-11/17",
          description: "November salary",
        },
      },
      direct: {
        summary: "Without a quote",
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
  response: {
    schema: "PayoutResponse",
    description: "The payout.",
    examples: {
      completed: { summary: "Completed", value: succeeded("Payout completed.", { payout: PAYOUT }) },
      pending: {
        summary: "Pending approval",
        value: succeeded("Payout pending approval.", { payout: PENDING }),
      },
      repeated: {
        summary: "A repeated idempotency key",
        value: succeeded("Payout was already processed.", { payout: PAYOUT, duplicate: true }),
      },
    },
  },
  replays: true,
  errors: [
    ErrorCode.InvalidQuote,
    ErrorCode.InvalidLookupToken,
    ErrorCode.RecipientInactive,
    ErrorCode.MerchantWalletNotFound,
    ErrorCode.InvalidReceiverCurrency,
    ErrorCode.RecipientWalletNotFound,
    ErrorCode.CurrencyNotAuthorized,
    ErrorCode.PerTransactionLimitExceeded,
    ErrorCode.DailyLimitExceeded,
    ErrorCode.MonthlyLimitExceeded,
    ErrorCode.InsufficientBalance,
    ErrorCode.DuplicateReference,
    wrongField("idempotency_key", FieldRule.Required),
    wrongField("idempotency_key", FieldRule.KeyAsInHeader),
    wrongField("lookup_token", FieldRule.RequiredWithoutQuote),
    wrongField("amount", FieldRule.AsInQuote),
    wrongField("amount", FieldRule.WorthAUnit),
  ],
};

const GET_PAYOUT: Operation = {
  id: "getPayout",
  method: "get",
  path: "/payout/{payout_id}",
  tag: PARTNER_TAG,
  summary: "Get a payout",
  description: "Retrieves a payout in its current state.",
  parameters: [pathParameter("payout_id", "The payout's ID.", PAYOUT_ID)],
  response: {
    schema: "PayoutResponse",
    description: "The payout.",
    examples: successExample("completed", "Completed", "Payout details.", { payout: PAYOUT }),
  },
  errors: [ErrorCode.PayoutNotFound],
};

const LIST_PAYOUTS: Operation = {
  id: "listPayouts",
  method: "get",
  path: "/payouts",
  tag: PARTNER_TAG,
  summary: "List payouts",
  description: "Returns payouts, newest first, in an order that is stable across pages.",
  parameters: [
    queryParameter("status", "Only payouts with this current status.", reference("schemas", "PayoutStatus")),
    queryParameter("reference", "Only the payout with exactly this reference.", {
      type: "string",
      maxLength: 255,
    }),
    ...PAGE_PARAMETERS,
  ],
  response: {
    schema: "PayoutListResponse",
    description: "A page of payouts.",
    examples: successExample("page", "One payout", "Payouts retrieved", {
      payouts: [PAYOUT],
      pagination: { current_page: 1, per_page: 20, total: 1, last_page: 1 },
      next_cursor: null,
    }),
  },
  errors: [wrongField("status", oneOfRule(payoutStatusSchema.options)), ...PAGE_ERRORS],
};

const LOOKUP: Operation = {
  id: "lookupRecipient",
  method: "post",
  path: "/lookup",
  tag: PARTNER_TAG,
  summary: "Look up a recipient",
  description: `The first step of a payout: finds an active recipient and returns a lookup token that is valid for ${LOOKUP_TOKEN_MINUTES} minutes.`,
  request: {
    schema: "LookupRequest",
    examples: {
      phone: { summary: "By phone", value: { phone: "+33 6 12 34 56 78" } },
      email: { summary: "By e-mail", value: { email: "ruth@example.com" } },
    },
  },
  response: {
    schema: "LookupResponse",
    description: "The recipient.",
    examples: successExample("found", "Found", "Recipient found.", {
      lookup_token: LOOKUP_TOKEN,
      recipient: {
        name: "Ruth Okafor",
        currencies: [
          { code: "EUR", symbol: "€", type: "FIAT" },
          { code: "XAF", symbol: "FCFA", type: "FIAT" },
        ],
      },
    }),
  },
  errors: [
    ErrorCode.RecipientNotFound,
    ErrorCode.TooManyUnknownRecipients,
    wrongField("phone", FieldRule.RequiredWithoutEmail),
    wrongField("email", FieldRule.NotWithPhone),
  ],
};

const GET_QUOTE: Operation = {
  id: "quotePayout",
  method: "post",
  path: "/quote",
  tag: PARTNER_TAG,
  summary: "Create a quote",
  description: `The second step: locks in the recipient, rate and fee for ${QUOTE_MINUTES} minutes. A quote can be used for one payout; a payout request that returns an error does not use it up.`,
  request: {
    schema: "QuoteRequest",
    examples: example("conversion", "100 EUR to an XAF wallet", {
      lookup_token: LOOKUP_TOKEN,
      amount: 100,
      sender_currency: "EUR",
      receiver_currency: "XAF",
    }),
  },
  response: {
    schema: "QuoteResponse",
    description: "The quote.",
    examples: successExample("quote", "A conversion", "Quote generated.", QUOTE),
  },
  errors: [
    ErrorCode.TooManyUnknownRecipients,
    ErrorCode.InvalidLookupToken,
    ErrorCode.RecipientInactive,
    ErrorCode.MerchantWalletNotFound,
    ErrorCode.InvalidReceiverCurrency,
    ErrorCode.RecipientHasNoWallet,
    ErrorCode.CurrencyNotAuthorized,
    wrongField("lookup_token", FieldRule.Required),
    wrongField("amount", FieldRule.WorthAUnit),
  ],
};

const BALANCE: Operation = {
  id: "getBalances",
  method: "get",
  path: "/balance",
  tag: PARTNER_TAG,
  summary: "List wallet balances",
  description:
    "Returns the merchant's open wallets in active currencies, and those in deactivated currencies with a balance.",
  response: {
    schema: "BalancesResponse",
    description: "The balances.",
    examples: successExample("balances", "Two wallets", "Wallet balances.", {
      balances: [
        { currency_code: "EUR", currency_symbol: "€", balance: 4898.5 },
        { currency_code: "XAF", currency_symbol: "FCFA", balance: 250000 },
      ],
    }),
  },
};

export const PARTNER_OPERATIONS: Operation[] = [
  LOOKUP,
  GET_QUOTE,
  EXECUTE,
  LIST_PAYOUTS,
  GET_PAYOUT,
  BALANCE,
];
