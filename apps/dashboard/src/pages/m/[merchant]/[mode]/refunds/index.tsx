import { type ConsoleRefund, consoleRefundListAnswerSchema, refundStatusSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "../../../../../page/console-page";
import { type ListProps, loadList } from "../../../../../page/load-list";
import { placePath } from "../../../../../place-path";
import { ListPage } from "../../../../../views/list-page";
import { Badge, Money, Time } from "../../../../../views/parts";
import { usePage } from "../../../../../views/use-page";

export const config = { unstable_runtimeJS: false };

export default function RefundsPage(props: ListProps<ConsoleRefund>): ReactNode {
  const { page, t } = usePage();
  const { place } = page;
  if (place === null) return null;
  const to = (...parts: string[]) => placePath(place.merchantId, place.mode, ...parts);
  return (
    <ListPage
      {...props}
      name="refunds"
      statuses={refundStatusSchema.options}
      keyOf={({ refund_id }) => refund_id}
      columns={[
        {
          title: t("refund.refund"),
          cell: ({ refund_id }) => <a href={to("refunds", refund_id)}>{refund_id}</a>,
        },
        { title: t("list.amount"), cell: ({ money }) => <Money money={money} />, number: true },
        { title: t("list.status"), cell: ({ status }) => <Badge status={status} /> },
        { title: t("order.order"), cell: ({ order_id }) => <a href={to("orders", order_id)}>{order_id}</a> },
        { title: t("order.reason"), cell: ({ reason }) => reason ?? "–" },
        { title: t("list.created"), cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  );
}

export const getServerSideProps = consolePage<ListProps<ConsoleRefund>>({
  load: (request) => loadList(request, "refunds", consoleRefundListAnswerSchema),
});
