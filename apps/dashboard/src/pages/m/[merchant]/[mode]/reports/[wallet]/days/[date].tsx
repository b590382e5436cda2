import {
  addDays,
  type ReportDay,
  type ReportEntry,
  reportDayResponseSchema,
  toLocalDay,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { Frame } from "#views/frame.tsx";
import { Card, type Column, Empty, Money, Pages, Table } from "#views/parts.tsx";
import { PeriodTotals, useWalletNames } from "#views/reports.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { day: ReportDay; today: string };

export default function ReportDayPage({ day, today }: Props): ReactNode {
  const { t, f, to: pathTo } = useMerchantPage();
  const nameOf = useWalletNames();
  const { wallet, currency, date } = day;
  const columns = useEntryColumns(currency);
  const month = date.slice(0, "2026-11".length);
  const pathOfDay = (offset: number) => pathTo("reports", wallet, "days", addDays(date, offset));
  const title = `${nameOf(wallet)} · ${f.date(date)}`;
  return (
    <Frame
      title={title}
      back={{ href: pathTo("reports", wallet, "months", month), text: f.month(month) }}
      tools={
        <>
          <a className="button quiet" href={pathOfDay(-1)}>
            ← {t("reports.previous")}
          </a>
          {date < today ? (
            <a className="button quiet" href={pathOfDay(1)}>
              {t("reports.next")} →
            </a>
          ) : null}
        </>
      }
    >
      <PeriodTotals
        totals={day}
        wallet={wallet}
        currency={currency}
        from={date}
        to={date}
        closed={day.closed}
      />
      {day.entries.length === 0 ? (
        <Empty title={t("reports.empty")} />
      ) : (
        <Card>
          <Table caption={title} rows={day.entries} keyOf={({ entry_id }) => entry_id} columns={columns} />
        </Card>
      )}
      <Pages next={day.next_cursor} sorted />
    </Frame>
  );
}

function useEntryColumns(currency: string): Column<ReportEntry>[] {
  const { t, f, to: pathTo } = useMerchantPage();
  const findLink = ({ order_id, refund_id, payout_id }: ReportEntry): string | null => {
    if (payout_id) return pathTo("payouts", payout_id);
    if (refund_id) return pathTo("refunds", refund_id);
    return order_id ? pathTo("orders", order_id) : null;
  };
  const money = (name: "gross" | "fee" | "net" | "balance") => (entry: ReportEntry) => (
    <Money money={{ amount: entry[name], currency }} sign={name === "gross" || name === "net"} />
  );
  return [
    {
      title: t("statement.what"),
      cell(entry) {
        const link = findLink(entry);
        const text = t(`reports.type.${entry.type}`);
        return link === null ? text : <a href={link}>{text}</a>;
      },
      words: true,
    },
    {
      title: t("order.reference"),
      cell: ({ reference, order_number, order_id }) => reference ?? order_number ?? order_id ?? "–",
    },
    {
      title: t("list.created"),
      cell: ({ created_at }) => <time dateTime={created_at}>{f.clock(created_at)}</time>,
    },
    { title: t("reports.gross"), cell: money("gross"), number: true },
    { title: t("reports.fee"), cell: money("fee"), number: true },
    { title: t("reports.net"), cell: money("net"), number: true },
    { title: t("statement.balance"), cell: money("balance"), number: true },
  ];
}

export const getServerSideProps = consolePage<Props>({
  right: "reports.view",
  load: async ({ read, caller, apiPath, part, query }) => {
    const path = apiPath("reports", part("wallet"), "days", part("date"));
    const today = toLocalDay(new Date(), caller.timeZone);
    return { day: await read(path, reportDayResponseSchema, { cursor: query("before") }), today };
  },
});
