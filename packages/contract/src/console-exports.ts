import { z } from "zod";
import { consoleOrdersQuerySchema } from "./console-orders.js";
import {
  consolePayoutsQuerySchema,
  consolePeriodQuerySchema,
  consoleRefundsQuerySchema,
} from "./console-payouts.js";

/** The answer's header with the number of rows that the export has, for its progress. */
export const EXPORT_TOTAL_HEADER = "x-tillgate-total";

/** The columns of each export and of each list of the console, in their order; amounts are decimal texts of the currency beside them. */
export const EXPORT_COLUMNS = {
  order: [
    "order_id",
    "status",
    "amount",
    "currency",
    "refunded_amount",
    "payment_method",
    "reference",
    "order_number",
    "description",
    "terminal_id",
    "trx_id",
    "created_at",
    "paid_at",
    "expires_at",
  ],
  refund: [
    "refund_id",
    "order_id",
    "order_reference",
    "order_number",
    "transaction_id",
    "status",
    "amount",
    "currency",
    "reason",
    "reference",
    "created_at",
    "settled_at",
  ],
  payout: [
    "payout_id",
    "status",
    "reference",
    "description",
    "amount",
    "fee",
    "currency",
    "received_amount",
    "received_currency",
    "rate",
    "trx_id",
    "created_at",
    "processed_at",
    "total",
  ],
} as const;
/** `comma`: commas, with a point before decimals; `semicolon`: semicolons, with a comma before decimals. Of CSV only. */
export const csvDialectSchema = z.enum(["comma", "semicolon"], {
  error: "must be one of comma, semicolon",
});
export type CsvDialect = z.infer<typeof csvDialectSchema>;
const dialect = csvDialectSchema.default("comma");

export type ExportKind = keyof typeof EXPORT_COLUMNS;

/** `columns`: names between commas, in the order that is wanted; `all`, or left out: all. */
const columnsOf = (kind: ExportKind) =>
  z
    .string({ error: "must be given once" })
    .transform((names) => (names === "all" ? [...EXPORT_COLUMNS[kind]] : names.split(",")))
    .refine((names) => names.every((name) => EXPORT_COLUMNS[kind].some((known) => known === name)), {
      error: "must be names of columns between commas, or all",
    })
    .optional();

/** `GET …/orders.csv`, `…/orders.json` and those of refunds and payouts: the filters of the list, without its pages. */
export const EXPORT_QUERIES = {
  order: consoleOrdersQuerySchema
    .omit({ before: true, after: true, per_page: true })
    .extend({ columns: columnsOf("order"), dialect }),
  refund: consoleRefundsQuerySchema
    .omit({ before: true, after: true, per_page: true })
    .extend({ columns: columnsOf("refund"), dialect }),
  payout: consolePayoutsQuerySchema
    .omit({ before: true, after: true, per_page: true })
    .extend({ columns: columnsOf("payout"), dialect }),
} as const;

/** `GET …/payouts/batches/{batch}/result.csv`, and the audit log's file beside its filters. */
export const csvFileQuerySchema = z.object({ dialect });
/** `GET …/wallets/{currency}/statement.csv`. */
export const statementExportQuerySchema = consolePeriodQuerySchema.extend({ dialect });
export const STATEMENT_EXPORT_COLUMNS = [
  "entry_id",
  "at",
  "kind",
  "amount",
  "balance",
  "currency",
  "reference",
  "order_id",
  "refund_id",
  "payout_id",
  "order_reference",
] as const;
