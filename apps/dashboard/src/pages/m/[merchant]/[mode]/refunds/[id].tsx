import {
  type ConsoleRefund,
  consoleRefundResponseSchema,
  consoleTimelineResponseSchema,
} from "@tillgate/contract";

import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { Frame } from "#views/frame.tsx";
import { Badge, Card, Facts, Money, Time } from "#views/parts.tsx";
import { Timeline, type TimelineProps } from "#views/timeline.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { refund: ConsoleRefund; timeline: TimelineProps };

export default function RefundPage({ refund, timeline }: Props): ReactNode {
  const { t, to } = useMerchantPage();
  return (
    <Frame
      title={t("refund.title", { id: refund.refund_id })}
      back={{ href: to("refunds"), text: t("nav.refunds") }}
      tools={<Badge status={refund.status} />}
    >
      <div className="columns">
        <Card>
          <p className="amount">
            <Money money={refund.money} />
          </p>
          <Facts
            rows={[
              [t("refund.received"), refund.received && <Money key="received" money={refund.received} />],
              [
                t("order.order"),
                <a key="order" href={to("orders", refund.order_id)}>
                  {refund.order_number ?? refund.order_reference ?? refund.order_id}
                </a>,
              ],
              [t("order.trx"), <code key="trx">{refund.transaction_id}</code>],
              [t("order.reason"), refund.reason],
              [t("order.reference"), refund.reference],
              [t("list.created"), <Time key="at" at={refund.created_at} />],
              [t("refund.settled"), refund.settled_at && <Time at={refund.settled_at} />],
            ]}
          />
        </Card>
        <Timeline {...timeline} of={refund.refund_id} />
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath, part }) => {
    const [refund, timeline] = await Promise.all([
      read(apiPath("refunds", part("id")), consoleRefundResponseSchema),
      read(apiPath("refunds", part("id"), "timeline"), consoleTimelineResponseSchema),
    ]);
    return { refund, timeline };
  },
});
