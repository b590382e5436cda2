import { consoleReportMonthResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { consolePage } from "#server/console-page.ts";
import { Frame } from "#views/frame.tsx";
import { Card, Empty, Table } from "#views/parts.tsx";
import { PeriodTotals, usePeriodColumns, useWalletNames } from "#views/reports.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Month = z.infer<typeof consoleReportMonthResponseSchema>["data"];
type Props = Month & { wallet: string; month: string };

export default function ReportMonthPage({ wallet, month, currency, total, days }: Props): ReactNode {
  const { t, f, to: pathTo } = useMerchantPage();
  const nameOf = useWalletNames();
  const columns = usePeriodColumns(currency, t("reports.day"), ({ period }) => (
    <a href={pathTo("reports", wallet, "days", period)}>{f.date(period)}</a>
  ));
  const title = `${nameOf(wallet)} · ${f.month(month)}`;
  const last = days.at(-1)?.period;
  const busy = days.filter(({ entry_count }) => entry_count > 0);
  return (
    <Frame
      title={title}
      back={{
        href: `${pathTo("reports")}?${new URLSearchParams({ wallet })}`,
        text: t("nav.reports"),
      }}
    >
      {last === undefined ? (
        <Empty title={t("reports.future")} />
      ) : (
        <>
          <PeriodTotals totals={total} wallet={wallet} currency={currency} from={`${month}-01`} to={last} />
          {busy.length === 0 ? (
            <Empty title={t("reports.emptyMonth")} />
          ) : (
            <Card>
              <Table caption={title} rows={busy} keyOf={({ period }) => period} columns={columns} />
              <p className="soft">{t("reports.busyDays")}</p>
            </Card>
          )}
        </>
      )}
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  right: "reports.view",
  load: async ({ read, apiPath, part }) => {
    const [wallet, month] = [part("wallet"), part("month")];
    const path = apiPath("reports", wallet, "months", month);
    return { wallet, month, ...(await read(path, consoleReportMonthResponseSchema)) };
  },
});
