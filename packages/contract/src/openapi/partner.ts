import { errorRow, PARTNER_REFUSALS, unprocessableField } from "./errors.js";
import type { Operation, Path } from "./operation.js";
import { succeeded } from "./orders.js";
import {
  INVALID_LOOKUP_TOKEN,
  INVALID_RECEIVER_CURRENCY,
  NO_MERCHANT_WALLET,
  NOT_AUTHORIZED,
  RECIPIENT_INACTIVE,
  required,
  TOO_SMALL,
} from "./partner-errors.js";
import { LOOKUP_TOKEN, PARTNER_TAG, QUOTE } from "./partner-examples.js";
import { EXECUTE, GET_PAYOUT, LIST_PAYOUTS } from "./payouts.js";
import { PARTNER_SERVERS } from "./servers.js";

const LOOKUP: Operation = {
  id: "lookupRecipient",
  method: "post",
  tag: PARTNER_TAG,
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
  tag: PARTNER_TAG,
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

const BALANCE: Operation = {
  id: "getBalances",
  method: "get",
  tag: PARTNER_TAG,
  summary: "Get wallet balances",
  description:
    "The merchant's open wallets: in active currencies, and in deactivated ones while something is left in them.",
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
  { path: "/payouts", servers: PARTNER_SERVERS, operations: [LIST_PAYOUTS] },
  { path: "/payout/{payout_id}", servers: PARTNER_SERVERS, operations: [GET_PAYOUT] },
  { path: "/balance", servers: PARTNER_SERVERS, operations: [BALANCE] },
];
