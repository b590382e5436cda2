import type { Replay, ReplayPreview } from "@tillgate/contract";
import type { ReactNode } from "react";
import { zoneText } from "#texts/formats.ts";
import { Button, ConfirmedForm, Field, Form, Select } from "./form";
import { Badge, Card, Table, Time } from "./parts";
import { useMerchantPage, usePage } from "./use-page";

export type Resend = {
  /** Times in the user's zone, as `datetime-local` values. */
  from: string;
  to: string;
  what: "failed" | "all";
  /** Time of the first call for the range. Repeated calls send the same time, so that each delivery is resent only once. */
  asOf: string;
  /** Whether the previous call for this range reached its limit, so that the next one resends the rest. */
  isContinuation: boolean;
};

export function ResendRange({ resend }: { resend: Resend }): ReactNode {
  const { page, t } = usePage();
  const zone = { zone: zoneText(page.timeZone) };
  return (
    <ConfirmedForm
      label={t("resend.title")}
      open={resend.isContinuation}
      testId="resend-range"
      action="resend"
    >
      <p>{t("resend.text")}</p>
      <input type="hidden" name="as_of" value={resend.asOf} />
      <Field name="from" type="datetime-local" label={t("resend.from", zone)} value={resend.from} />
      <Field name="to" type="datetime-local" label={t("resend.to", zone)} value={resend.to} />
      <Select
        name="what"
        label={t("resend.what")}
        value={resend.what}
        choices={(["failed", "all"] as const).map((value) => ({ value, text: t(`resend.${value}`) }))}
      />
      <Button testId="resend-now">{t(resend.isContinuation ? "resend.continue" : "resend.button")}</Button>
    </ConfirmedForm>
  );
}

export type Replays = {
  replays: Replay[];
  /** Preview of the range; null unless requested. */
  preview: ReplayPreview | null;
  /** Range as `datetime-local` values; an empty `to` means now. */
  from: string;
  to: string;
  isInvalid: boolean;
  /** Idempotency key of the next replay. */
  key: string;
};

/** Renders an endpoint's replays and, if `may` is true, the form that resends the events of a range in order, after a preview. */
export function ReplaysCard({ of, may, active }: { of: Replays; may: boolean; active: boolean }): ReactNode {
  const { t } = usePage();
  if (!may && of.replays.length === 0) return null;
  return (
    <Card title={t("replay.title")} testId="replays">
      <p className="soft">{t("replay.text")}</p>
      {may ? <RangeForm of={of} /> : null}
      {may && of.preview !== null ? <Preview of={of} preview={of.preview} active={active} /> : null}
      {of.replays.length === 0 ? null : <ReplayTable replays={of.replays} may={may} />}
    </Card>
  );
}

function RangeForm({ of: { from, to, isInvalid } }: { of: Replays }): ReactNode {
  const { page, t } = usePage();
  const [path = ""] = page.path.split("?");
  const zone = { zone: zoneText(page.timeZone) };
  return (
    <form className="filters" method="get" action={path}>
      <label>
        <span>{t("resend.from", zone)}</span>
        <input
          type="datetime-local"
          name="replay_from"
          defaultValue={from}
          required
          aria-invalid={isInvalid ? "true" : undefined}
          aria-describedby={isInvalid ? "replay-invalid" : undefined}
        />
      </label>
      <label>
        <span>{t("replay.to", zone)}</span>
        <input type="datetime-local" name="replay_to" defaultValue={to} />
      </label>
      <button type="submit" className="button quiet" data-testid="preview-replay">
        {t("replay.preview")}
      </button>
      {isInvalid ? (
        <p className="error" id="replay-invalid">
          {t("replay.invalid")}
        </p>
      ) : null}
    </form>
  );
}

type PreviewProps = { of: Replays; preview: ReplayPreview; active: boolean };

function Preview({ of: { from, to, key }, preview, active }: PreviewProps): ReactNode {
  const { t, f } = usePage();
  const { total, more, by_event, first } = preview;
  if (total === 0) return <p data-testid="replay-preview">{t("replay.nothing")}</p>;
  return (
    <div className="box" data-testid="replay-preview">
      <p>
        <strong>{t("replay.would", { total })}</strong>{" "}
        {by_event.map(({ event, count }) => `${event} ${f.number(count)}`).join(", ")}
      </p>
      <p className="soft">{t("replay.first")}</p>
      <ol>
        {first.slice(0, 5).map(({ id, event, order_id, created_at }) => (
          <li key={id}>
            {event}
            {order_id === null ? null : ` ${order_id}`}, <Time at={created_at} />
          </li>
        ))}
      </ol>
      {more ? (
        <p className="box note">{t("rule.FewerEvents")}</p>
      ) : active ? (
        <Form action="replay">
          <input type="hidden" name="from" value={from} />
          <input type="hidden" name="to" value={to} />
          <input type="hidden" name="key" value={key} />
          <div className="checks">
            <label>
              <input type="checkbox" name="skip_failed" value="yes" /> {t("replay.skip")}
            </label>
          </div>
          <Button testId="start-replay">{t("replay.button", { total })}</Button>
        </Form>
      ) : (
        <p className="box note">{t("apiError.receiver_inactive")}</p>
      )}
    </div>
  );
}

function ReplayTable({ replays, may }: { replays: readonly Replay[]; may: boolean }): ReactNode {
  const { t, f, to } = useMerchantPage();
  return (
    <Table
      caption={t("replay.title")}
      rows={replays}
      keyOf={({ replay_id }) => replay_id}
      columns={[
        { title: t("list.created"), cell: ({ created_at }) => <Time at={created_at} /> },
        {
          title: t("list.status"),
          cell: ({ state, delivery_id }) => (
            <>
              <Badge status={state} />{" "}
              {state === "stopped" && delivery_id !== null ? (
                <a href={to("webhooks", "deliveries", delivery_id)}>{t("replay.stoppedBy")}</a>
              ) : null}
            </>
          ),
        },
        {
          title: t("replay.sent"),
          cell: ({ sent, failed, total }) =>
            t("replay.progress", { sent: f.number(sent), total: f.number(total), failed }),
        },
        {
          title: t("replay.range"),
          cell: ({ from, to }) => (
            <span>
              <Time at={from} /> – <Time at={to} />
            </span>
          ),
        },
        {
          title: t("list.actions"),
          cell: ({ replay_id, state }) =>
            may && (state === "running" || state === "stopped") ? (
              <div className="tools">
                {state === "stopped" ? <Step name="resume" replay={replay_id} /> : null}
                <Step name="cancel" replay={replay_id} />
              </div>
            ) : null,
        },
      ]}
    />
  );
}

function Step({ name, replay }: { name: "cancel" | "resume"; replay: string }): ReactNode {
  const { t } = usePage();
  return (
    <Form action={`replay_${name}`} className="inline">
      <input type="hidden" name="replay" value={replay} />
      <Button kind="quiet" testId={`${name}-replay`}>
        {t(name === "cancel" ? "replay.cancel" : "replay.resume")}
      </Button>
    </Form>
  );
}
