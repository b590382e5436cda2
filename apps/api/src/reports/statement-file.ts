import { addDays, MAX_PERIOD_ENTRIES, startOfDay, toLocalDay } from "@tillgate/contract";
import type { Context } from "../context.js";
import { readMerchantName } from "../identity/connections.js";
import type { MerchantScope } from "../identity/credentials/authenticate.js";
import {
  ENTRY_COLUMNS,
  ENTRY_JOINS,
  type StatementEntry,
  statementEntrySchema,
  withBalances,
} from "../money/wallets/entries.js";
import { balanceOf, readTotals } from "../money/wallets/totals.js";
import { type InTimeZone, toCreatedRange } from "../pagination/filters.js";
import type { StatementHead } from "./camt053.js";
import { type ExportSink, readAll, withExportSlot } from "./export.js";
import { findReportWallet, type ReportWallet } from "./wallet-days.js";

/** The first and the last day (inclusive) in a time zone; an omitted day means no limit. */
type Days = InTimeZone<{ from?: string | undefined; to?: string | undefined }>;
/** `wallet` is the wallet's name in reports. */
export type StatementQuery = Days & { wallet: string };

/** Minor units: the balances before the first entry and after the last. `total` is the number of entries. */
type Period = { opening: bigint; closing: bigint; total: number };

const ENTRIES = `
  SELECT ${ENTRY_COLUMNS} FROM accounts a JOIN entries n ON n.account_id = a.id ${ENTRY_JOINS}
  WHERE a.id = $1 AND n.id >= $2 AND n.id < $3 ORDER BY n.id`;

/**
 * Exports the entries of one snapshot, oldest first, each with the balance after it.
 * @throws OperationError TooManyExports before `start` is called.
 */
export async function exportStatement(
  context: Context,
  scope: MerchantScope,
  { wallet: { accountId }, from, to, timeZone }: Days & { wallet: ReportWallet },
  {
    start,
    write,
  }: Pick<ExportSink<StatementEntry>, "write"> & { start: (total: number, period: Period) => void },
): Promise<void> {
  const { gte = "-infinity", lt = "infinity" } = toCreatedRange({ from_date: from, to_date: to, timeZone });
  await withExportSlot(context, scope.merchantId, async (connection) => {
    const [first, end] = await readTotals(connection, accountId, [gte, lt]);
    if (!first || !end) throw new Error("the query for a wallet's totals returned no rows");
    const period = {
      opening: balanceOf(first),
      closing: balanceOf(end),
      total: Number(end.entries - first.entries),
    };
    let balance = period.opening;
    start(period.total, period);
    const entries = { text: ENTRIES, values: [accountId, first.beforeEntry, end.beforeEntry] };
    await readAll(connection, entries, statementEntrySchema, (rows) => {
      const balanced = withBalances(rows, balance);
      balance = balanced.at(-1)?.balance ?? balance;
      return write(balanced);
    });
  });
}

/**
 * Exports a range of days as camt.053; by default, from the day of the first entry until today.
 * @throws OperationError WalletNotFound, TooManyExports before `open` is called.
 */
export async function exportCamt053(
  context: Context,
  scope: MerchantScope,
  query: StatementQuery,
  open: (head: StatementHead) => ExportSink<StatementEntry>,
): Promise<void> {
  const { timeZone } = query;
  const wallet = await findReportWallet(context, scope, query.wallet);
  const createdAt = new Date();
  const from = query.from ?? toLocalDay(wallet.firstEntryAt ?? createdAt, timeZone);
  const to = query.to ?? toLocalDay(createdAt, timeZone);
  const { accountId, currency, digits } = wallet;
  const merchantName = await readMerchantName(context, scope);
  let sink: ExportSink<StatementEntry> | undefined;
  await exportStatement(
    context,
    scope,
    { wallet, from, to, timeZone },
    {
      start(total, { opening, closing }) {
        sink = open({
          ...{
            id: `${wallet.wallet}-${from}-${to}`,
            createdAt,
            accountId,
            merchantName,
            currency,
            digits,
            from,
            to,
          },
          ...{ startsAt: startOfDay(from, timeZone), endsAt: startOfDay(addDays(to), timeZone) },
          ...{ opening, closing },
        });
        sink.start(total);
      },
      write: async (rows) => (await sink?.write(rows)) ?? false,
    },
  );
}

/**
 * Reads a statement. Uses an export slot, because a period costs as much as an export.
 * @returns no entries if there are more than {@link MAX_PERIOD_ENTRIES}.
 * @throws OperationError WalletNotFound, TooManyExports.
 */
export async function readPeriod(
  context: Context,
  scope: MerchantScope,
  query: StatementQuery,
): Promise<Period & { currency: string; entries: StatementEntry[] }> {
  const wallet = await findReportWallet(context, scope, query.wallet);
  let period: Period = { opening: 0n, closing: 0n, total: 0 };
  const entries: StatementEntry[] = [];
  await exportStatement(
    context,
    scope,
    { ...query, wallet },
    {
      start: (_total, foundPeriod) => {
        period = foundPeriod;
      },
      write: async (rows) => {
        if (period.total > MAX_PERIOD_ENTRIES) return false;
        entries.push(...rows);
        return true;
      },
    },
  );
  return { ...period, currency: wallet.currency, entries };
}
