import {
  createTestControlRequestSchema,
  DEFAULT_DELAY_SECONDS,
  EXPIRABLE_KINDS,
  EXPIRY_MOMENTS,
  expireRequestSchema,
  expireResponseSchema,
  hasRight,
  isDelayed,
  MAX_CONTROL_COUNT,
  MAX_DELAY_SECONDS,
  SECONDS_BEFORE_EXPIRY,
  TEST_CONTROLS,
  type TestControl,
  testControlListResponseSchema,
  testControlResponseSchema,
  testControlsClearedResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { config as settings } from "#config.ts";
import { consolePage } from "#server/console-page.ts";
import { choiceField, parseWholeNumber, requiredField, textField } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { Button, Field, Form, Select } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Card, EndTime, Table } from "#views/parts.tsx";
import { useMerchantPage, usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { controls: TestControl[]; base: string };

/** Renders the forms that inject failures and expire resources on demand. Neither the console nor the API has these routes in live mode. */
export default function TestControlsPage({ controls, base }: Props): ReactNode {
  const { t, merchant } = useMerchantPage();
  const may = hasRight(merchant.role, "controls.change");
  return (
    <Frame title={t("nav.controls")}>
      <p>{t("controls.text")}</p>
      <p>
        {t("controls.payouts")}{" "}
        <a href={`${base}/docs/operations/decideTestPayout`}>{"POST /test/payouts/{payout_id}"}</a>
      </p>
      <Card title={t("controls.now")} testId="controls">
        {controls.length === 0 ? <p>{t("controls.none")}</p> : <Controls controls={controls} />}
        {may && controls.length > 0 ? (
          <Form action="clear">
            <p className="hint">{t("controls.clearText")}</p>
            <Button kind="danger" testId="clear-controls">
              {t("controls.clear")}
            </Button>
          </Form>
        ) : null}
      </Card>
      {may ? <AddControl /> : null}
      {may ? <ExpireNow /> : null}
    </Frame>
  );
}

function Controls({ controls }: Pick<Props, "controls">): ReactNode {
  const { t, f } = usePage();
  return (
    <Table
      caption={t("controls.now")}
      rows={controls}
      keyOf={({ control_id }) => control_id}
      columns={[
        { title: t("controls.control"), cell: ({ control }) => t(`control.${control}`), words: true },
        { title: t("controls.left"), cell: ({ left }) => f.number(left), number: true },
        {
          title: t("controls.holds"),
          cell: ({ control, seconds }) => (isDelayed(control) ? f.number(seconds) : "–"),
          number: true,
        },
        { title: t("controls.until"), cell: ({ expires_at }) => <EndTime at={expires_at} /> },
      ]}
    />
  );
}

function AddControl(): ReactNode {
  const { t } = usePage();
  return (
    <Card title={t("controls.order")}>
      <Form action="order">
        <Select
          name="control"
          label={t("controls.control")}
          choices={TEST_CONTROLS.map((control) => ({ value: control, text: t(`control.${control}`) }))}
        />
        <Field
          name="count"
          label={t("controls.count")}
          hint={t("controls.countHint", { most: MAX_CONTROL_COUNT })}
          inputMode="numeric"
          value="1"
        />
        <Field
          name="seconds"
          label={t("controls.seconds")}
          hint={t("controls.secondsHint", { most: MAX_DELAY_SECONDS, standard: DEFAULT_DELAY_SECONDS })}
          inputMode="numeric"
          optional
        />
        <Button>{t("controls.order")}</Button>
      </Form>
    </Card>
  );
}

function ExpireNow(): ReactNode {
  const { t } = usePage();
  return (
    <Card title={t("controls.time")}>
      <Form action="bring">
        <p className="hint">{t("controls.timeText")}</p>
        <Select
          name="kind"
          label={t("controls.kind")}
          choices={EXPIRABLE_KINDS.map((kind) => ({ value: kind, text: t(`ending.${kind}`) }))}
        />
        <Field name="id" label={t("controls.id")} hint={t("controls.idHint")} />
        <Select
          name="moment"
          label={t("controls.moment")}
          choices={EXPIRY_MOMENTS.map((moment) => ({
            value: moment,
            text: t(`moment.${moment}`, { seconds: SECONDS_BEFORE_EXPIRY }),
          }))}
        />
        <Button>{t("controls.expireNow")}</Button>
      </Form>
    </Card>
  );
}

const PAGE = "test-controls";

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath, part }) =>
    part("mode") === "sandbox"
      ? {
          ...(await read(apiPath("test", "controls"), testControlListResponseSchema)),
          base: settings().apiPublicOrigin,
        }
      : null,
  actions: {
    order: async ({ change, apiPath, consolePath }, form) => {
      const control = choiceField(form, "control", createTestControlRequestSchema.shape.control);
      const count = parseWholeNumber(requiredField(form, "count"));
      const seconds = parseWholeNumber(textField(form, "seconds"));
      const fields = { control, count, seconds };
      await change(apiPath("test", "controls"), testControlResponseSchema, fields);
      return done(consolePath(PAGE), "controls.ordered");
    },
    clear: async ({ change, apiPath, consolePath }) => {
      const path = apiPath("test", "controls", "clear");
      const { cleared } = await change(path, testControlsClearedResponseSchema);
      return done(consolePath(PAGE), "controls.cleared", { count: cleared });
    },
    bring: async ({ change, apiPath, consolePath }, form) => {
      const { shape } = expireRequestSchema;
      const kind = choiceField(form, "kind", shape.kind);
      const moment = choiceField(form, "moment", shape.moment);
      const id = requiredField(form, "id");
      await change(apiPath("test", "time"), expireResponseSchema, { kind, id, moment });
      const text = `controls.brought.${moment}` as const;
      const values = { seconds: SECONDS_BEFORE_EXPIRY };
      return done(consolePath(PAGE), text, values);
    },
  },
});
