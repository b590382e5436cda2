import {
  deliveryListResponseSchema,
  hasRight,
  missedEventsResponseSchema,
  type Receiver,
  type ReceiverDelivery,
  receiverResponseSchema,
  receiverSecretResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { rejectField, requiredFields } from "#server/forms.ts";
import { type Action, done } from "#server/request.ts";
import {
  loadReplays,
  REPLAY_ACTIONS,
  resendDefaults,
  resendRange,
  sendMissed,
  testEndpoint,
} from "#server/webhooks.ts";
import { translateCause } from "#texts/likely-cause.ts";
import { LiveTools } from "#views/following.tsx";
import { Button, Confirmation, ConfirmedForm, Field, Form, SecondFactorField } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Badge, Card, Code, EndTime, Facts, Pages, Time } from "#views/parts.tsx";
import { RECEIVER_LINES } from "#views/receiver-lines.ts";
import { type Replays, ReplaysCard, type Resend, ResendRange } from "#views/replays.tsx";
import { useMerchantPage, usePage } from "#views/use-page.tsx";
import {
  DeliveryTable,
  EventChoice,
  getEndpointStatus,
  type Missed,
  MissedEvents,
} from "#views/webhooks.tsx";

export const config = { unstable_runtimeJS: false };

const STEPS = ["pause", "resume", "enable", "remove"] as const;

type Props = {
  receiver: Receiver;
  deliveries: ReceiverDelivery[];
  next: string | null;
  failed: boolean;
  newest: boolean;
  resend: Resend;
  /** Missed events; null unless requested, because counting missed events reads every stored event. */
  missed: Missed | null;
  replays: Replays;
};

export default function EndpointPage(props: Props): ReactNode {
  const { receiver, deliveries, next, failed, newest, resend, missed, replays } = props;
  const { page, t, merchant, to } = useMerchantPage();
  const { secret } = page;
  const basePath = to("webhooks", receiver.receiver_id);
  const changes = hasRight(merchant.role, "webhooks.change");
  return (
    <Frame
      title={receiver.address}
      back={{ href: to("webhooks"), text: t("nav.webhooks") }}
      tools={<Badge status={getEndpointStatus(receiver)} />}
    >
      {secret?.kind === "endpoint" ? (
        <Card title={t("webhooks.secret")} testId="secret">
          <p>{t("secret.once")}</p>
          <Code id="endpoint-secret" text={secret.secret} label={t("webhooks.signingSecret")} />
          <details>
            <summary>{t("webhooks.receiver")}</summary>
            <Code id="receiver-lines" text={RECEIVER_LINES} />
          </details>
        </Card>
      ) : null}
      <Card>
        <Facts
          rows={[
            [t("webhooks.cause"), receiver.likely_cause && translateCause(t, receiver.likely_cause)],
            [t("webhooks.failuresInRow"), receiver.failures_in_row > 0 ? receiver.failures_in_row : null],
            [t("webhooks.verified"), receiver.verified_at && <Time at={receiver.verified_at} />],
            [t("webhooks.lastSuccess"), receiver.last_success_at && <Time at={receiver.last_success_at} />],
            [t("webhooks.lastFailure"), receiver.last_failure_at && <Time at={receiver.last_failure_at} />],
            [
              t("webhooks.oldSecretUntil"),
              receiver.previous_secret_expires_at && <EndTime at={receiver.previous_secret_expires_at} />,
            ],
            [t("webhooks.events"), receiver.events.join(", ")],
            [t("list.created"), <Time key="created" at={receiver.created_at} />],
          ]}
        />
        {changes ? <EndpointTools receiver={receiver} /> : null}
      </Card>
      <ReplaysCard
        of={replays}
        may={hasRight(merchant.role, "webhooks.resend")}
        active={receiver.state !== "disabled"}
      />
      <Card
        title={t("webhooks.deliveries")}
        tools={
          <nav className="modes" aria-label={t("webhooks.deliveries")}>
            <a href={basePath} aria-current={failed ? undefined : "true"}>
              {t("list.all")}
            </a>
            <a href={`${basePath}?status=failed`} aria-current={failed ? "true" : undefined}>
              {t("webhooks.onlyFailed")}
            </a>
          </nav>
        }
      >
        <div className="tools">
          {newest ? <LiveTools /> : null}
          {hasRight(merchant.role, "webhooks.resend") ? (
            <>
              <ResendRange resend={resend} />
              {missed === null ? (
                <a className="button quiet" href={`${basePath}?missed=1`} data-testid="count-missed">
                  {t("missed.count")}
                </a>
              ) : (
                <MissedEvents missed={missed} active={receiver.state !== "disabled"} />
              )}
            </>
          ) : null}
        </div>
        <div data-live="">
          <DeliveryTable deliveries={deliveries} />
          <Pages next={next} />
        </div>
      </Card>
    </Frame>
  );
}

