import { consoleEventResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { consolePage } from "#server/console-page.ts";
import { Frame } from "#views/frame.tsx";
import { Card, Facts, Time } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";
import { DeliveryTable, EventBody } from "#views/webhooks.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { event: z.infer<typeof consoleEventResponseSchema>["data"] };

export default function EventPage({ event }: Props): ReactNode {
  const { t, to } = useMerchantPage();
  return (
    <Frame title={event.event} back={{ href: to("webhooks"), text: t("nav.webhooks") }}>
      <Card>
        <Facts
          rows={[
            [t("delivery.event"), <code key="id">{event.id}</code>],
            [t("order.order"), event.order_id && <a href={to("orders", event.order_id)}>{event.order_id}</a>],
            [t("list.created"), <Time key="at" at={event.created_at} exact />],
          ]}
        />
      </Card>
      <Card title={t("webhooks.deliveries")}>
        <DeliveryTable deliveries={event.deliveries} />
      </Card>
      <EventBody body={event.body} />
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath, part }) => ({
    event: await read(apiPath("events", part("id")), consoleEventResponseSchema),
  }),
});
