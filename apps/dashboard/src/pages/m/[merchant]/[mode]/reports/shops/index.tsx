import { type ConsoleShop, consoleShopsResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { read } from "#internal-api.ts";
import { consolePage } from "#server/console-page.ts";
import { Frame } from "#views/frame.tsx";
import { Card, Empty, Table } from "#views/parts.tsx";
import { LastComparison, useShopName } from "#views/shops.tsx";
import { useMerchantPath, usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { shops: ConsoleShop[] };

/** Renders the shops that compare their orders with Tillgate. */
export default function ShopsPage({ shops }: Props): ReactNode {
  const { t, f } = usePage();
  const pathTo = useMerchantPath();
  const nameOf = useShopName();
  return (
    <Frame title={t("shops.title")} back={{ href: pathTo("reports"), text: t("nav.reports") }}>
      {shops.length === 0 ? (
        <Empty title={t("shops.none")}>
          <p>{t("shops.noneText")}</p>
        </Empty>
      ) : (
        <Card>
          <Table
            caption={t("shops.title")}
            rows={shops}
            keyOf={({ shop_id }) => shop_id}
            columns={[
              {
                title: t("shops.shop"),
                cell: (shop) => <a href={pathTo("reports", "shops", shop.shop_id)}>{nameOf(shop)}</a>,
                wide: true,
              },
              { title: t("shops.last"), cell: (shop) => <LastComparison shop={shop} />, words: true },
              { title: t("shops.compared"), cell: ({ compared }) => f.number(compared), number: true },
              { title: t("shops.skipped"), cell: ({ skipped }) => f.number(skipped), number: true },
              {
                title: t("shops.differences"),
                cell: ({ differences }) => f.number(differences),
                number: true,
              },
            ]}
          />
        </Card>
      )}
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  right: "reports.view",
  load: ({ caller, apiPath }) => read(caller, apiPath("reports", "shops"), consoleShopsResponseSchema),
});
