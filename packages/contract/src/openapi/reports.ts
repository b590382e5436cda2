import { ErrorCode, FieldRule, oneOfRule, wholeNumberRule } from "../errors/index.js";
import { CSV_DIALECTS, MAX_CURSOR_LENGTH, MAX_PER_PAGE } from "../fields.js";
import { UTC } from "../time-zone.js";
import type { JsonObject } from "./describe-schema.js";
import { wrongField } from "./errors.js";
import {
  type Operation,
  PER_PAGE_PARAMETER,
  pathParameter,
  queryParameter,
  successExample,
} from "./operation.js";

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

const TIME_ZONE = queryParameter("time_zone", "The IANA time zone in which a day starts and ends.", {
  type: "string",
  default: UTC,
});
const FILE_PARAMETERS = [
  WALLET,
  queryParameter("from_date", "The first day. Omit it to start with the first entry.", {
    type: "string",
    format: "date",
  }),
  queryParameter("to_date", "The last day, inclusive. Omit it to end with the last entry.", {
    type: "string",
    format: "date",
  }),
  TIME_ZONE,
];
const FILE_ERRORS = [
  wrongField("from_date", FieldRule.RealDay),
  wrongField("to_date", FieldRule.RealDay),
  wrongField("to_date", FieldRule.NotBeforeFirstDay),
  wrongField("time_zone", FieldRule.TimeZone),
  ErrorCode.WalletNotFound,
  ErrorCode.TooManyExports,
];

const CSV_EXAMPLE = [
  "\ufeffentry_id,at,at_offset,kind,amount,balance,currency,reference,order_id,refund_id,payout_id,order_reference,fee,trx_id,order_number,corrects_entry_id",
  "48291,2026-11-21 11:02:41,UTC+01:00,refund,-10.00,1250.50,EUR,till-3/1001/r1,,RF-20261121-3HV9PA,,till-3/1001,0.00,TRX-482910375566,1001,",
  "",
].join("\r\n");

