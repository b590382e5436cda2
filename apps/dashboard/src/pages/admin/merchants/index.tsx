import { merchantCreatedResponseSchema, merchantListResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { joinPath } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { requiredFields } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { AdminFrame, FindForm } from "#views/admin-frame.tsx";
import { NoSearchResults } from "#views/empty-list.tsx";
import { Button, ConfirmedForm, Field, SecondFactorField } from "#views/form.tsx";
import { Badge, Card, Table, Time } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = z.infer<typeof merchantListResponseSchema>["data"];

export default function MerchantsPage({ merchants }: Props): ReactNode {
  const { t } = usePage();
  return (
    <AdminFrame title={t("admin.merchants.title")}>
      <FindForm name="search" label={t("admin.merchants.search")} />
      <ConfirmedForm label={t("admin.merchants.create")} testId="make-merchant" action="make">
        <Field name="name" label={t("admin.merchants.name")} />
        <Field
          name="owner_email"
          type="email"
          label={t("admin.merchants.owner")}
          hint={t("admin.merchants.ownerHint")}
        />
        <SecondFactorField />
        <Button>{t("admin.merchants.create")}</Button>
      </ConfirmedForm>
      {merchants.length === 0 ? (
        <NoSearchResults none="admin.merchants.none" />
      ) : (
        <Card>
          <Table
            caption={t("admin.merchants.title")}
            rows={merchants}
            keyOf={({ merchant_id }) => merchant_id}
            columns={[
              {
                title: t("admin.merchants.name"),
                cell: ({ merchant_id, name }) => (
                  <a href={joinPath("admin", "merchants", merchant_id)}>{name}</a>
                ),
              },
              {
                title: t("list.status"),
                cell: ({ suspended_at }) => <Badge status={suspended_at === null ? "active" : "suspended"} />,
              },
              {
                title: t("admin.merchants.partnerApi"),
                cell: ({ partner_api }) => t(partner_api ? "list.yes" : "list.no"),
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
  load: ({ read, query }) =>
    read("/administration/merchants", merchantListResponseSchema, { search: query("search") }),
  actions: {
    make: async ({ change }, form) => {
      const fields = requiredFields(form, "name", "owner_email");
      const { merchant_id } = await change(
        "/administration/merchants",
        merchantCreatedResponseSchema,
        fields,
      );
      return done(joinPath("admin", "merchants", merchant_id), "admin.merchants.created", {
        email: fields.owner_email,
      });
    },
  },
});
