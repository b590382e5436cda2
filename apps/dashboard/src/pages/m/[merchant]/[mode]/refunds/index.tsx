import { type ConsoleRefund, consoleRefundListResponseSchema, refundStatusSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { type ListProps, loadList, viewActions } from "#server/lists.ts";
import { ListPage } from "#views/list-page.tsx";
import { Badge, Money, Time } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

export default function RefundsPage(props: ListProps<ConsoleRefund>): ReactNode {
  const { t, to } = useMerchantPage();
  return (
    <ListPage
      {...props}
      name="refunds"
      statuses={refundStatusSchema.options}
      keyOf={({ refund_id }) => refund_id}
      columns={[
        {
          name: "refund_id",
          title: t("refund.refund"),
          cell: ({ refund_id }) => <a href={to("refunds", refund_id)}>{refund_id}</a>,
        },
        {
          name: "amount",
          with: ["currency"],
          title: t("list.amount"),
          cell: ({ money }) => <Money money={money} />,
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
          name: "order_id",
          title: t("order.order"),
          cell: ({ order_id, order_number, order_reference }) => (
            <a href={to("orders", order_id)}>{order_number ?? order_reference ?? order_id}</a>
          ),
          usual: true,
        },
        { name: "reason", title: t("order.reason"), cell: ({ reason }) => reason ?? "–", usual: true },
        {
          name: "created_at",
          title: t("list.created"),
          cell: ({ created_at }) => <Time at={created_at} />,
          usual: true,
        },
        {
          name: "settled_at",
          title: t("refund.settled"),
          cell: ({ settled_at }) => (settled_at ? <Time at={settled_at} /> : "–"),
        },
        {
          name: "order_reference",
          title: t("refund.orderReference"),
          cell: ({ order_reference }) => order_reference ?? "–",
        },
        { name: "order_number", title: t("order.number"), cell: ({ order_number }) => order_number ?? "–" },
        { name: "reference", title: t("order.reference"), cell: ({ reference }) => reference ?? "–" },
        { name: "transaction_id", title: t("order.trx"), cell: ({ transaction_id }) => transaction_id },
      ]}
    />
  );
}

export const getServerSideProps = consolePage<ListProps<ConsoleRefund>>({
  load: (request) => loadList(request, "refunds", consoleRefundListResponseSchema),
  actions: viewActions("refunds"),
});