/** Omits the account, and the opening and closing balance before the entries. */
const XML_EXAMPLE = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>…
<Ntry><NtryRef>48291</NtryRef><Amt Ccy="EUR">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>2026-11-21T10:02:41.000Z</DtTm></BookgDt><AcctSvcrRef>48291</AcctSvcrRef><BkTxCd><Prtry><Cd>refund</Cd><Issr>Tillgate</Issr></Prtry></BkTxCd><NtryDtls><TxDtls><Refs><EndToEndId>till-3/1001/r1</EndToEndId><TxId>TRX-482910375566</TxId><Prtry><Tp>order</Tp><Ref>POS-20261121-7KQ2MX</Ref></Prtry><Prtry><Tp>refund</Tp><Ref>RF-20261121-3HV9PA</Ref></Prtry></Refs><Amt Ccy="EUR">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><RmtInf><Ustrd>till-3/1001/r1</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>
`;

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

export const REPORT_OPERATIONS: Operation[] = [
  {
    id: "listReportWallets",
    method: "get",
    path: "/reports/wallets",
    tag: TAG,
    summary: "List the wallets with reports",
    description:
      "Returns all wallets of the merchant in the mode of the credentials, including closed ones and the money held for pending payouts and refunds. Each entry of the merchant is in the reports of exactly one of them.",
    response: {
      schema: "ReportWalletsResponse",
      description: "The wallets.",
      examples: successExample("wallets", "One wallet", "Report wallets retrieved", {
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
  {
    id: "getFeeStatement",
    method: "get",
    path: "/reports/fees",
    tag: TAG,
    summary: "Retrieve the fees for a month",
    description:
      "Returns the fees that the account was charged in a month, by currency. The fee of a pending payout is held, and is charged when the payout is completed. Once `closed` is true, the statement never changes.",
    parameters: [
      {
        ...queryParameter("month", "The month, as `YYYY-MM`.", {
          type: "string",
          pattern: "^\\d{4}-\\d{2}$",
        }),
        required: true,
      },
      TIME_ZONE,
    ],
    response: {
      schema: "FeeStatementResponse",
      description: "The fees.",
      examples: successExample("month", "A month with fees in euros", "Fee statement retrieved", {
        number: "FEES-2026-11-4A5DE1C26D0E-EUROPE-PARIS",
        month: "2026-11",
        time_zone: "Europe/Paris",
        starts_at: "2026-10-31T23:00:00+00:00",
        ends_at: "2026-11-30T23:00:00+00:00",
        closed: true,
        totals: [{ currency: "EUR", fees: "12.50" }],
      }),
    },
    errors: [wrongField("month", FieldRule.RealMonth), wrongField("time_zone", FieldRule.TimeZone)],
  },
  {
    id: "listReportFeed",
    method: "get",
    path: "/reports/{wallet}/feed",
    tag: TAG,
    summary: "List new entries",
    description:
      "Returns the wallet's entries in the order in which they were posted, from the first or after a cursor. Store `next_cursor` with the entries you've processed and continue from there: you get every entry exactly once, even after a failover.",
    parameters: [WALLET, CURSOR, PER_PAGE_PARAMETER],
    response: {
      schema: "ReportFeedResponse",
      description: "The entries after the cursor.",
      examples: successExample("page", "A refund", "Report entries retrieved", {
        wallet: "EUR",
        entries: [ENTRY],
        next_cursor: "48291.125050.q1w2-e3r4-t5y6-u7i8-o9",
        has_more: false,
      }),
    },
    errors: PAGE_ERRORS,
  },
  {
    id: "getStatementCsv",
    method: "get",
    path: "/reports/{wallet}/statement.csv",
    tag: TAG,
    summary: "Download a statement as CSV",
    description:
      "Returns the entries of a range of days, oldest first, as CSV (RFC 4180, UTF-8 with a byte order mark). One file of an account is exported at a time.",
    parameters: [
      ...FILE_PARAMETERS,
      queryParameter(
        "dialect",
        "`comma` separates fields with commas and writes a decimal point; `semicolon` separates them with semicolons and writes a decimal comma.",
        { type: "string", enum: [...CSV_DIALECTS], default: "comma" },
      ),
    ],
    response: { mediaType: "text/csv", description: "The statement.", example: CSV_EXAMPLE },
    errors: [...FILE_ERRORS, wrongField("dialect", oneOfRule(CSV_DIALECTS))],
  },
  {
    id: "getStatementXml",
    method: "get",
    path: "/reports/{wallet}/statement.xml",
    tag: TAG,
    summary: "Download a statement as camt.053",
    description:
      "Returns the entries of a range of days, and the balances before and after them, as ISO 20022 `camt.053.001.08`, which banking and bookkeeping software imports. One file of an account is exported at a time.",
    parameters: FILE_PARAMETERS,
    response: { mediaType: "application/xml", description: "The statement.", example: XML_EXAMPLE },
    errors: FILE_ERRORS,
  },
  {
    id: "getReportDay",
    method: "get",
    path: "/reports/{wallet}/{date}",
    tag: TAG,
    summary: "Retrieve a day",
    description:
      "Returns the totals of a day and its entries, oldest first. The opening balance plus credits, minus debits and fees, is the closing balance. Once `closed` is true, the day never changes. Paginate with `cursor`.",
    parameters: [
      WALLET,
      pathParameter("date", "The day, as `YYYY-MM-DD`.", "2026-11-21"),
      TIME_ZONE,
      CURSOR,
      PER_PAGE_PARAMETER,
    ],
    response: {
      schema: "ReportDayResponse",
      description: "The day.",
      examples: successExample("day", "A day with a refund", "Report retrieved", {
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
    errors: [
      wrongField("date", FieldRule.RealDay),
      wrongField("time_zone", FieldRule.TimeZone),
      ...PAGE_ERRORS,
    ],
  },
];
