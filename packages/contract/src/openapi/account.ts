import { ErrorCode, FieldRule, wholeNumberRule } from "../errors/index.js";
import { MAX_PER_PAGE } from "../fields.js";
import type { JsonObject } from "./describe-schema.js";
import { wrongField } from "./errors.js";
import {
  CURSOR_PARAMETER,
  type Operation,
  PER_PAGE_PARAMETER,
  pathParameter,
  successExample,
} from "./operation.js";

const TAG = "Account";

const BALANCE: JsonObject = {
  currency: "EUR",
  balance: "1250.50 EUR",
  raw_balance: 1250.5,
  held: "0.00 EUR",
  raw_held: 0,
};
const ENTRY: JsonObject = {
  entry_id: "48291",
  kind: "refund",
  currency: "EUR",
  amount: "-10.00 EUR",
  raw_amount: -10,
  balance: "1250.50 EUR",
  raw_balance: 1250.5,
  order_id: null,
  refund_id: "RF-20261121-3HV9PA",
  payout_id: null,
  reference: "till-3/1001/r1",
  created_at: "2026-11-21T10:02:41+00:00",
};

export const ACCOUNT_OPERATIONS: Operation[] = [
  {
    id: "getAccount",
    method: "get",
    path: "/account",
    tag: TAG,
    summary: "Retrieve the account",
    description:
      "Returns the merchant's name, the mode of the credentials, and the merchant's URL in the console. Use it to check credentials; it has no side effects.",
    response: {
      schema: "AccountResponse",
      description: "The account.",
      examples: successExample("account", "An account", "Account retrieved", {
        merchant_name: "Kiln & Clover",
        mode: "sandbox",
        console_url: "https://console.example/m/4a5de1c2-6d0e-4c0e-9a55-0d9a0a7f3c11",
      }),
    },
  },
  {
    id: "listBalances",
    method: "get",
    path: "/balances",
    tag: TAG,
    summary: "List balances",
    description:
      "Returns the merchant's wallets in the mode of the credentials, each with its balance and held amount.",
    response: {
      schema: "WalletBalancesResponse",
      description: "The wallets and their balances.",
      examples: successExample("wallets", "One wallet", "Balances retrieved", { balances: [BALANCE] }),
    },
  },
  {
    id: "listBalanceEntries",
    method: "get",
    path: "/balances/{currency}/entries",
    tag: TAG,
    summary: "List a wallet's entries",
    description:
      "Returns the entries of one wallet, newest first, each with the resulting balance. Paginate with `cursor`; new entries do not shift later pages.",
    parameters: [
      pathParameter("currency", "The wallet's currency.", "EUR"),
      CURSOR_PARAMETER,
      PER_PAGE_PARAMETER,
    ],
    response: {
      schema: "BalanceEntryListResponse",
      description: "A page of entries.",
      examples: successExample("page", "A refund", "Entries retrieved", {
        entries: [ENTRY],
        next_cursor: null,
      }),
    },
    errors: [
      wrongField("cursor", FieldRule.EarlierCursor),
      wrongField("per_page", wholeNumberRule(1, MAX_PER_PAGE)),
      ErrorCode.WalletNotFound,
    ],
  },
];
