import { shopperListAnswerSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { read } from "../../../../edge/console-edge";
import { consolePage } from "../../../../page/console-page";
import { pathOf } from "../../../../place-path";
import { AdminFrame } from "../../../../views/admin-frame";
import { FindForm } from "../../../../views/find-form";
import { ModeTabs } from "../../../../views/mode-tabs";
import { Badge, Card, Empty, Table, Time } from "../../../../views/parts";
import { usePage } from "../../../../views/use-page";

export const config = { unstable_runtimeJS: false };

type Props = z.infer<typeof shopperListAnswerSchema>["data"] & { mode: string };

export default function ShoppersPage({ shoppers, mode }: Props): ReactNode {
  const { t } = usePage();
  return (
    <AdminFrame title={t("admin.shoppers.title")} tools={<ModeTabs section="shoppers" mode={mode} />}>
      <FindForm name="search" label={t("admin.shoppers.search")} />
      {shoppers.length === 0 ? (
        <Empty title={t("list.noneFound")} />
      ) : (
        <Card>
          <Table
            caption={t("admin.shoppers.title")}
            rows={shoppers}
            keyOf={({ user_id }) => user_id}
            columns={[
              {
                title: t("admin.shoppers.name"),
                cell: ({ user_id, name }) => <a href={pathOf("admin", "shoppers", mode, user_id)}>{name}</a>,
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
  load: async ({ caller, part, query }) => {
    const path = pathOf("administration", "shoppers", part("mode"));
    return {
      ...(await read(caller, path, shopperListAnswerSchema, { search: query("search") })),
      mode: part("mode"),
    };
  },
});
