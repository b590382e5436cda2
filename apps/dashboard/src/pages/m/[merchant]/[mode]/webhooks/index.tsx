import {
  defaultEventNames,
  hasRight,
  type Receiver,
  receiverListResponseSchema,
  receiverSecretResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { requiredFields } from "#server/forms.ts";
import { translateCause } from "#texts/likely-cause.ts";
import { Button, ConfirmedForm, Field } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Badge, Card, Empty, Slashes, Table, Time } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";
import { EventChoice, getEndpointStatus } from "#views/webhooks.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { receivers: Receiver[] };

export default function WebhooksPage({ receivers }: Props): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  return (
    <Frame
      title={t("nav.webhooks")}
      tools={
        <a className="button quiet" href={to("webhooks", "deliveries")} data-testid="all-deliveries">
          {t("webhooks.allDeliveries")}
        </a>
      }
    >
      {hasRight(merchant.role, "webhooks.change") ? (
        <ConfirmedForm
          label={t("webhooks.add")}
          open={receivers.length === 0}
          testId="add-endpoint"
          action="add"
        >
          <Field
            name="address"
            type="url"
            label={t("webhooks.address")}
            hint={t("webhooks.addressHint")}
            inputMode="url"
          />
          <EventChoice chosen={defaultEventNames} />
          <Button>{t("webhooks.add")}</Button>
        </ConfirmedForm>
      ) : null}
      {receivers.length === 0 ? (
        <Empty title={t("webhooks.none")}>
          <p>{t("webhooks.noneText")}</p>
        </Empty>
      ) : (
        <Card>
          <Table
            caption={t("nav.webhooks")}
            rows={receivers}
            keyOf={({ receiver_id }) => receiver_id}
            columns={[
              {
                title: t("webhooks.address"),
                cell: ({ receiver_id, address }) => (
                  <a href={to("webhooks", receiver_id)}>
                    <Slashes text={address} />
                  </a>
                ),
                wide: true,
              },
              { title: t("list.status"), cell: (receiver) => <Badge status={getEndpointStatus(receiver)} /> },
              { title: t("webhooks.events"), cell: ({ events }) => events.length, number: true },
              {
                title: t("webhooks.lastSuccess"),
                cell: ({ last_success_at: at }) => (at === null ? t("list.never") : <Time at={at} />),
              },
              {
                title: t("webhooks.cause"),
                cell: ({ likely_cause }) => (likely_cause === null ? "–" : translateCause(t, likely_cause)),
                words: true,
              },
            ]}
          />
        </Card>
      )}
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: ({ read, apiPath }) => read(apiPath("receivers"), receiverListResponseSchema),
  actions: {
    add: async ({ change, apiPath, consolePath }, form) => {
      const fields = { ...requiredFields(form, "address"), events: form.getAll("events") };
      const { secret, receiver_id } = await change(
        apiPath("receivers"),
        receiverSecretResponseSchema,
        fields,
      );
      return {
        to: consolePath("webhooks", receiver_id),
        flash: { notice: { tone: "good", text: "webhooks.added" }, secret: { kind: "endpoint", secret } },
      };
    },
  },
});
