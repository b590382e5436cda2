import {
  addDays,
  ErrorCode,
  HELD_SUFFIX,
  type ReportEntryType,
  startOfDay,
  toLocalDay,
} from "@tillgate/contract";
import { queryFirstRow, queryOneRow, queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../context.js";
import { OperationError } from "../errors.js";
import type { MerchantScope } from "../identity/credentials/authenticate.js";
import {
  ENTRY_COLUMNS,
  ENTRY_JOINS,
  type StatementEntry,
  statementEntrySchema,
  withBalances,
} from "../money/wallets/entries.js";
import { decodePosition, encodePosition, type StatementPosition } from "../money/wallets/statement.js";
import { TOP_UP_REFERENCE } from "../money/wallets/top-up.js";
import { balanceOf, readTotals, type WalletTotals } from "../money/wallets/totals.js";
import { invalidCursor } from "../pagination/keyset-page.js";
import { firstDayOf, pageMonths, startOfMonth, toMonth } from "./months.js";

const walletSchema = z.object({
  accountId: z.uuid(),
  /** The currency, with {@link HELD_SUFFIX} for the money held for pending payouts and refunds. */
  wallet: z.string(),
  currency: z.string(),
  digits: z.int(),
  balance: z.bigint(),
  firstEntryAt: z.date().nullable(),
});
/** An account of a merchant. Reports include every account, so that each entry appears once. */
export type ReportWallet = z.output<typeof walletSchema>;

/** Greater than every entry number. */
const NO_END = 2n ** 62n;

const WALLETS = `
  SELECT * FROM (
    SELECT a.id AS "accountId", a.currency || CASE a.kind WHEN 'hold' THEN '${HELD_SUFFIX}' ELSE '' END AS wallet, a.currency, c.digits::int, a.balance,
      (SELECT t.created_at FROM entries n JOIN transfers t ON t.id = n.transfer_id
        WHERE (n.account_id, n.id) > (a.id, 0) AND (n.account_id, n.id) < (a.id, ${NO_END}) ORDER BY n.account_id, n.id LIMIT 1)
        AS "firstEntryAt"
    FROM accounts a JOIN currencies c ON c.code = a.currency
    WHERE a.merchant_id = $1 AND a.mode = $2 AND a.kind IN ('merchant', 'hold')) AS wallets`;

/** Lists a merchant's wallets, open and closed. The funds held in each currency are a separate wallet. */
export const listReportWallets = (
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<ReportWallet[]> => queryRows(pool, walletSchema, `${WALLETS} ORDER BY wallet`, [merchantId, mode]);

/** @throws OperationError WalletNotFound. */
export async function findReportWallet(
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
  wallet: string,
): Promise<ReportWallet> {
  const found = await queryFirstRow(pool, walletSchema, `${WALLETS} WHERE wallet = $3`, [
    merchantId,
    mode,
    wallet,
  ]);
  if (!found) throw new OperationError(ErrorCode.WalletNotFound);
  return found;
}

/** Entries of wallet $1 after entry $2 and before entry $3, oldest first. */
const ENTRIES = `
  SELECT ${ENTRY_COLUMNS} FROM accounts a
  CROSS JOIN LATERAL (
    SELECT * FROM entries WHERE (account_id, id) > (a.id, $2) AND (account_id, id) < (a.id, $3) ORDER BY account_id, id LIMIT $4) AS n
  ${ENTRY_JOINS} WHERE a.id = $1 ORDER BY n.id`;

type EntryPage = { entries: StatementEntry[]; next: StatementPosition; hasMore: boolean };

async function readEntries(
  { database: { pool } }: Context,
  { accountId }: ReportWallet,
  after: StatementPosition,
  { before, per_page: size }: { before: bigint; per_page: number },
): Promise<EntryPage> {
  const rows = await queryRows(pool, statementEntrySchema, ENTRIES, [
    accountId,
    after.entryId,
    before,
    size + 1,
  ]);
  const entries = withBalances(rows.slice(0, size), after.balance);
  return { entries, next: entries.at(-1) ?? after, hasMore: rows.length > size };
}

/** Totals of a period, in minor units: opening + credits − debits − fees = closing. */
export type PeriodTotals = Omit<WalletTotals, "beforeEntry"> & { opening: bigint; closing: bigint };

const subtract = (end: WalletTotals, start: WalletTotals): PeriodTotals => ({
  opening: balanceOf(start),
  closing: balanceOf(end),
  entries: end.entries - start.entries,
  credits: end.credits - start.credits,
  debits: end.debits - start.debits,
  fees: end.fees - start.fees,
});

/** A month (`2026-11`) or a day (`2026-11-21`). */
export type ReportPeriod = { period: string; totals: PeriodTotals };

/** @param periods consecutive. @param end the period after the last of them. */
async function readPeriods(
  { database: { pool } }: Context,
  { accountId }: ReportWallet,
  { periods, end, startOf }: { periods: string[]; end: string; startOf: (period: string) => Date },
): Promise<{ total: PeriodTotals; periods: ReportPeriod[] }> {
  const bounds = await readTotals(pool, accountId, [...periods, end].map(startOf));
  const between = (from: number, to: number): PeriodTotals => {
    const [start, end] = [bounds[from], bounds[to]];
    if (!start || !end) throw new Error("the query for a wallet's totals returned too few rows");
    return subtract(end, start);
  };
  return {
    total: between(0, periods.length),
    periods: periods.map((period, at) => ({ period, totals: between(at, at + 1) })),
  };
}

/**
 * Lists a page of months with their totals, newest first. A wallet without entries has only the current month.
 * @param query.before the `next` of the previous page.
 * @throws OperationError WalletNotFound.
 */
export async function listReportMonths(
  context: Context,
  scope: MerchantScope,
  query: { wallet: string; before?: string | undefined; timeZone: string },
): Promise<{ wallet: ReportWallet; months: ReportPeriod[]; next: string | null }> {
  const wallet = await findReportWallet(context, scope, query.wallet);
  const { months, end, next } = pageMonths(wallet.firstEntryAt, query);
  const startOf = (month: string) => startOfMonth(month, query.timeZone);
  const { periods } = await readPeriods(context, wallet, { periods: months, end, startOf });
  return { wallet, months: periods.reverse(), next };
}

/** Reads the totals of a month and of its days, without future days. @throws OperationError WalletNotFound. */
export async function readReportMonth(
  context: Context,
  scope: MerchantScope,
  { month, timeZone, ...query }: { wallet: string; month: string; timeZone: string },
): Promise<{ wallet: ReportWallet; total: PeriodTotals; days: ReportPeriod[] }> {
  const wallet = await findReportWallet(context, scope, query.wallet);
  const today = toLocalDay(new Date(), timeZone);
  const days: string[] = [];
  let end = firstDayOf(month);
  for (; toMonth(end) === month && end <= today; end = addDays(end)) days.push(end);
  const startOf = (day: string) => startOfDay(day, timeZone);
  const { total, periods } = await readPeriods(context, wallet, { periods: days, end, startOf });
  return { wallet, total, days: periods };
}

const closedSchema = z.object({ closed: z.boolean() });
const CLOSED = "SELECT period_is_closed($1, $2) AS closed";

export type ReportDay = {
  wallet: ReportWallet;
  startsAt: Date;
  endsAt: Date;
  /** Whether no more entries can be added to the day. */
  closed: boolean;
  totals: PeriodTotals;
  entries: StatementEntry[];
  next: string | null;
};

/** @throws OperationError WalletNotFound; InvalidFields for a cursor that is invalid or outside this day. */
export async function readReportDay(
  context: Context,
  scope: MerchantScope,
  query: { wallet: string; date: string; timeZone: string; cursor?: string | undefined; per_page: number },
): Promise<ReportDay> {
  const { pool } = context.database;
  const wallet = await findReportWallet(context, scope, query.wallet);
  const { accountId } = wallet;
  const startsAt = startOfDay(query.date, query.timeZone);
  const endsAt = startOfDay(addDays(query.date), query.timeZone);
  // Read before the entries, so that a day reported as closed is complete.
  const { closed } = await queryOneRow(pool, closedSchema, CLOSED, [accountId, endsAt]);
  const [start, end] = await readTotals(pool, accountId, [startsAt, endsAt]);
  if (!start || !end) throw new Error("the query for a wallet's totals returned too few rows");
  const cursor =
    query.cursor === undefined
      ? { entryId: start.beforeEntry - 1n, balance: balanceOf(start) }
      : decodePosition(context.keyring, accountId, query.cursor);
  if (!cursor || cursor.entryId < start.beforeEntry - 1n || cursor.entryId >= end.beforeEntry)
    throw invalidCursor("cursor");
  const page = await readEntries(context, wallet, cursor, {
    before: end.beforeEntry,
    per_page: query.per_page,
  });
  const next = page.hasMore ? encodePosition(context.keyring, accountId, page.next) : null;
  return { wallet, startsAt, endsAt, closed, totals: subtract(end, start), entries: page.entries, next };
}

export type ReportFeed = { wallet: ReportWallet; entries: StatementEntry[]; next: string; hasMore: boolean };

/**
 * Reads a page of a wallet's entries, oldest first. A reader that follows the cursors gets every entry exactly once: entries are numbered under the
 * wallet's lock, which is held until the commit, so no entry appears later with a lower number than an entry that was read. A failover does not
 * assign these numbers again.
 * @throws OperationError WalletNotFound; InvalidFields for a cursor that was not issued for this wallet.
 */
export async function readReportFeed(
  context: Context,
  scope: MerchantScope,
  query: { wallet: string; cursor?: string | undefined; per_page: number },
): Promise<ReportFeed> {
  const wallet = await findReportWallet(context, scope, query.wallet);
  const after =
    query.cursor === undefined
      ? { entryId: 0n, balance: 0n }
      : decodePosition(context.keyring, wallet.accountId, query.cursor);
  if (!after) throw invalidCursor("cursor");
  const { entries, next, hasMore } = await readEntries(context, wallet, after, {
    before: NO_END,
    per_page: query.per_page,
  });
  return { wallet, entries, next: encodePosition(context.keyring, wallet.accountId, next), hasMore };
}

/** Returns an entry's type. A correction needs a separate check, because its `kind` is that of the transfer that it reverses. */
export function getEntryType({ corrects, kind, reference }: StatementEntry): ReportEntryType {
  if (corrects !== null) return "correction";
  if (kind === "hold_return") return "release";
  return kind === "deposit" && reference === TOP_UP_REFERENCE ? "top_up" : kind;
}
