import { FieldRule, Refusal } from "../refusals/index.js";
import { PARTNER_REFUSALS, wrongField } from "./errors.js";
import type { Operation, Path } from "./operation.js";
import { succeeded } from "./orders.js";
import { LOOKUP_TOKEN, PARTNER_TAG, QUOTE } from "./partner-examples.js";
import { EXECUTE, GET_PAYOUT, LIST_PAYOUTS } from "./payouts.js";

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
    Refusal.RecipientNotFound,
    Refusal.TooManyUnknownRecipients,
    wrongField("phone", FieldRule.RequiredWithoutEmail),
    wrongField("email", FieldRule.NotWithPhone),
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
    Refusal.TooManyUnknownRecipients,
    Refusal.InvalidLookupToken,
    Refusal.RecipientInactive,
    Refusal.MerchantWalletNotFound,
    Refusal.InvalidReceiverCurrency,
    Refusal.RecipientHasNoWallet,
    Refusal.CurrencyNotAuthorized,
    wrongField("lookup_token", FieldRule.Required),
    wrongField("amount", FieldRule.WorthAUnit),
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
  { path: "/lookup", api: "partner", operations: [LOOKUP] },
  { path: "/quote", api: "partner", operations: [GET_QUOTE] },
  { path: "/payout", api: "partner", operations: [EXECUTE] },
  { path: "/payouts", api: "partner", operations: [LIST_PAYOUTS] },
  { path: "/payout/{payout_id}", api: "partner", operations: [GET_PAYOUT] },
  { path: "/balance", api: "partner", operations: [BALANCE] },
];
