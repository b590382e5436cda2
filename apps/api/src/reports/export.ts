import { ErrorCode, type ListSort, type Mode } from "@tillgate/contract";
import {
  type OrderModel,
  orderRow,
  type PayoutModel,
  Prisma,
  payoutRow,
  refundRow,
} from "@tillgate/database";
import { inTransaction, type Queryable, queryOneRow, queryRows, type RowReader } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import type { MerchantScope } from "../identity/credentials/authenticate.js";
import { expireMerchantOrders } from "../money/orders/expire.js";
import {
  type Received,
  type RefundOfPayment,
  refundReceived,
  withPaymentIds,
} from "../money/refunds/read.js";
import { parseMoneyFilters } from "../pagination/filters.js";
import { allFilters, indexedConditions, listSourceSql } from "../pagination/keyset-page.js";
import { type Matches, matchOrders, matchPayouts, matchRefunds } from "../pagination/matching-rows.js";
import { listOrder } from "../pagination/page.js";

const ROWS_PER_READ = 1_000;
/** Concurrent exports across all processes. Each export occupies a connection. */
const MAX_EXPORTS = 4;
/** Limited, because the snapshot of an export delays vacuuming. */
const EXPORT_LIMIT_MS = 300_000;
const RETRY_AFTER_SECONDS = 10;

export type ExportQuery = {
  status?: string | undefined;
  method?: string | undefined;
  currency?: string | undefined;
  min_amount?: string | undefined;
  max_amount?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
  sort?: ListSort | undefined;
  timeZone: string;
};

export type Exported<Row> = {
  kind: "order" | "refund" | "payout";
  reader: RowReader<Row>;
  /** Columns of the table, which has the alias `listed`. */
  select: Prisma.Sql;
  currency: Prisma.Sql;
  matching: (context: Context, scope: MerchantScope, text: string) => Promise<Matches>;
};

const refundOfRow = refundRow.parse;
const paymentSchema = z.object({ payment: z.string() });
const orderOfRefundSchema = z.object({
  trxId: z.string(),
  reference: z.string().nullable(),
  orderNumber: z.string().nullable(),
  currency: z.string(),
  payerCurrency: z.string().nullable(),
  amount: z.coerce.bigint(),
  refunded: z.coerce.bigint(),
  payerAmount: z.coerce.bigint().nullable(),
});
/** `received` is what the payer received in another currency; null if the payment was not converted or the refund is not completed. */
export type RefundExportRow = RefundOfPayment & { received: Received | null };
function parseRefund(row: unknown): RefundExportRow {
  const order = orderOfRefundSchema.parse(JSON.parse(paymentSchema.parse(row).payment));
  const refund = refundOfRow(row);
  return {
    ...withPaymentIds({ ...refund, order }),
    received: refund.status === "completed" ? refundReceived(refund, order) : null,
  };
}

export const EXPORTS: {
  order: Exported<OrderModel>;
  refund: Exported<RefundExportRow>;
  payout: Exported<PayoutModel>;
} = {
  order: {
    kind: "order",
    reader: orderRow,
    select: Prisma.sql`listed.*`,
    currency: Prisma.sql`currency`,
    matching: matchOrders,
  },
  refund: {
    kind: "refund",
    reader: { parse: parseRefund },
    select: Prisma.sql`listed.*, (
      SELECT json_build_object('trxId', trx_id, 'reference', reference, 'orderNumber', order_number, 'currency', currency,
        'payerCurrency', payer_currency, 'amount', amount::text, 'refunded', refunded::text, 'payerAmount', payer_amount::text)::text
      FROM orders WHERE id = listed.order_id) AS payment`,
    currency: Prisma.sql`currency`,
    matching: matchRefunds,
  },
  payout: {
    kind: "payout",
    reader: payoutRow,
    select: Prisma.sql`listed.*`,
    currency: Prisma.sql`sender_currency`,
    matching: matchPayouts,
  },
};

