import {
  eventNames,
  type missedEventsResponseSchema,
  type Receiver,
  type ReceiverDelivery,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { NoResults } from "./empty-list";
import { Button, Confirmation, Form } from "./form";
import { Badge, Card, Code, Empty, Table, Time } from "./parts";
import { useMerchantPage, usePage } from "./use-page";

/** Returns the status to show: `failing` for an active endpoint whose latest attempt failed, otherwise the endpoint's state. */
export const getEndpointStatus = ({ state, failures_in_row }: Receiver): string =>
  state === "active" && failures_in_row > 0 ? "failing" : state;

type Props = {
  deliveries: readonly ReceiverDelivery[];
  addresses?: boolean;
};

export function DeliveryTable({ deliveries, addresses = false }: Props): ReactNode {
  const { page, t, to } = useMerchantPage();
  if (deliveries.length === 0) {
    const [path = "", query] = page.path.split("?");
    const parameters = new URLSearchParams(query);
    if (parameters.has("before")) return <Empty title={t("list.noneFurther")} />;
    return <NoResults filtered={parameters.has("status")} none="webhooks.noDeliveries" path={path} />;
  }
  return (
    <Table
      caption={t("webhooks.deliveries")}
      rows={deliveries}
      keyOf={({ delivery_id }) => delivery_id}
      columns={[
        {
          title: t("delivery.event"),
          cell: ({ delivery_id, event }) => <a href={to("webhooks", "deliveries", delivery_id)}>{event}</a>,
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

export function EventBody({ body }: { body: string }): ReactNode {
  const { t } = usePage();
  return (
    <Card title={t("delivery.body")}>
      <Code id="event-body" text={formatJson(body)} />
    </Card>
  );
}

/** Formats JSON. Any other text is returned unchanged. */
function formatJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

export function EventChoice({ chosen }: { chosen: readonly string[] }): ReactNode {
  const { t } = usePage();
  return (
    <fieldset className="checks">
      <legend>{t("webhooks.events")}</legend>
      {eventNames.map((name) => (
        <label key={name}>
          <input type="checkbox" name="events" value={name} defaultChecked={chosen.includes(name)} /> {name}
        </label>
      ))}
    </fieldset>
  );
}

export type Missed = z.infer<typeof missedEventsResponseSchema>["data"];

/** Renders the form that backfills missed events: those never sent to the endpoint, such as older events, and those whose deliveries failed. */
export function MissedEvents({ missed, active }: { missed: Missed; active: boolean }): ReactNode {
  const { t, f } = usePage();
  const { never_sent, given_up, first, last, more } = missed;
  if (first === null || last === null) return <p data-testid="missed">{t("missed.nothing")}</p>;
  const count = `${f.number(never_sent + given_up)}${more ? "+" : ""}`;
  return (
    <Confirmation label={t("missed.title", { count })} open testId="missed">
      <Form action="missed">
        <p>{t("missed.text", { never: never_sent, givenUp: given_up })}</p>
        <p className="soft">{t("missed.between", { first: f.time(first), last: f.time(last) })}</p>
        <input type="hidden" name="from" value={first} />
        <input type="hidden" name="to" value={last} />
        {active ? (
          <Button testId="send-missed">{t("missed.button")}</Button>
        ) : (
          <p className="box note">{t("apiError.receiver_inactive")}</p>
        )}
      </Form>
    </Confirmation>
  );
}
