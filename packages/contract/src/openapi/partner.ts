import { type ErrorRow, errorRow, PARTNER_REFUSALS, unprocessableField } from "./errors.js";
import type { JsonObject } from "./json.js";
import { type Operation, type Path, pathParameter } from "./operation.js";
import { succeeded } from "./orders.js";
import { PARTNER_SERVERS } from "./servers.js";

const TAG = "Payouts";

const LOOKUP_TOKEN = "0b4e7a52-5a0e-4c8e-9b52-8d5b6f0f6a11";
const QUOTE_ID = "6f1c0b7e-2f8d-4a39-8f64-1c2d3e4f5a6b";
const PAYOUT_ID = "PO7KQ2MX9A";

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

const PAYOUT: JsonObject = {
  payout_id: PAYOUT_ID,
  reference: "salary-2026-11/17",
  amount: 100,
  currency: "EUR",
  fee: 1.5,
  total_deducted: 101.5,
  exchange_rate: 649.39743,
  receiver_amount: 64939,
  receiver_currency: "XAF",
  status: "completed",
  description: "November salary",
  trx_id: "PP4829137502",
  created_at: "2026-11-21T09:31:12+00:00",
  processed_at: "2026-11-21T09:31:12+00:00",
};

const PENDING: JsonObject = { ...PAYOUT, status: "pending", processed_at: null };

const required = (field: string): ErrorRow =>
  unprocessableField(
    field,
    "is required",
    "A required field is missing; other rules of a field are told the same way.",
  );

const INVALID_LOOKUP_TOKEN = errorRow(
  400,
  "Invalid or expired lookup token.",
  "The lookup token is older than 10 minutes or not of this account and mode.",
);
const RECIPIENT_INACTIVE = errorRow(
  400,
  "Recipient not found or inactive.",
  "The recipient was deactivated.",
);
const NO_MERCHANT_WALLET = errorRow(
  400,
  "Merchant wallet not found for currency: USD",
  "You have no wallet in the sender currency.",
);
const INVALID_RECEIVER_CURRENCY = errorRow(
  400,
  "Invalid receiver currency.",
  "The receiver currency does not exist or is inactive, or no rate leads to it.",
);
const NOT_AUTHORIZED = errorRow(
  400,
  "Currency USD is not authorized for payouts.",
  "The sender currency is not enabled for payouts on the account.",
);
const TOO_SMALL = unprocessableField(
  "amount",
  "must credit at least one unit and at most 10^13 units of the receiver currency",
  "Too little or too much after the conversion.",
);

const LOOKUP: Operation = {
  id: "lookupRecipient",
  method: "post",
  tag: TAG,
  summary: "Look up a recipient",
  description:
    "The first step of a payout: finds an active recipient and answers a lookup token of 10 minutes.",
  security: "apiToken",
  request: {
    schema: "LookupRequest",
    examples: {
      phone: { summary: "By phone", value: { phone: "+33 6 12 34 56 78" } },
      email: { summary: "By e-mail", value: { email: "ruth@example.com" } },
    },
  },
  answer: {
    schema: "LookupAnswer",
    description: "The recipient.",
    examples: {
      found: {
        summary: "Found",
        value: succeeded("Recipient found.", {
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
    },
  },
  errors: [
    ...PARTNER_REFUSALS,
    errorRow(404, "Recipient not found or inactive.", "Nobody has it, or the recipient was deactivated."),
    unprocessableField("phone", "is required when email is absent", "Neither phone nor email."),
    unprocessableField("email", "must not be sent together with phone", "Both phone and email."),
  ],
};

const GET_QUOTE: Operation = {
  id: "quotePayout",
  method: "post",
  tag: TAG,
  summary: "Get a quote",
  description:
    "The second step: fixes recipient, rate and fee for 5 minutes. A quote is used at most once; a refused payout does not use it up.",
  security: "apiToken",
  request: {
    schema: "QuoteRequest",
    examples: {
      conversion: {
        summary: "100 EUR to a wallet in XAF",
        value: {
          lookup_token: LOOKUP_TOKEN,
          amount: 100,
          sender_currency: "EUR",
          receiver_currency: "XAF",
        },
      },
    },
  },
  answer: {
    schema: "QuoteAnswer",
    description: "The quote.",
    examples: { quote: { summary: "A conversion", value: succeeded("Quote generated.", QUOTE) } },
  },
  errors: [
    ...PARTNER_REFUSALS,
    INVALID_LOOKUP_TOKEN,
    RECIPIENT_INACTIVE,
    NO_MERCHANT_WALLET,
    INVALID_RECEIVER_CURRENCY,
    errorRow(
      400,
      "Recipient has no wallet for currency: USD",
      "The recipient has no wallet in the receiver currency.",
    ),
    NOT_AUTHORIZED,
    required("lookup_token"),
    TOO_SMALL,
  ],
};

const EXECUTE: Operation = {
  id: "executePayout",
  method: "post",
  tag: TAG,
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

const GET_PAYOUT: Operation = {
  id: "getPayout",
  method: "get",
  tag: TAG,
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

const BALANCE: Operation = {
  id: "getBalances",
  method: "get",
  tag: TAG,
  summary: "Get wallet balances",
  description: "The merchant's wallets in active currencies.",
  security: "apiToken",
  answer: {
    schema: "BalancesAnswer",
    description: "The balances.",
    examples: {
      balances: {
        summary: "Two wallets",
        value: succeeded("Wallet balances.", {
          balances: [
            { currency_code: "EUR", currency_symbol: "€", balance: 4898.5 },
            { currency_code: "XAF", currency_symbol: "FCFA", balance: 250000 },
          ],
        }),
      },
    },
  },
  errors: PARTNER_REFUSALS,
};

/** The Partner payout API. */
export const PARTNER_PATHS: Path[] = [
  { path: "/lookup", servers: PARTNER_SERVERS, operations: [LOOKUP] },
  { path: "/quote", servers: PARTNER_SERVERS, operations: [GET_QUOTE] },
  { path: "/payout", servers: PARTNER_SERVERS, operations: [EXECUTE] },
  { path: "/payout/{payout_id}", servers: PARTNER_SERVERS, operations: [GET_PAYOUT] },
  { path: "/balance", servers: PARTNER_SERVERS, operations: [BALANCE] },
];
