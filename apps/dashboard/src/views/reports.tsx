import { type ConsoleReportPeriod, HELD_SUFFIX, type ReportTotals } from "@tillgate/contract";
import type { ReactNode } from "react";
import { zoneText } from "#texts/formats.ts";
import { Card, type Column, Facts, Money } from "./parts";
import { useMerchantPage, usePage } from "./use-page";
import { StatementDownloads } from "./wallets";

/** Returns the currency of a wallet for held funds; null for any other wallet. */
export const findHeldCurrency = (wallet: string): string | null =>
  wallet.endsWith(HELD_SUFFIX) ? wallet.slice(0, -HELD_SUFFIX.length) : null;

export function useWalletNames(): (wallet: string) => string {
  const { t } = usePage();
  return (wallet) => {
    const currency = findHeldCurrency(wallet);
    return currency === null ? wallet : t("reports.held", { currency });
  };
}

/** Returns the columns of a table of months or days. `renderPeriod` renders the first column: the month or day. */
export function usePeriodColumns(
  currency: string,
  title: string,
  renderPeriod: Column<ConsoleReportPeriod>["cell"],
): Column<ConsoleReportPeriod>[] {
  const { t, f } = usePage();
  const money = (name: keyof Omit<ReportTotals, "entry_count">) => (period: ConsoleReportPeriod) => (
    <Money money={{ amount: period[name], currency }} />
  );
  return [
    { title, cell: renderPeriod, words: true },
    { title: t("statement.opening"), cell: money("opening_balance"), number: true },
    { title: t("reports.credits"), cell: money("credits"), number: true },
    { title: t("reports.debits"), cell: money("debits"), number: true },
    { title: t("reports.fees"), cell: money("fees"), number: true },
    { title: t("statement.closing"), cell: money("closing_balance"), number: true },
    { title: t("statement.movements"), cell: ({ entry_count }) => f.number(entry_count), number: true },
  ];
}

type Props = {
  totals: ReportTotals;
  wallet: string;
  currency: string;
  from: string;
  to: string;
  /** Whether the day is final, so that no entry can be added; omitted for a month. */
  closed?: boolean;
};

export function PeriodTotals({ totals, wallet, currency, from, to, closed }: Props): ReactNode {
  const { page, t, f, to: pathTo } = useMerchantPage();
  const money = (amount: string) => <Money key="money" money={{ amount, currency }} />;
  const walletPath = pathTo("wallets", wallet);
  return (
    <>
      <Card testId="report-totals">
        <Facts
          rows={[
            [t("statement.opening"), money(totals.opening_balance)],
            [t("reports.credits"), money(totals.credits)],
            [t("reports.debits"), money(totals.debits)],
            [t("reports.fees"), money(totals.fees)],
            [t("statement.closing"), money(totals.closing_balance)],
            [t("statement.movements"), f.number(totals.entry_count)],
            [t("reports.zone"), zoneText(page.timeZone)],
            [
              t("reports.state"),
              closed === undefined ? null : t(closed ? "reports.final" : "reports.notFinal"),
            ],
          ]}
        />
        <p className="soft">{t("reports.sum")}</p>
      </Card>
      {totals.entry_count > 0 ? (
        <StatementDownloads path={walletPath}>
          <input type="hidden" name="from" value={from} />
          <input type="hidden" name="to" value={to} />
          <a className="button quiet" href={`${walletPath}/print?${new URLSearchParams({ from, to })}`}>
            {t("statement.print")}
          </a>
        </StatementDownloads>
      ) : null}
    </>
  );
}
