import { addDays, type FeeStatement, feeStatementResponseSchema, toLocalDay } from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { zoneText } from "#texts/formats.ts";
import { Frame } from "#views/frame.tsx";
import { Card, Facts, Money } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { statement: FeeStatement };

export default function FeeStatementPage({ statement }: Props): ReactNode {
  const { t, f, merchant, to: pathTo } = useMerchantPage();
  const { number, month, time_zone: timeZone, starts_at, ends_at, closed, totals } = statement;
  const [first, end] = [starts_at, ends_at].map((at) => toLocalDay(new Date(at), timeZone));
  return (
    <Frame
      title={t("fees.statement", { month: f.month(month) })}
      back={{ href: pathTo("reports", "fees"), text: t("fees.title") }}
      tools={
        <button type="button" className="button main with-script" data-print="">
          {t("statement.print")}
        </button>
      }
    >
      <div className="statement">
        <Card testId="fee-statement">
          <Facts
            rows={[
              [t("fees.number"), number],
              [t("statement.merchant"), merchant.name],
              [t("frame.mode"), t(`mode.${merchant.mode}`)],
              [
                t("statement.days", { zone: zoneText(timeZone) }),
                first && end ? `${f.date(first)} – ${f.date(addDays(end, -1))}` : null,
              ],
              [t("reports.state"), t(closed ? "fees.final" : "fees.notFinal")],
              ...totals.map(
                ({ currency, fees }) =>
                  [
                    t("fees.in", { currency }),
                    <Money key={currency} money={{ amount: fees, currency }} />,
                  ] as const,
              ),
            ]}
          />
          <p className="soft">{t(totals.length === 0 ? "fees.noneInMonth" : "fees.explained")}</p>
        </Card>
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  right: "reports.view",
  load: async ({ read, apiPath, part }) => ({
    statement: await read(apiPath("reports", "fees", part("month")), feeStatementResponseSchema),
  }),
});
