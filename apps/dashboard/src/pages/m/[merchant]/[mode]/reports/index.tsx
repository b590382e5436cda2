import {
  consoleReportMonthsResponseSchema,
  reportWalletsResponseSchema,
  toLocalDay,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { consolePage } from "#server/console-page.ts";
import { Frame } from "#views/frame.tsx";
import { Card, Empty, Pages, Table } from "#views/parts.tsx";
import { usePeriodColumns, useWalletNames } from "#views/reports.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Months = z.infer<typeof consoleReportMonthsResponseSchema>["data"];
/** `wallet` is the chosen wallet; a merchant without wallets has no months. */
type Props = { wallets: string[]; today: string } & ({ wallet: string; months: Months } | { months: null });

export default function ReportsPage(props: Props): ReactNode {
  const { t, to: pathTo } = useMerchantPage();
  const nameOf = useWalletNames();
  if (props.months === null)
    return (
      <Frame title={t("nav.reports")}>
        <Empty title={t("reports.none")}>
          <p>{t("reports.noneText")}</p>
        </Empty>
      </Frame>
    );
  return (
    <Frame
      title={t("nav.reports")}
      tools={
        <>
          <a className="button quiet" href={pathTo("reports", "fees")}>
            {t("fees.title")}
          </a>
          <a className="button quiet" href={pathTo("reports", "shops")}>
            {t("shops.title")}
          </a>
        </>
      }
    >
      <div>
        <nav className="modes" aria-label={t("reports.wallets")}>
          {props.wallets.map((wallet) => (
            <a
              key={wallet}
              href={`${pathTo("reports")}?${new URLSearchParams({ wallet })}`}
              aria-current={wallet === props.wallet ? "true" : undefined}
            >
              {nameOf(wallet)}
            </a>
          ))}
        </nav>
      </div>
      <MonthsCard wallet={props.wallet} months={props.months} today={props.today} />
      <Pages next={props.months.next} />
    </Frame>
  );
}

function MonthsCard({ wallet, months, today }: { wallet: string; months: Months; today: string }): ReactNode {
  const { t, f, to: pathTo } = useMerchantPage();
  const columns = usePeriodColumns(months.currency, t("reports.month"), ({ period }) => (
    <a href={pathTo("reports", wallet, "months", period)}>
      {today.startsWith(period) ? t("reports.toDate", { month: f.month(period) }) : f.month(period)}
    </a>
  ));
  return (
    <Card>
      <Table
        caption={t("nav.reports")}
        rows={months.months}
        keyOf={({ period }) => period}
        columns={columns}
      />
    </Card>
  );
}

export const getServerSideProps = consolePage<Props>({
  right: "reports.view",
  load: async ({ read, caller, apiPath, query }) => {
    const listed = await read(apiPath("reports"), reportWalletsResponseSchema);
    const wallets = listed.wallets.map(({ wallet }) => wallet);
    const today = toLocalDay(new Date(), caller.timeZone);
    const wallet = query("wallet") ?? wallets[0];
    if (wallet === undefined) return { wallets, today, months: null };
    const path = apiPath("reports", wallet, "months");
    const before = { before: query("before") };
    return {
      ...{ wallets, today, wallet },
      months: await read(path, consoleReportMonthsResponseSchema, before),
    };
  },
});
