import {
  consolePeriodQuerySchema,
  EXPORT_COLUMNS,
  EXPORT_QUERIES,
  statementExportQuerySchema,
} from "@tillgate/contract";
import type { OrderModel, PayoutModel } from "@tillgate/database";
import { formatDecimal } from "@tillgate/money";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { getCurrency } from "../../money/currencies.js";
import { consoleStatus } from "../../money/orders/list.js";
import type { Cell } from "../../platform/csv.js";
import { EXPORTS, type Exported, exportList, type RefundExportRow } from "../../reports/export.js";
import { createExportSink, EXPORT_FORMATS } from "../shared/export-sinks.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve } from "../shared/routes.js";
import { sendStatementCsv, sendStatementXml } from "../shared/statements.js";
import { withRightInMode } from "./caller.js";

type Row<Kind extends keyof typeof EXPORT_COLUMNS> = Record<(typeof EXPORT_COLUMNS)[Kind][number], Cell>;

const formatMinor = async (context: Context, minor: bigint, code: string): Promise<string> =>
  formatDecimal(minor, (await getCurrency(context, code)).digits);

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

export function serveExports(router: Router, context: Context): void {
  const allowed = withRightInMode(context);

  const serveExport = <Row>(
    exported: Exported<Row>,
    shape: (context: Context, row: Row) => Promise<Record<string, Cell>>,
  ): void => {
    const { kind } = exported;
    for (const format of EXPORT_FORMATS)
      serve(router, `/merchants/:merchant/:mode/${kind}s.${format}`, {
        get: allowed("payments.view", async (access, request, response) => {
          const parsed = parse(EXPORT_QUERIES[kind], request.query);
          const { columns = EXPORT_COLUMNS[kind], dialect, ...query } = parsed;
          const { timeZone } = access;
          const file = { format, name: `${kind}s`, columns, dialect, timeZone };
          const sink = createExportSink<Row>(response, file, (row) => shape(context, row));
          await exportList(context, access, exported, { ...query, timeZone }, sink);
          sink.end();
        }),
      });
  };
  serveExport(EXPORTS.order, EXPORT_ROWS.order);
  serveExport(EXPORTS.refund, EXPORT_ROWS.refund);
  serveExport(EXPORTS.payout, EXPORT_ROWS.payout);

  serve(router, "/merchants/:merchant/:mode/wallets/:wallet/statement.csv", {
    get: allowed("payments.view", async (access, request, response) => {
      const { dialect, ...period } = parse(statementExportQuerySchema, request.query);
      const query = { ...period, wallet: pathParameter(request, "wallet"), timeZone: access.timeZone };
      await sendStatementCsv(context, access, { ...query, dialect }, response);
    }),
  });

  serve(router, "/merchants/:merchant/:mode/wallets/:wallet/statement.xml", {
    get: allowed("payments.view", async (access, request, response) => {
      const period = parse(consolePeriodQuerySchema, request.query);
      const query = { ...period, wallet: pathParameter(request, "wallet"), timeZone: access.timeZone };
      await sendStatementXml(context, access, query, response);
    }),
  });
}