/** Receives the number of rows, then the rows. `write` returns false to stop, such as after the client disconnected. */
export type ExportSink<Row> = {
  start: (total: number) => void;
  write: (rows: Row[]) => Promise<boolean>;
};

const totalSchema = z.object({ total: z.int() });
const takenSchema = z.object({ taken: z.boolean() });

/**
 * Exports a list from one snapshot, so that concurrent changes cause no repeated or missing rows.
 * @throws OperationError TooManyExports before the sink is used.
 */
export async function exportList<Row>(
  context: Context,
  { merchantId, mode }: { merchantId: string; mode: Mode },
  { kind, reader, select, currency, matching }: Exported<Row>,
  query: ExportQuery,
  sink: ExportSink<Row>,
): Promise<void> {
  const scope = { merchantId, mode };
  if (kind === "order") await expireMerchantOrders(context, scope);
  const { order, descending } = listOrder(kind, query.sort);
  const matches = query.q === undefined ? undefined : await matching(context, scope, query.q);
  const filters = [
    ...(await parseMoneyFilters(context, query, currency)),
    ...(query.method === undefined ? [] : [Prisma.sql`payment_method = ${query.method}::payment_method`]),
  ];
  const list = { ...query, ...scope, kind, filters, matches };
  const conditions = [...indexedConditions(list), ...allFilters(list)];
  const listed = Prisma.sql`FROM ${listSourceSql(list)} AS listed WHERE ${Prisma.join(conditions, " AND ")}`;
  await withExportSlot(context, merchantId, async (connection) => {
    const { total } = await queryOneRow(
      connection,
      totalSchema,
      asQuery(Prisma.sql`SELECT count(*)::int AS total ${listed}`),
    );
    sink.start(total);
    await readAll(
      connection,
      asQuery(Prisma.sql`SELECT ${select} ${listed} ORDER BY ${descending ? order.down : order.up}`),
      reader,
      sink.write,
    );
  });
}

/** Reserves an export slot and runs `work` in one read-only snapshot. @throws OperationError TooManyExports. */
export const withExportSlot = (
  context: Context,
  merchantId: string,
  work: (connection: Queryable) => Promise<void>,
): Promise<void> =>
  inTransaction(context.database.pool, async (connection) => {
    await connection.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    await reserveSlot(connection, merchantId);
    await work(connection);
  });

/** Passes the rows of a query to `write` in batches, until it returns false. @throws Error after {@link EXPORT_LIMIT_MS}. */
export async function readAll<Row>(
  connection: Queryable,
  { text, values }: { text: string; values: unknown[] },
  reader: RowReader<Row>,
  write: (rows: Row[]) => Promise<boolean>,
): Promise<void> {
  const ends = Date.now() + EXPORT_LIMIT_MS;
  await connection.query({ text: `DECLARE exported NO SCROLL CURSOR FOR ${text}`, values });
  for (;;) {
    if (Date.now() > ends) throw new Error(`an export took longer than ${EXPORT_LIMIT_MS} ms`);
    const rows = await queryRows(connection, reader, `FETCH ${ROWS_PER_READ} FROM exported`);
    if (rows.length === 0 || !(await write(rows))) return;
  }
}

const asQuery = ({ text, values }: Prisma.Sql) => ({ text, values: [...values] });

/** Reserves a slot until the end of the transaction. A merchant has at most one slot. */
async function reserveSlot(connection: Queryable, merchantId: string): Promise<void> {
  const take = async (slot: string): Promise<boolean> =>
    (
      await queryOneRow(
        connection,
        takenSchema,
        "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken",
        [`export ${slot}`],
      )
    ).taken;
  if (await take(merchantId))
    for (let slot = 1; slot <= MAX_EXPORTS; slot += 1) if (await take(String(slot))) return;
  throw new OperationError(ErrorCode.TooManyExports, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
