import {
  type ConsoleOrder,
  consoleOrderListAnswerSchema,
  orderStatusSchema,
  paymentMethodSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "../../../../../page/console-page";
import { type ListProps, loadList } from "../../../../../page/load-list";
import { placePath } from "../../../../../place-path";
import { textOfCase } from "../../../../../texts/texts";
import { ListPage } from "../../../../../views/list-page";
import { Badge, Money, Time } from "../../../../../views/parts";
import { usePage } from "../../../../../views/use-page";

export const config = { unstable_runtimeJS: false };

export default function OrdersPage(props: ListProps<ConsoleOrder>): ReactNode {
  const { page, t } = usePage();
  const { place } = page;
  if (place === null) return null;
  return (
    <ListPage
      {...props}
      name="orders"
      statuses={orderStatusSchema.options}
      methods={paymentMethodSchema.options}
      keyOf={({ order_id }) => order_id}
      columns={[
        {
          title: t("order.order"),
          cell: ({ order_id, order_number, reference }) => (
            <a href={placePath(place.merchantId, place.mode, "orders", order_id)}>
              {order_number ?? reference ?? order_id}
            </a>
          ),
        },
        { title: t("list.amount"), cell: ({ money }) => <Money money={money} />, number: true },
        { title: t("list.status"), cell: ({ status }) => <Badge status={status} /> },
        { title: t("filter.method"), cell: ({ payment_method }) => textOfCase(t, "method", payment_method) },
        { title: t("list.created"), cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  );
}

export const getServerSideProps = consolePage<ListProps<ConsoleOrder>>({
  load: (request) => loadList(request, "orders", consoleOrderListAnswerSchema),
});
