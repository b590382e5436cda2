import type {
  FeeStatement as FeeStatementItem,
  ReportDay as ReportDayItem,
  ReportEntry,
  ReportTotals,
  ReportWalletItem,
} from "@tillgate/contract";
import { formatDecimal } from "@tillgate/money";
import type { StatementEntry } from "../../money/wallets/entries.js";
import { parseMetadata } from "../../pagination/metadata.js";
import type { FeeStatement, MonthFees } from "../../reports/fees.js";
import {
  getEntryType,
  type PeriodTotals,
  type ReportDay,
  type ReportWallet,
} from "../../reports/wallet-days.js";
import { wireTime } from "./shapes.js";

export const toReportWallet = ({
  wallet,
  currency,
  digits,
  balance,
  firstEntryAt,
}: ReportWallet): ReportWalletItem => ({
  wallet,
  currency,
  balance: formatDecimal(balance, digits),
  first_entry_at: firstEntryAt && wireTime(firstEntryAt),
});

export const toReportEntry =
  ({ currency, digits }: ReportWallet) =>
  (entry: StatementEntry): ReportEntry => ({
    entry_id: String(entry.entryId),
    type: getEntryType(entry),
    currency,
    gross: formatDecimal(entry.amount + entry.fee, digits),
    fee: formatDecimal(entry.fee, digits),
    net: formatDecimal(entry.amount, digits),
    balance: formatDecimal(entry.balance, digits),
    order_id: entry.orderId ?? entry.refundedOrderId,
    trx_id: entry.trxId,
    refund_id: entry.refundId,
    payout_id: entry.payoutId,
    reference: entry.reference,
    order_number: entry.orderNumber,
    metadata: parseMetadata(entry),
    corrects_entry_id: entry.corrects === null ? null : String(entry.corrects),
    created_at: wireTime(entry.at),
  });

export function toReportTotals({ digits }: ReportWallet, totals: PeriodTotals): ReportTotals {
  const decimal = (minor: bigint) => formatDecimal(minor, digits);
  return {
    opening_balance: decimal(totals.opening),
    credits: decimal(totals.credits),
    debits: decimal(totals.debits),
    fees: decimal(totals.fees),
    closing_balance: decimal(totals.closing),
    entry_count: Number(totals.entries),
  };
}

export const toMonthFees = ({
  number,
  month,
  totals,
}: MonthFees): Pick<FeeStatementItem, "number" | "month" | "totals"> => ({
  number,
  month,
  totals: totals.map(({ currency, digits, fees }) => ({ currency, fees: formatDecimal(fees, digits) })),
});

export const toFeeStatement = (statement: FeeStatement, timeZone: string): FeeStatementItem => ({
  ...toMonthFees(statement),
  time_zone: timeZone,
  starts_at: wireTime(statement.startsAt),
  ends_at: wireTime(statement.endsAt),
  closed: statement.closed,
});

export const toReportDay = (
  { wallet, startsAt, endsAt, closed, totals, entries, next }: ReportDay,
  date: string,
  timeZone: string,
): ReportDayItem => ({
  wallet: wallet.wallet,
  currency: wallet.currency,
  date,
  time_zone: timeZone,
  starts_at: wireTime(startsAt),
  ends_at: wireTime(endsAt),
  closed,
  ...toReportTotals(wallet, totals),
  entries: entries.map(toReportEntry(wallet)),
  next_cursor: next,
});
