import {
  consoleEventResponseSchema,
  type DeliveryAttempt,
  deliveryResponseSchema,
  hasRight,
  type ReceiverDelivery,
  resendResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { ApiError } from "#internal-api.ts";
import { consolePage } from "#server/console-page.ts";
import { done } from "#server/request.ts";
import { translateCause } from "#texts/likely-cause.ts";
import { Button, Form } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Badge, Card, Code, Facts, Time } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";
import { EventBody } from "#views/webhooks.tsx";

export const config = { unstable_runtimeJS: false };

type Props = {
  delivery: ReceiverDelivery & { history: DeliveryAttempt[] };
  event: { body: string; order_id: string | null } | null;
};

export default function DeliveryPage({ delivery, event }: Props): ReactNode {
  const { t, f, merchant, to } = useMerchantPage();
  return (
    <Frame
      title={delivery.event}
      back={
        delivery.receiver_id === null
          ? { href: to("webhooks"), text: t("nav.webhooks") }
          : { href: to("webhooks", delivery.receiver_id), text: delivery.address }
      }
      tools={<Badge status={delivery.status} />}
    >
      <Card>
        <Facts
          rows={[
            [t("webhooks.address"), delivery.address],
            [
              t("delivery.event"),
              event ? (
                <a key="event" href={to("webhooks", "events", delivery.event_id)}>
                  <code>{delivery.event_id}</code>
                </a>
              ) : (
                <code key="event">{delivery.event_id}</code>
              ),
            ],
            [
              t("order.order"),
              event?.order_id && (
                <a href={to("orders", event.order_id)}>
                  <code>{event.order_id}</code>
                </a>
              ),
            ],
            [t("list.created"), <Time key="at" at={delivery.created_at} />],
            [
              t("delivery.nextAttempt"),
              delivery.next_attempt_at && <Time at={delivery.next_attempt_at} exact />,
            ],
            [
              t("delivery.failureReason"),
              delivery.given_up_because && t(`delivery.reason.${delivery.given_up_because}`),
            ],
          ]}
        />
        {hasRight(merchant.role, "webhooks.resend") ? (
          <Form action="resend" className="inline">
            <Button kind="quiet" testId="resend">
              {t("delivery.resend")}
            </Button>
          </Form>
        ) : null}
      </Card>
      <Card title={t("delivery.attempts")}>
        {delivery.history.length === 0 ? <p className="soft">{t("delivery.noAttempts")}</p> : null}
        <ol className="timeline">
          {delivery.history.map((attempt) => (
            <li key={attempt.number}>
              <p>
                <strong>
                  {attempt.http_status === null
                    ? attempt.error
                    : t("delivery.response", { status: attempt.http_status })}
                </strong>{" "}
                <span className="soft">
                  <Time at={attempt.started_at} exact /> · {f.number(attempt.latency_ms)} ms
                </span>
              </p>
              {attempt.likely_cause ? <p>{translateCause(t, attempt.likely_cause)}</p> : null}
              {attempt.answer_start ? (
                <Code
                  id={`answer-${attempt.number}`}
                  text={attempt.answer_start}
                  label={t("delivery.responseBody")}
                />
              ) : null}
            </li>
          ))}
        </ol>
      </Card>
      {event ? <EventBody body={event.body} /> : null}
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath, part }) => {
    const delivery = await read(apiPath("deliveries", part("id")), deliveryResponseSchema);
    const event = await read(apiPath("events", delivery.event_id), consoleEventResponseSchema).catch(
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      },
    );
    return { delivery, event };
  },
  actions: {
    resend: async ({ change, apiPath, consolePath, part }) => {
      const path = apiPath("deliveries", part("id"), "resend");
      const { delivery_id, already_waiting } = await change(path, resendResponseSchema);
      const text = already_waiting ? "delivery.alreadyQueued" : "delivery.resent";
      return done(consolePath("webhooks", "deliveries", delivery_id), text);
    },
  },
});
