import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { csvDialect as dialect, displayName, text } from "../fields.js";
import { consoleOrdersQuerySchema } from "./orders.js";
import { consolePayoutsQuerySchema, consolePeriodQuerySchema, consoleRefundsQuerySchema } from "./payouts.js";

/** The number of exported rows, for progress display. */
export const EXPORT_TOTAL_HEADER = "x-tillgate-total";

/** Columns in order; amounts are decimal texts. */
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
    "payer_amount",
    "payer_currency",
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
export type ExportKind = keyof typeof EXPORT_COLUMNS;

/** Comma-separated names in output order; `all` by default. */
const columnNames = (kind: ExportKind) =>
  z
    .string({ error: "must be given once" })
    .transform((names) => (names === "all" ? [...EXPORT_COLUMNS[kind]] : names.split(",")))
    .refine((names) => names.every((name) => EXPORT_COLUMNS[kind].some((known) => known === name)), {
      error: "must be names of columns between commas, or all",
    })
    .optional();

/** `GET …/orders.csv` and `…/orders.json`, and the same files of refunds and payouts. Takes the list's filters, but no cursors. */
export const EXPORT_QUERIES = {
  order: consoleOrdersQuerySchema
    .omit({ before: true, after: true, per_page: true })
    .extend({ columns: columnNames("order"), dialect }),
  refund: consoleRefundsQuerySchema
    .omit({ before: true, after: true, per_page: true })
    .extend({ columns: columnNames("refund"), dialect }),
  payout: consolePayoutsQuerySchema
    .omit({ before: true, after: true, per_page: true })
    .extend({ columns: columnNames("payout"), dialect }),
} as const;

/** `GET …/payouts/batches/{batch}/result.csv` */
export const csvFileQuerySchema = z.object({ dialect });
/** `GET …/wallets/{currency}/statement.csv` */
export const statementExportQuerySchema = consolePeriodQuerySchema.safeExtend({ dialect });
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
  "fee",
  "trx_id",
  "order_number",
  "corrects_entry_id",
] as const;

export const viewedListSchema = z.enum(["orders", "refunds", "payouts"], {
  error: "must be orders, refunds or payouts",
});
export type ViewedList = z.infer<typeof viewedListSchema>;

/** A view stores filters and columns, never a page. */
const VIEW_QUERIES = {
  orders: EXPORT_QUERIES.order,
  refunds: EXPORT_QUERIES.refund,
  payouts: EXPORT_QUERIES.payout,
} as const;

/** Retains only known, nonempty fields, in a fixed order, for storage and comparison. @returns undefined for an invalid query. */
export function normalizeViewQuery(list: ViewedList, text: string): string | undefined {
  const params = new URLSearchParams(text);
  const names = Object.keys(VIEW_QUERIES[list].shape);
  const fields = Object.fromEntries(
    names.map((name) => [name, params.get(name)?.trim() ?? ""]).filter(([, value]) => value !== ""),
  );
  const isValid = VIEW_QUERIES[list].safeParse(fields).success;
  return isValid ? new URLSearchParams(fields).toString() : undefined;
}

const MAX_QUERY = 4_000;

export const consoleViewSchema = z.object({
  view_id: z.string(),
  name: z.string(),
  /** The text that {@link normalizeViewQuery} returns. */
  query: z.string(),
});
export type ConsoleView = z.infer<typeof consoleViewSchema>;

/** `GET …/views?list=orders`: the user's saved views, oldest first. */
export const consoleViewsQuerySchema = z.object({ list: viewedListSchema });
export const consoleViewsResponseSchema = successEnvelope(z.object({ views: z.array(consoleViewSchema) }));

const viewName = displayName(60).transform((name) => name.trim());

/** `POST …/views`: idempotent by name and query. */
export const consoleViewRequestSchema = z.object({
  list: viewedListSchema,
  name: viewName,
  query: text(MAX_QUERY),
});

/** `POST …/views/{view}` */
export const consoleViewChangeSchema = z.object({ name: viewName });

export const consoleViewResponseSchema = successEnvelope(z.object({ view: consoleViewSchema }));
