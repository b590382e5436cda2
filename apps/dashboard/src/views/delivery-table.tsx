import type { ReceiverDelivery } from "@tillgate/contract";
import type { ReactNode } from "react";
import { placePath } from "../place-path";
import { NoneFound } from "./empty-list";
import { Badge, Empty, Table, Time } from "./parts";
import { usePage } from "./use-page";

type Props = {
  deliveries: readonly ReceiverDelivery[];
  /** Whether they go to several addresses. */
  addresses?: boolean;
};

export function DeliveryTable({ deliveries, addresses = false }: Props): ReactNode {
  const { page, t } = usePage();
  const { place } = page;
  if (place === null) return null;
  if (deliveries.length === 0) {
    const [path = "", query] = page.path.split("?");
    const given = new URLSearchParams(query);
    if (given.has("before")) return <Empty title={t("list.noneFurther")} />;
    return <NoneFound filtered={given.has("status")} none="webhooks.noDeliveries" path={path} />;
  }
  return (
    <Table
      caption={t("webhooks.deliveries")}
      rows={deliveries}
      keyOf={({ delivery_id }) => delivery_id}
      columns={[
        {
          title: t("delivery.event"),
          cell: ({ delivery_id, event }) => (
            <a href={placePath(place.merchantId, place.mode, "webhooks", "deliveries", delivery_id)}>
              {event}
            </a>
          ),
        },
        ...(addresses
          ? [{ title: t("webhooks.address"), cell: ({ address }: ReceiverDelivery) => address }]
          : []),
        { title: t("list.status"), cell: ({ status }) => <Badge status={status} /> },
        { title: t("delivery.attempts"), cell: ({ attempts }) => attempts, number: true },
        { title: t("list.created"), cell: ({ created_at }) => <Time at={created_at} /> },
      ]}
    />
  );
}
