import { pinResponseSchema, shopperListResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { joinPath } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { rejectField, requiredField, textField } from "#server/forms.ts";
import { AdminFrame, FindForm, ModeTabs } from "#views/admin-frame.tsx";
import { NoSearchResults } from "#views/empty-list.tsx";
import { Button, ConfirmedForm, Field, SecondFactorField } from "#views/form.tsx";
import { Badge, Card, Table, Time } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = z.infer<typeof shopperListResponseSchema>["data"] & { mode: string };

export default function ShoppersPage({ shoppers, mode }: Props): ReactNode {
  const { t } = usePage();
  return (
    <AdminFrame title={t("admin.shoppers.title")} tools={<ModeTabs section="shoppers" mode={mode} />}>
      <FindForm name="search" label={t("admin.shoppers.search")} />
      <ConfirmedForm label={t("admin.shoppers.create")} testId="make-shopper" action="make">
        <Field name="name" label={t("admin.shoppers.name")} hint={t("admin.shoppers.nameHint")} />
        <Field
          name="phone"
          type="tel"
          label={t("admin.shoppers.phone")}
          hint={t("admin.shoppers.phoneHint")}
          optional
        />
        <Field name="email" type="email" label={t("field.email")} optional />
        <Field name="currencies" label={t("nav.wallets")} hint={t("admin.shoppers.walletsHint")} optional />
        <SecondFactorField />
        <Button>{t("admin.shoppers.create")}</Button>
      </ConfirmedForm>
      {shoppers.length === 0 ? (
        <NoSearchResults none="admin.shoppers.none" />
      ) : (
        <Card>
          <Table
            caption={t("admin.shoppers.title")}
            rows={shoppers}
            keyOf={({ user_id }) => user_id}
            columns={[
              {
                title: t("admin.shoppers.name"),
                cell: ({ user_id, name }) => (
                  <a href={joinPath("admin", "shoppers", mode, user_id)}>{name}</a>
                ),
              },
              { title: t("field.email"), cell: ({ email }) => email ?? "" },
              { title: t("admin.shoppers.phone"), cell: ({ phone }) => phone ?? "" },
              { title: t("nav.wallets"), cell: ({ currencies }) => currencies.join(", ") },
              {
                title: t("list.status"),
                cell: ({ active }) => <Badge status={active ? "active" : "inactive"} />,
              },
              { title: t("list.created"), cell: ({ created_at }) => <Time at={created_at} /> },
            ]}
          />
        </Card>
      )}
    </AdminFrame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, part, query }) => {
    const path = joinPath("administration", "shoppers", part("mode"));
    return {
      ...(await read(path, shopperListResponseSchema, { search: query("search") })),
      mode: part("mode"),
    };
  },
  actions: {
    make: async ({ change, part }, form) => {
      const name = requiredField(form, "name");
      const [phone, email] = [textField(form, "phone"), textField(form, "email")];
      if (phone === "" && email === "") rejectField("phone", "error.phoneOrEmail");
      const currencies = textField(form, "currencies")
        .toUpperCase()
        .split(/[\s,]+/)
        .filter(Boolean);
      const path = joinPath("administration", "shoppers", part("mode"));
      const { user_id, pin } = await change(path, pinResponseSchema, {
        name,
        phone,
        email,
        currencies,
      });
      const to = joinPath("admin", "shoppers", part("mode"), user_id);
      return { to, flash: { secret: { kind: "password", text: pin } } };
    },
  },
});
