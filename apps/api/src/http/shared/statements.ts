import { type CsvDialect, STATEMENT_EXPORT_COLUMNS } from "@tillgate/contract";
import { formatDecimal } from "@tillgate/money";
import type { Response } from "express";
import type { Context } from "../../context.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import type { StatementEntry } from "../../money/wallets/entries.js";
import type { Cell } from "../../platform/csv.js";
import { type Camt053Writer, createCamt053Writer } from "../../reports/camt053.js";
import { exportCamt053, exportStatement, type StatementQuery } from "../../reports/statement-file.js";
import { findReportWallet, type ReportWallet } from "../../reports/wallet-days.js";
import { createExportSink, createFileSink } from "./export-sinks.js";

const toStatementRow =
  ({ currency, digits }: ReportWallet) =>
  async (entry: StatementEntry): Promise<Record<(typeof STATEMENT_EXPORT_COLUMNS)[number], Cell>> => ({
    entry_id: String(entry.entryId),
    at: entry.at,
    kind: entry.kind,
    amount: formatDecimal(entry.amount, digits),
    balance: formatDecimal(entry.balance, digits),
    currency,
    reference: entry.reference,
    order_id: entry.orderId,
    refund_id: entry.refundId,
    payout_id: entry.payoutId,
    order_reference: entry.orderReference,
    fee: formatDecimal(entry.fee, digits),
    trx_id: entry.trxId,
    order_number: entry.orderNumber,
    corrects_entry_id: entry.corrects === null ? null : String(entry.corrects),
  });

/** @throws OperationError WalletNotFound, TooManyExports. */
export async function sendStatementCsv(
  context: Context,
  scope: MerchantScope,
  { dialect, ...query }: StatementQuery & { dialect: CsvDialect },
  response: Response,
): Promise<void> {
  const wallet = await findReportWallet(context, scope, query.wallet);
  const { timeZone } = query;
  const file = {
    format: "csv",
    name: "statement",
    columns: STATEMENT_EXPORT_COLUMNS,
    dialect,
    timeZone,
  } as const;
  const sink = createExportSink(response, file, toStatementRow(wallet));
  await exportStatement(context, scope, { ...query, wallet }, sink);
  sink.end();
}

/** @throws OperationError WalletNotFound, TooManyExports. */
export async function sendStatementXml(
  context: Context,
  scope: MerchantScope,
  query: StatementQuery,
  response: Response,
): Promise<void> {
  let writer: Camt053Writer | undefined;
  const opened = () => {
    if (!writer) throw new Error("an entry was written before the statement file was started");
    return writer;
  };
  const file = { name: "statement.xml", type: "application/xml; charset=utf-8" };
  const sink = createFileSink<StatementEntry>(response, file, {
    start: () => opened().start,
    row: async (entry) => opened().entry(entry),
    end: () => opened().end,
  });
  await exportCamt053(context, scope, query, (head) => {
    writer = createCamt053Writer(head);
    return sink;
  });
  sink.end();
}
