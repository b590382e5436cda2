import { ErrorCode, FieldRule, wholeNumberRule } from "../errors/index.js";
import { MAX_CURSOR_LENGTH, MAX_PER_PAGE } from "../fields.js";
import { UTC } from "../time-zone.js";
import type { JsonObject } from "./describe-schema.js";
import { BASIC_ERRORS, wrongField } from "./errors.js";
import { type Path, PER_PAGE_PARAMETER, pathParameter, queryParameter } from "./operation.js";
import { succeeded } from "./orders.js";

const TAG = "Reports";
const WALLET = pathParameter("wallet", "The wallet, as listed.", "EUR");
const CURSOR = queryParameter(
  "cursor",
  "The `next_cursor` of the previous response. Omit it to start with the first entry.",
  { type: "string", maxLength: MAX_CURSOR_LENGTH },
);
const PAGE_ERRORS = [
  wrongField("cursor", FieldRule.EarlierCursor),
  wrongField("per_page", wholeNumberRule(1, MAX_PER_PAGE)),
  ErrorCode.WalletNotFound,
];

const ENTRY: JsonObject = {
  entry_id: "48291",
  type: "refund",
  currency: "EUR",
  gross: "-10.00",
  fee: "0.00",
  net: "-10.00",
  balance: "1250.50",
  order_id: "POS-20261121-7KQ2MX",
  trx_id: "TRX-482910375566",
  refund_id: "RF-20261121-3HV9PA",
  payout_id: null,
  reference: "till-3/1001/r1",
  order_number: "1001",
  metadata: null,
  corrects_entry_id: null,
  created_at: "2026-11-21T10:02:41+00:00",
};

/** `/reports`: every entry of the merchant's wallets, by day and as a feed. */
export const REPORT_PATHS: Path[] = [
  {
    path: "/reports/wallets",
    api: "pay",
    operations: [
      {
        id: "listReportWallets",
        method: "get",
        tag: TAG,
        summary: "List the wallets with reports",
        description:
          "Returns all wallets of the merchant in the mode of the credentials, including closed ones and the money held for pending payouts and refunds. Each entry of the merchant is in the reports of exactly one of them.",
        security: "clientCredentials",
        response: {
          schema: "ReportWalletsResponse",
          description: "The wallets.",
          examples: {
            wallets: {
              summary: "One wallet",
              value: succeeded("Report wallets retrieved", {
                wallets: [
                  {
                    wallet: "EUR",
                    currency: "EUR",
                    balance: "1250.50",
                    first_entry_at: "2026-09-01T08:14:02+00:00",
                  },
                ],
              }),
            },
          },
        },
        errors: BASIC_ERRORS,
      },
    ],
  },
  {
    path: "/reports/{wallet}/feed",
    api: "pay",
    operations: [
      {
        id: "listReportFeed",
        method: "get",
        tag: TAG,
        summary: "List new entries",
        description:
          "Returns the wallet's entries in the order in which they were posted, from the first or after a cursor. Store `next_cursor` with the entries you've processed and continue from there: you get every entry exactly once, also after a failover.",
        security: "clientCredentials",
        parameters: [WALLET, CURSOR, PER_PAGE_PARAMETER],
        response: {
          schema: "ReportFeedResponse",
          description: "The entries after the cursor.",
          examples: {
            page: {
              summary: "A refund",
              value: succeeded("Report entries retrieved", {
                wallet: "EUR",
                entries: [ENTRY],
                next_cursor: "48291.125050.q1w2-e3r4-t5y6-u7i8-o9",
                has_more: false,
              }),
            },
          },
        },
        errors: [...BASIC_ERRORS, ...PAGE_ERRORS],
      },
    ],
  },
  {
    path: "/reports/{wallet}/{date}",
    api: "pay",
    operations: [
      {
        id: "getReportDay",
        method: "get",
        tag: TAG,
        summary: "Retrieve a day",
        description:
          "Returns the totals of a day and its entries, oldest first. The opening balance plus credits, minus debits and fees, is the closing balance. Once `closed` is true, the day never changes. Paginate with `cursor`.",
        security: "clientCredentials",
        parameters: [
          WALLET,
          pathParameter("date", "The day, as `YYYY-MM-DD`.", "2026-11-21"),
          queryParameter("time_zone", "The IANA time zone in which the day starts and ends.", {
            type: "string",
            default: UTC,
          }),
          CURSOR,
          PER_PAGE_PARAMETER,
        ],
        response: {
          schema: "ReportDayResponse",
          description: "The day.",
          examples: {
            day: {
              summary: "A day with a refund",
              value: succeeded("Report retrieved", {
                wallet: "EUR",
                currency: "EUR",
                date: "2026-11-21",
                time_zone: "Europe/Paris",
                starts_at: "2026-11-20T23:00:00+00:00",
                ends_at: "2026-11-21T23:00:00+00:00",
                closed: true,
                opening_balance: "1260.50",
                credits: "0.00",
                debits: "10.00",
                fees: "0.00",
                closing_balance: "1250.50",
                entry_count: 1,
                entries: [ENTRY],
                next_cursor: null,
              }),
            },
          },
        },
        errors: [
          ...BASIC_ERRORS,
          wrongField("date", FieldRule.RealDay),
          wrongField("time_zone", FieldRule.TimeZone),
          ...PAGE_ERRORS,
        ],
      },
    ],
  },
];
