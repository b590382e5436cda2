import {
  type ConsolePayout,
  consolePayoutListResponseSchema,
  hasRight,
  payoutStatusSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { type ListProps, loadList, viewActions } from "#server/lists.ts";
import { ListPage } from "#views/list-page.tsx";
import { Badge, Money, Time } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

export default function PayoutsPage(props: ListProps<ConsolePayout>): ReactNode {
  const { t, f, merchant, to } = useMerchantPage();
  return (
    <ListPage
      {...props}
      name="payouts"
      statuses={payoutStatusSchema.options}
      keyOf={({ payout_id }) => payout_id}
      tools={
        <>
          <a className="button quiet" href={to("payouts", "batches")} data-testid="batches">
            {t("batch.byFile")}
          </a>
          {hasRight(merchant.role, "payouts.create") ? (
            <a className="button main" href={to("payouts", "new")} data-testid="new-payout">
              {t("payout.new")}
            </a>
          ) : null}
        </>
      }
      columns={[
        {
          name: "reference",
          title: t("order.reference"),
          cell: ({ payout_id, reference }) => <a href={to("payouts", payout_id)}>{reference}</a>,
        },
        {
          name: "total",
          with: ["currency"],
          title: t("payout.total"),
          cell: ({ total }) => <Money money={total} />,
          number: true,
          usual: true,
        },
        {
          name: "received_amount",
          with: ["received_currency"],
          title: t("payout.received"),
          cell: ({ received }) => <Money money={received} />,
          number: true,
          usual: true,
        },
        {
          name: "status",
          title: t("list.status"),
          cell: ({ status }) => <Badge status={status} />,
          usual: true,
        },
        {
          name: "created_at",
          title: t("list.created"),
          cell: ({ created_at }) => <Time at={created_at} />,
          usual: true,
        },
        {
          name: "processed_at",
          title: t("payout.processed"),
          cell: ({ processed_at }) => (processed_at ? <Time at={processed_at} /> : "–"),
        },
        {
          name: "amount",
          with: ["currency"],
          title: t("list.amount"),
          cell: ({ money }) => <Money money={money} />,
          number: true,
        },
        {
          name: "fee",
          with: ["currency"],
          title: t("payout.fee"),
          cell: ({ fee }) => <Money money={fee} />,
          number: true,
        },
        { name: "rate", title: t("payout.rate"), cell: ({ rate }) => f.decimal(rate), number: true },
        { name: "description", title: t("order.description"), cell: ({ description }) => description ?? "–" },
        { name: "trx_id", title: t("order.trx"), cell: ({ trx_id }) => trx_id ?? "–" },
        { name: "payout_id", title: t("payout.id"), cell: ({ payout_id }) => payout_id },
      ]}
    />
  );
}

export const getServerSideProps = consolePage<ListProps<ConsolePayout>>({
  load: (request) => loadList(request, "payouts", consolePayoutListResponseSchema),
  actions: viewActions("payouts"),
});
