import { type ConsoleFeeMonths, consoleFeeMonthsResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { Frame } from "#views/frame.tsx";
import { Card, Empty, Money, Pages, Table } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

export default function FeeMonthsPage({ months, next }: ConsoleFeeMonths): ReactNode {
  const { t, f, to: pathTo } = useMerchantPage();
  const rows = months.flatMap(({ totals, ...month }) => totals.map((total) => ({ ...month, ...total })));
  return (
    <Frame title={t("fees.title")} back={{ href: pathTo("reports"), text: t("nav.reports") }}>
      {rows.length === 0 ? (
        <Empty title={t(next === null ? "fees.none" : "fees.noneInYear")} />
      ) : (
        <Card>
          <Table
            caption={t("fees.title")}
            rows={rows}
            keyOf={({ number, currency }) => `${number} ${currency}`}
            columns={[
              {
                title: t("reports.month"),
                cell: ({ month }) => <a href={pathTo("reports", "fees", month)}>{f.month(month)}</a>,
                words: true,
              },
              { title: t("fees.number"), cell: ({ number }) => number },
              {
                title: t("reports.fees"),
                cell: ({ fees, currency }) => <Money money={{ amount: fees, currency }} />,
                number: true,
              },
            ]}
          />
        </Card>
      )}
      <Pages next={next} />
    </Frame>
  );
}

export const getServerSideProps = consolePage<ConsoleFeeMonths>({
  right: "reports.view",
  load: ({ read, apiPath, query }) =>
    read(apiPath("reports", "fees"), consoleFeeMonthsResponseSchema, { before: query("before") }),
});
