import {
  consolePayoutResponseSchema,
  consoleTimelineResponseSchema,
  hasRight,
  lookupResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { consolePage } from "#server/console-page.ts";
import { toRecipient } from "#server/payouts.ts";
import { Button, ConfirmedForm, SecondFactorField } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Badge, Card, Facts, Money, Time } from "#views/parts.tsx";
import { Timeline, type TimelineProps } from "#views/timeline.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { payout: z.infer<typeof consolePayoutResponseSchema>["data"]; timeline: TimelineProps };

export default function PayoutPage({ payout, timeline }: Props): ReactNode {
  const { t, f, merchant, to } = useMerchantPage();
  const { name, email, phone } = payout.recipient;
  return (
    <Frame
      title={t("payout.title", { reference: payout.reference })}
      back={{ href: to("payouts"), text: t("nav.payouts") }}
      tools={<Badge status={payout.status} />}
    >
      <div className="columns">
        <Card>
          <p className="amount">
            <Money money={payout.money} />
          </p>
          {hasRight(merchant.role, "payouts.create") ? (
            <div className="tools">
              <ConfirmedForm label={t("payout.repeat")} testId="repeat" action="again">
                <p>{t("payout.repeatText")}</p>
                <SecondFactorField />
                <Button testId="repeat-now">{t("payout.repeatButton")}</Button>
              </ConfirmedForm>
            </div>
          ) : null}
          <Facts
            rows={[
              [t("payout.recipient"), [name, email, phone].filter(Boolean).join(" · ")],
              [t("payout.fee"), <Money key="fee" money={payout.fee} />],
              [t("payout.total"), <Money key="total" money={payout.total} />],
              [t("payout.received"), <Money key="received" money={payout.received} />],
              [
                t("payout.rate"),
                payout.received.currency === payout.money.currency ? null : f.decimal(payout.rate),
              ],
              [t("order.description"), payout.description],
              [t("payout.id"), <code key="id">{payout.payout_id}</code>],
              [t("order.trx"), payout.trx_id && <code>{payout.trx_id}</code>],
              [t("list.created"), <Time key="at" at={payout.created_at} />],
              [t("payout.processed"), payout.processed_at && <Time at={payout.processed_at} />],
            ]}
          />
        </Card>
        <Timeline {...timeline} of={payout.payout_id} trace={payout.trace_url} />
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath, part }) => {
    const [payout, timeline] = await Promise.all([
      read(apiPath("payouts", part("id")), consolePayoutResponseSchema),
      read(apiPath("payouts", part("id"), "timeline"), consoleTimelineResponseSchema),
    ]);
    return { payout, timeline };
  },
  actions: {
    again: async ({ read, change, apiPath, consolePath, part }) => {
      const path = apiPath("payouts", part("id"));
      const [{ money, received }, found] = await Promise.all([
        read(path, consolePayoutResponseSchema),
        change(apiPath("payouts", part("id"), "lookup"), lookupResponseSchema),
      ]);
      const secret = { ...toRecipient(found), again: { money, received: received.currency } };
      return { to: consolePath("payouts", "new"), flash: { secret } };
    },
  },
});