function EndpointTools({ receiver }: { receiver: Receiver }): ReactNode {
  const { t } = usePage();
  const [step, stepText] =
    receiver.state === "active"
      ? (["pause", "webhooks.pause"] as const)
      : receiver.state === "paused"
        ? (["resume", "webhooks.resume"] as const)
        : (["enable", "webhooks.enable"] as const);
  return (
    <div className="tools">
      <Form action="test" className="inline">
        <Button testId="test-endpoint">{t("webhooks.test")}</Button>
      </Form>
      <Form action={step} className="inline">
        <Button kind="quiet">{t(stepText)}</Button>
      </Form>
      <ConfirmedForm label={t("list.change")} action="change">
        <Field name="address" type="url" label={t("webhooks.address")} value={receiver.address} />
        <EventChoice chosen={receiver.events} />
        <Button>{t("form.save")}</Button>
      </ConfirmedForm>
      <ConfirmedForm label={t("webhooks.rotate")} testId="rotate" action="rotate">
        <p>{t("webhooks.rotateText")}</p>
        <SecondFactorField />
        <Button>{t("webhooks.rotate")}</Button>
      </ConfirmedForm>
      <Confirmation label={t("webhooks.remove")} danger>
        <Form action="remove">
          <p>{t("webhooks.removeText")}</p>
          <Button kind="danger">{t("webhooks.remove")}</Button>
        </Form>
      </Confirmation>
    </div>
  );
}

const stepAction =
  (step: (typeof STEPS)[number]): Action =>
  async ({ change, apiPath, consolePath, part }) => {
    await change(apiPath("receivers", part("id"), step), receiverResponseSchema);
    return done(
      step === "remove" ? consolePath("webhooks") : consolePath("webhooks", part("id")),
      `webhooks.done.${step}`,
    );
  };

export const getServerSideProps = consolePage<Props>({
  load: async (request) => {
    const { read, apiPath, part, query } = request;
    const status = query("status") === "failed" ? "failed" : undefined;
    const [receiver, { deliveries, next }, replays] = await Promise.all([
      read(apiPath("receivers", part("id")), receiverResponseSchema),
      read(apiPath("receivers", part("id"), "deliveries"), deliveryListResponseSchema, {
        status,
        before: query("before"),
      }),
      loadReplays(request),
    ]);
    const [failed, newest] = [status === "failed", query("before") === undefined];
    const missed =
      query("missed") === "1"
        ? await read(apiPath("receivers", part("id"), "missed"), missedEventsResponseSchema)
        : null;
    return {
      receiver,
      deliveries,
      next,
      failed,
      newest,
      resend: resendDefaults(request),
      missed,
      replays,
    };
  },
  actions: {
    resend: resendRange({
      path: ({ apiPath, part }) => apiPath("receivers", part("id"), "resend"),
      page: ({ consolePath, part }) => consolePath("webhooks", part("id")),
    }),
    missed: sendMissed,
    ...REPLAY_ACTIONS,
    test: async (request) => {
      const id = request.part("id");
      const { notice } = await testEndpoint(request, id);
      return { to: request.consolePath("webhooks", id), flash: { notice } };
    },
    change: async ({ change, apiPath, consolePath, part }, form) => {
      const events = form.getAll("events");
      if (events.length === 0) rejectField("events", "error.choose");
      const fields = { ...requiredFields(form, "address"), events };
      await change(apiPath("receivers", part("id")), receiverResponseSchema, fields);
      return done(consolePath("webhooks", part("id")), "form.saved");
    },
    rotate: async ({ change, apiPath, consolePath, part }) => {
      const path = apiPath("receivers", part("id"), "rotate-secret");
      const { secret } = await change(path, receiverSecretResponseSchema);
      return { to: consolePath("webhooks", part("id")), flash: { secret: { kind: "endpoint", secret } } };
    },
    ...Object.fromEntries(STEPS.map((step) => [step, stepAction(step)])),
  },
});
