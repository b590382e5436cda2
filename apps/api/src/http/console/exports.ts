import { once } from "node:events";
import {
  type CsvDialect,
  consolePeriodQuerySchema,
  EXPORT_COLUMNS,
  EXPORT_QUERIES,
  EXPORT_TOTAL_HEADER,
  STATEMENT_EXPORT_COLUMNS,
  statementExportQuerySchema,
  toLocalTime,
} from "@tillgate/contract";
import type { OrderModel, PayoutModel } from "@tillgate/database";
import { formatDecimal } from "@tillgate/money";
import type { Response, Router } from "express";
import type { Context } from "../../context.js";
import { getCurrency } from "../../money/currencies.js";
import { consoleStatus } from "../../money/orders/list.js";
import type { StatementEntry } from "../../money/wallets/entries.js";
import { type Cell, createCsvWriter } from "../../platform/csv.js";
import { type Camt053Writer, createCamt053Writer } from "../../reports/camt053.js";
import {
  EXPORTS,
  type Exported,
  type ExportSink,
  exportList,
  type RefundExportRow,
} from "../../reports/export.js";
import { exportCamt053, exportStatement } from "../../reports/statement-file.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve } from "../shared/routes.js";
import { withRightInMode } from "./caller.js";

type Row<Kind extends keyof typeof EXPORT_COLUMNS> = Record<(typeof EXPORT_COLUMNS)[Kind][number], Cell>;

const formatMinor = async (context: Context, minor: bigint, code: string): Promise<string> =>
  formatDecimal(minor, (await getCurrency(context, code)).digits);

/** For each export, the function that serializes a row. */
const EXPORT_ROWS = {
  order: async (context: Context, order: OrderModel): Promise<Row<"order">> => ({
    order_id: order.id,
    status: consoleStatus(order),
    amount: await formatMinor(context, order.amount, order.currency),
    currency: order.currency,
    refunded_amount: await formatMinor(context, order.refunded, order.currency),
    payment_method: order.paymentMethod,
    reference: order.reference,
    order_number: order.orderNumber,
    description: order.description,
    terminal_id: order.terminalId,
    trx_id: order.trxId,
    created_at: order.createdAt,
    paid_at: order.paidAt,
    expires_at: order.expiresAt,
  }),
  refund: async (context: Context, { received, ...refund }: RefundExportRow): Promise<Row<"refund">> => ({
    refund_id: refund.id,
    order_id: refund.orderId,
    order_reference: refund.orderReference,
    order_number: refund.orderNumber,
    transaction_id: refund.trxId,
    status: refund.status,
    amount: await formatMinor(context, refund.amount, refund.currency),
    currency: refund.currency,
    reason: refund.reason,
    reference: refund.reference,
    created_at: refund.createdAt,
    settled_at: refund.settledAt,
    payer_amount: received && (await formatMinor(context, received.minor, received.currency)),
    payer_currency: received?.currency ?? null,
  }),
  payout: async (context: Context, payout: PayoutModel): Promise<Row<"payout">> => ({
    payout_id: payout.id,
    status: payout.status,
    reference: payout.reference,
    description: payout.description,
    amount: await formatMinor(context, payout.amount, payout.senderCurrency),
    fee: await formatMinor(context, payout.fee, payout.senderCurrency),
    currency: payout.senderCurrency,
    received_amount: await formatMinor(context, payout.receiverAmount, payout.receiverCurrency),
    received_currency: payout.receiverCurrency,
    rate: payout.rate.toFixed(),
    trx_id: payout.trxId,
    created_at: payout.createdAt,
    processed_at: payout.processedAt,
    total: await formatMinor(context, payout.amount + payout.fee, payout.senderCurrency),
  }),
} as const;

/** Returns the columns of a statement's row. */
const toStatementRow = async (
  context: Context,
  currency: string,
  entry: StatementEntry,
): Promise<Record<(typeof STATEMENT_EXPORT_COLUMNS)[number], Cell>> => ({
  entry_id: String(entry.entryId),
  at: entry.at,
  kind: entry.kind,
  amount: await formatMinor(context, entry.amount, currency),
  balance: await formatMinor(context, entry.balance, currency),
  currency,
  reference: entry.reference,
  order_id: entry.orderId,
  refund_id: entry.refundId,
  payout_id: entry.payoutId,
  order_reference: entry.orderReference,
  fee: await formatMinor(context, entry.fee, currency),
  trx_id: entry.trxId,
  order_number: entry.orderNumber,
  corrects_entry_id: entry.corrects === null ? null : String(entry.corrects),
});

export const EXPORT_FORMATS = ["csv", "json"] as const;
type Format = (typeof EXPORT_FORMATS)[number];
const TYPES = {
  csv: "text/csv; charset=utf-8; header=present",
  json: "application/json; charset=utf-8",
} as const;

