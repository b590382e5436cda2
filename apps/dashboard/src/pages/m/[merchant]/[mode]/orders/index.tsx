import {
  CONSOLE_ORDER_STATUSES,
  type ConsoleOrder,
  consoleOrderListResponseSchema,
  hasRight,
  paymentMethodSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { type ListProps, loadList, viewActions } from "#server/lists.ts";
import { textOfCase } from "#texts/texts.ts";
import { ListPage } from "#views/list-page.tsx";
import { Badge, Money, Time } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

export default function OrdersPage(props: ListProps<ConsoleOrder>): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  // The link is shown even if the whole remaining amount is pending approval; the order's page then has no refund form.
  const refundLink = ({ order_id, status }: ConsoleOrder) =>
    status === "PAID" || status === "PARTLY_REFUNDED" ? (
      <a
        href={`${to("orders", order_id)}?refund=1`}
        aria-label={t("order.refundOf", { order: order_id })}
        data-testid="refund-from-list"
      >
        {t("order.refund")}
      </a>
    ) : null;
  return (
    <ListPage
      {...props}
      name="orders"
      statuses={CONSOLE_ORDER_STATUSES}
      methods={paymentMethodSchema.options}
      keyOf={({ order_id }) => order_id}
      {...(hasRight(merchant.role, "refunds.create") ? { act: refundLink } : {})}
      columns={[
        {
          name: "order_id",
          title: t("order.order"),
          cell: ({ order_id, order_number, reference }) => (
            <a href={to("orders", order_id)}>{order_number ?? reference ?? order_id}</a>
          ),
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
          name: "payment_method",
          title: t("filter.method"),
          cell: ({ payment_method }) => textOfCase(t, "method", payment_method),
          words: true,
          usual: true,
        },
        {
          name: "created_at",
          title: t("list.created"),
          cell: ({ created_at }) => <Time at={created_at} />,
          usual: true,
        },
        {
          name: "paid_at",
          title: t("order.paidAt"),
          cell: ({ paid_at }) => (paid_at ? <Time at={paid_at} /> : "–"),
        },
        { name: "expires_at", title: t("order.expires"), cell: ({ expires_at }) => <Time at={expires_at} /> },
        {
          name: "refunded_amount",
          with: ["currency"],
          title: t("order.refunded"),
          cell: ({ refunded }) => <Money money={refunded} />,
          number: true,
        },
        { name: "order_number", title: t("order.number"), cell: ({ order_number }) => order_number ?? "–" },
        { name: "reference", title: t("order.reference"), cell: ({ reference }) => reference ?? "–" },
        { name: "description", title: t("order.description"), cell: ({ description }) => description ?? "–" },
        { name: "terminal_id", title: t("order.terminal"), cell: ({ terminal_id }) => terminal_id ?? "–" },
        { name: "trx_id", title: t("order.trx"), cell: ({ trx_id }) => trx_id ?? "–" },
      ]}
    />
  );
}

export const getServerSideProps = consolePage<ListProps<ConsoleOrder>>({
  load: (request) => loadList(request, "orders", consoleOrderListResponseSchema),
  actions: viewActions("orders"),
});
