import {
  administratorListResponseSchema,
  administratorRequestedResponseSchema,
  changedResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { consolePage } from "#server/console-page.ts";
import { requiredField } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { AdminFrame } from "#views/admin-frame.tsx";
import { Button, ConfirmedForm, Field, SecondFactorField } from "#views/form.tsx";
import { Badge, Card, Table, Time } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = z.infer<typeof administratorListResponseSchema>["data"];
type Administrator = Props["administrators"][number];
const BASE = "/administration/administrators";

export default function AdministratorsPage({ administrators }: Props): ReactNode {
  const { page, t } = usePage();
  return (
    <AdminFrame title={t("admin.nav.administrators")}>
      {page.secret?.kind === "password" ? (
        <Card title={t("admin.administrators.password")} testId="secret">
          <p>{t("admin.administrators.passwordText")}</p>
          <code className="id">{page.secret.text}</code>
        </Card>
      ) : null}
      <ConfirmedForm label={t("admin.administrators.add")} testId="add-administrator" action="add">
        <p>{t("admin.administrators.addText")}</p>
        <Field name="email" type="email" label={t("field.email")} />
        <SecondFactorField />
        <Button>{t("admin.administrators.add")}</Button>
      </ConfirmedForm>
      <Card>
        <Table
          caption={t("admin.nav.administrators")}
          rows={administrators}
          keyOf={({ user_id }) => user_id}
          columns={[
            { title: t("field.email"), cell: ({ email }) => email },
            {
              title: t("list.status"),
              cell: ({ disabled_at }) => <Badge status={disabled_at === null ? "active" : "disabled"} />,
            },
            { title: t("list.created"), cell: ({ created_at }) => <Time at={created_at} /> },
            { title: t("list.actions"), cell: (administrator) => <Switch administrator={administrator} /> },
          ]}
        />
      </Card>
    </AdminFrame>
  );
}

function Switch({ administrator: { email, disabled_at } }: { administrator: Administrator }): ReactNode {
  const { t } = usePage();
  const action = disabled_at === null ? "disable" : "enable";
  return (
    <ConfirmedForm label={t(`admin.administrators.${action}`)} action={action} of={email}>
      <p>{t(`admin.administrators.${action}Text`)}</p>
      <SecondFactorField />
      <Button kind={action === "disable" ? "danger" : "main"}>{t(`admin.administrators.${action}`)}</Button>
    </ConfirmedForm>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: ({ read }) => read(BASE, administratorListResponseSchema),
  actions: {
    add: async ({ change }, form) => {
      const fields = { email: requiredField(form, "email") };
      const result = await change(BASE, administratorRequestedResponseSchema, fields);
      const notice = { tone: "good" as const, text: `admin.administrators.${result.outcome}` as const };
      return {
        to: "/admin/administrators",
        flash: { notice, secret: { kind: "password", text: result.password } },
      };
    },
    enable: async ({ change }, form) => {
      const fields = { email: requiredField(form, "of") };
      const result = await change(`${BASE}/enable`, administratorRequestedResponseSchema, fields);
      const notice = { tone: "good" as const, text: "admin.administrators.requested" as const };
      return {
        to: "/admin/administrators",
        flash: { notice, secret: { kind: "password", text: result.password } },
      };
    },
    disable: async ({ change }, form) => {
      await change(`${BASE}/disable`, changedResponseSchema, { email: requiredField(form, "of") });
      return done("/admin/administrators", "admin.administrators.disabled");
    },
  },
});