/** Serializers of exported rows. */
const WRITERS = {
  csv: (columns: readonly string[], dialect: CsvDialect, timeZone: string) => ({
    ...createCsvWriter(columns, dialect, timeZone),
    end: "",
  }),
  json: (columns: readonly string[], _dialect: CsvDialect, timeZone: string) => {
    let before = "[\n";
    return {
      start: "",
      row: (row: Record<string, Cell>) => {
        const cells = columns.map((column) => [column, toJsonCell(row[column], timeZone)]);
        const text = before + JSON.stringify(Object.fromEntries(cells));
        before = ",\n";
        return text;
      },
      get end() {
        return before === "[\n" ? "[]\n" : "\n]\n";
      },
    };
  },
} as const;

/** Formats a cell as JSON. Times include their UTC offset. */
function toJsonCell(cell: Cell | undefined, timeZone: string): string | null | undefined {
  if (!(cell instanceof Date)) return cell;
  const { time, offset } = toLocalTime(cell, timeZone);
  return time + offset;
}

/** Waits until the client has read the written data, or has disconnected. */
async function waitForDrain(response: Response): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  waiting.abort();
}

/** Creates a sink that writes a file's rows to the response as they arrive, at the client's pace. */
function createFileSink<Row>(
  response: Response,
  { name, type }: { name: string; type: string },
  texts: { start: () => string; row: (row: Row) => Promise<string>; end: () => string },
): ExportSink<Row> & { end: () => void } {
  return {
    start(total) {
      response.type(type);
      response.set(EXPORT_TOTAL_HEADER, String(total));
      response.set("cache-control", "no-store");
      response.attachment(name);
      response.write(texts.start());
    },
    async write(rows) {
      const written: string[] = [];
      for (const row of rows) written.push(await texts.row(row));
      if (response.closed) return false;
      if (!response.write(written.join(""))) await waitForDrain(response);
      return !response.closed;
    },
    end: () => response.end(texts.end()),
  };
}

/** Creates a sink that writes rows in one of the formats of exports. */
export function createExportSink<Row>(
  response: Response,
  {
    format,
    name,
    columns,
    dialect,
    timeZone,
  }: { format: Format; name: string; columns: readonly string[]; dialect: CsvDialect; timeZone: string },
  shape: (row: Row) => Promise<Record<string, Cell>>,
): ExportSink<Row> & { end: () => void } {
  const writer = WRITERS[format](columns, dialect, timeZone);
  const file = { name: `${name}.${format}`, type: TYPES[format] };
  return createFileSink<Row>(response, file, {
    start: () => writer.start,
    row: async (row) => writer.row(await shape(row)),
    end: () => writer.end,
  });
}

/** Serves filtered lists and the statements of wallets as files. */
export function serveExports(router: Router, context: Context): void {
  const allowed = withRightInMode(context);

  const serveExport = <Row>(
    exported: Exported<Row>,
    shape: (context: Context, row: Row) => Promise<Record<string, Cell>>,
  ): void => {
    const { kind } = exported;
    for (const format of EXPORT_FORMATS)
      serve(router, `/merchants/:merchant/:mode/${kind}s.${format}`, {
        get: [
          allowed("payments.view", async (access, request, response) => {
            const parsed = parse(EXPORT_QUERIES[kind], request.query);
            const { columns = EXPORT_COLUMNS[kind], dialect, ...query } = parsed;
            const { timeZone } = access;
            const file = { format, name: `${kind}s`, columns, dialect, timeZone };
            const sink = createExportSink<Row>(response, file, (row) => shape(context, row));
            await exportList(context, access, exported, { ...query, timeZone }, sink);
            sink.end();
          }),
        ],
      });
  };
  serveExport(EXPORTS.order, EXPORT_ROWS.order);
  serveExport(EXPORTS.refund, EXPORT_ROWS.refund);
  serveExport(EXPORTS.payout, EXPORT_ROWS.payout);

  serve(router, "/merchants/:merchant/:mode/wallets/:currency/statement.csv", {
    get: [
      allowed("payments.view", async (access, request, response) => {
        const currency = pathParameter(request, "currency");
        const { dialect, ...period } = parse(statementExportQuerySchema, request.query);
        const { timeZone } = access;
        const query = { ...period, currency, timeZone };
        const columns = STATEMENT_EXPORT_COLUMNS;
        const file = { format: "csv" as const, name: "statement", columns, dialect, timeZone };
        const sink = createExportSink<StatementEntry>(response, file, (entry) =>
          toStatementRow(context, currency, entry),
        );
        await exportStatement(context, access, query, sink);
        sink.end();
      }),
    ],
  });

  serve(router, "/merchants/:merchant/:mode/wallets/:currency/statement.xml", {
    get: [
      allowed("payments.view", async (access, request, response) => {
        const currency = pathParameter(request, "currency");
        const period = parse(consolePeriodQuerySchema, request.query);
        let writer: Camt053Writer | undefined;
        const opened = () => {
          if (!writer) throw new Error("a statement was not started");
          return writer;
        };
        const file = { name: "statement.xml", type: "application/xml; charset=utf-8" };
        const sink = createFileSink<StatementEntry>(response, file, {
          start: () => opened().start,
          row: async (entry) => opened().entry(entry),
          end: () => opened().end,
        });
        await exportCamt053(context, access, { ...period, currency }, (head) => {
          writer = createCamt053Writer(head);
          return sink;
        });
        sink.end();
      }),
    ],
  });
}
