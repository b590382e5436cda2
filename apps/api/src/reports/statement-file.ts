import { MAX_PERIOD_ENTRIES } from "@tillgate/contract";
import { queryOneRow } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import type { MerchantScope } from "../identity/credentials/authenticate.js";
import { findMerchantWallet } from "../money/wallets/list.js";
import {
  STATEMENT_COLUMNS,
  STATEMENT_JOINS,
  type StatementEntry,
  statementEntrySchema,
} from "../money/wallets/statement.js";
import { type InTimeZone, toCreatedRange } from "../pagination/filters.js";
import { type ExportSink, readAll, withExportSlot } from "./export.js";

const sum = z.string().transform(BigInt);
const beginSchema = z.object({ opening: sum, closing: sum, total: z.int() });

/** The first and the last day (inclusive) in a time zone; an omitted day means no limit. */
type PeriodQuery = InTimeZone<{
  currency: string;
  from?: string | undefined;
  to?: string | undefined;
}>;

/** The balances before the first entry and after the last, in minor units, and the number of entries. */
type Period = z.output<typeof beginSchema>;

const BEGIN = `
  SELECT coalesce(sum(n.amount) FILTER (WHERE t.created_at < $2), 0)::text AS opening,
    coalesce(sum(n.amount) FILTER (WHERE t.created_at < $3), 0)::text AS closing,
    (count(*) FILTER (WHERE t.created_at >= $2 AND t.created_at < $3))::int AS total
  FROM entries n JOIN transfers t ON t.id = n.transfer_id WHERE n.account_id = $1`;
const ENTRIES = `
  SELECT ${STATEMENT_COLUMNS} FROM accounts a JOIN entries n ON n.account_id = a.id ${STATEMENT_JOINS}
  WHERE a.id = $1 AND t.created_at >= $2 AND t.created_at < $3 ORDER BY n.id`;

/**
 * Reads the entries of a merchant's wallet between two days (inclusive), from one snapshot, oldest first, each with the balance after it.
 * @throws OperationError WalletNotFound, TooManyExports before anything is written to the sink.
 */
export async function exportStatement(
  context: Context,
  scope: MerchantScope,
  { currency, from, to, timeZone }: PeriodQuery,
  {
    start,
    write,
  }: Pick<ExportSink<StatementEntry>, "write"> & { start: (total: number, period: Period) => void },
): Promise<void> {
  const accountId = await findMerchantWallet(context, scope, currency);
  const { gte = "-infinity", lt = "infinity" } = toCreatedRange({ from_date: from, to_date: to, timeZone });
  const values = [accountId, gte, lt];
  await withExportSlot(context, scope.merchantId, async (connection) => {
    const period = await queryOneRow(connection, beginSchema, BEGIN, values);
    let balance = period.opening;
    start(period.total, period);
    await readAll(connection, { text: ENTRIES, values }, statementEntrySchema, (rows) =>
      write(
        rows.map((row) => {
          balance += row.amount;
          return { ...row, balance };
        }),
      ),
    );
  });
}

/**
 * Reads a wallet's whole statement between two days, for printing. It costs as much as an export, and takes an export slot.
 * @returns no entries if there are more than the maximum of one statement.
 * @throws OperationError WalletNotFound, TooManyExports.
 */
export async function readPeriod(
  context: Context,
  scope: MerchantScope,
  query: PeriodQuery,
): Promise<Period & { entries: StatementEntry[] }> {
  let period: Period = { opening: 0n, closing: 0n, total: 0 };
  const entries: StatementEntry[] = [];
  await exportStatement(context, scope, query, {
    start: (_total, foundPeriod) => {
      period = foundPeriod;
    },
    write: async (rows) => {
      if (period.total > MAX_PERIOD_ENTRIES) return false;
      entries.push(...rows);
      return true;
    },
  });
  return { ...period, entries };
}
