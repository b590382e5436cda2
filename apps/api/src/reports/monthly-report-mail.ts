import { addDays, HELD_SUFFIX, type Mode } from "@tillgate/contract";
import { formatAmount } from "@tillgate/money";
import type { Context } from "../context.js";
import { type FeeStatement, readFeeStatement } from "./fees.js";
import { firstDayOf, nextMonth } from "./months.js";
import { listReportWallets, type PeriodTotals, type ReportWallet, readReportMonth } from "./wallet-days.js";

type WalletMonth = { wallet: ReportWallet; total: PeriodTotals };
export type MonthlyReport = {
  mode: Mode;
  month: string;
  timeZone: string;
  /** The wallets with a balance or entries in the month. */
  wallets: WalletMonth[];
  fees: FeeStatement;
};

/** Reads the same figures as the console. @returns undefined if every wallet was empty and had no entries. */
export async function readMonthlyReport(
  context: Context,
  { merchantId, mode, month, timeZone }: { merchantId: string; mode: Mode; month: string; timeZone: string },
): Promise<MonthlyReport | undefined> {
  const scope = { merchantId, mode };
  const wallets: WalletMonth[] = [];
  for (const { wallet } of await listReportWallets(context, scope)) {
    const read = await readReportMonth(context, scope, { wallet, month, timeZone });
    const { entries, opening } = read.total;
    if (entries > 0 || opening !== 0n) wallets.push(read);
  }
  if (wallets.length === 0) return undefined;
  return {
    mode,
    month,
    timeZone,
    wallets,
    fees: await readFeeStatement(context, scope, { month, timeZone }),
  };
}

const monthFormat = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

/** @param report.merchant the name, without line breaks. @param urlOf returns undefined if the console's URL is not configured. */
export function writeMonthlyReport(
  { mode, month, timeZone, wallets, fees, merchant }: MonthlyReport & { merchant: string },
  urlOf: (page: string) => string | undefined,
): { subject: string; text: string[] } {
  const monthName = monthFormat.format(new Date(firstDayOf(month)));
  const linkTo = (page: string, label = ""): string[] => {
    const url = urlOf(page);
    return url === undefined ? [] : [label + url];
  };
  const writeWallet = ({ wallet: { wallet, currency, digits }, total }: WalletMonth): string => {
    const money = (amount: bigint) => formatAmount(amount, { code: currency, digits });
    return [
      wallet.endsWith(HELD_SUFFIX) ? `${currency} on hold` : currency,
      `Opening balance: ${money(total.opening)}`,
      `Money in: ${money(total.credits)}`,
      `Money out: ${money(total.debits)}`,
      `Fees: ${money(total.fees)}`,
      `Closing balance: ${money(total.closing)}`,
      ...linkTo(`reports/${wallet}/months/${month}`),
    ].join("\n");
  };
  const writeFees = (): string =>
    [
      `Fee statement ${fees.number}`,
      `${firstDayOf(month)} to ${addDays(firstDayOf(nextMonth(month)), -1)}`,
      ...fees.totals.map((total) => formatAmount(total.fees, { ...total, code: total.currency })),
      ...linkTo(`reports/fees/${month}`),
    ].join("\n");
  return {
    subject: `Tillgate: ${monthName}${mode === "live" ? "" : " sandbox"} report for ${merchant}`,
    text: [
      `${merchant}’s report for ${monthName} is final.`,
      `Mode: ${mode}\nTime zone: ${timeZone}. In another time zone, the console’s figures can differ.`,
      ...wallets.map(writeWallet),
      ...(fees.totals.length === 0 ? [] : [writeFees()]),
      [
        "You receive this e-mail because you turned on the monthly report.",
        ...linkTo("settings#monthly-report", "Turn it off: "),
      ].join("\n"),
    ],
  };
}
