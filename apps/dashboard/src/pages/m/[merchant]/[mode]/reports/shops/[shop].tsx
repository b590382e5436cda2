import {
  type ConsoleDifference,
  consoleDoneResponseSchema,
  consoleShopResponseSchema,
  hasRight,
  parseWebAddress,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { ApiError, change, read } from "#internal-api.ts";
import { consolePage } from "#server/console-page.ts";
import { Button, Confirmation, Form } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Card, type Column, Empty, Facts, Pages, Table, Time } from "#views/parts.tsx";
import { LastComparison, useShopName } from "#views/shops.tsx";
import { useMerchantPath, usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = z.infer<typeof consoleShopResponseSchema>["data"];

export default function ShopPage({ shop, differences, next }: Props): ReactNode {
  const { page, t, f } = usePage();
  const pathTo = useMerchantPath();
  const nameOf = useShopName();
  const columns = useDifferenceColumns();
  const name = nameOf(shop);
  return (
    <Frame title={name} back={{ href: pathTo("reports", "shops"), text: t("shops.title") }}>
      <Card testId="shop-comparison">
        <Facts
          rows={[
            [t("shops.last"), <LastComparison key="last" shop={shop} />],
            [t("shops.started"), shop.running ? <Time key="started" at={shop.started_at} /> : null],
            [t("shops.compared"), f.number(shop.compared)],
            [t("shops.skipped"), f.number(shop.skipped)],
            [t("shops.differences"), f.number(shop.differences)],
            [t("shops.site"), shop.site === name ? null : shop.site],
            [t("credentials.kind"), shop.key],
          ]}
        />
        {shop.skipped > 0 ? <p className="soft">{t("shops.skippedText")}</p> : null}
        {page.merchant && hasRight(page.merchant.role, "shops.remove") ? (
          <Confirmation label={t("shops.remove")} testId="remove-shop">
            <p>{t("shops.removeText")}</p>
            <Form action="remove">
              <Button kind="danger">{t("shops.removeButton")}</Button>
            </Form>
          </Confirmation>
        ) : null}
      </Card>
      {differences.length > 0 ? (
        <Card>
          <Table
            caption={t("shops.differencesOf", { shop: name })}
            rows={differences}
            keyOf={({ difference_id }) => difference_id}
            columns={columns}
          />
        </Card>
      ) : page.path.includes("before=") ? null : (
        <Empty title={t("shops.agrees")}>
          <p>{t(shop.completed_at === null ? "shops.agreesSoFar" : "shops.agreesText")}</p>
        </Empty>
      )}
      <Pages next={next} />
    </Frame>
  );
}

function useDifferenceColumns(): Column<ConsoleDifference>[] {
  const { t } = usePage();
  const pathTo = useMerchantPath();
  return [
    {
      title: t("shops.orderInTillgate"),
      cell: ({ order_id, known }) => (known ? <a href={pathTo("orders", order_id)}>{order_id}</a> : order_id),
    },
    {
      title: t("shops.orderInShop"),
      cell: ({ order_number, order_url }) =>
        // The URL comes from the shop; a javascript: link would run in the console.
        order_url && parseWebAddress(order_url) ? (
          <a href={order_url} rel="noopener noreferrer">
            {order_number}
          </a>
        ) : (
          order_number
        ),
    },
    { title: t("shops.difference"), cell: ({ text }) => text, words: true },
    {
      title: t("shops.advice"),
      cell: ({ advice, repair }) => (repair === null ? advice : t("shops.repair", { label: repair })),
      words: true,
    },
    { title: t("shops.since"), cell: ({ found_at }) => <Time at={found_at} /> },
  ];
}

export const getServerSideProps = consolePage<Props>({
  right: "reports.view",
  load: ({ caller, apiPath, part, query, language }) =>
    read(caller, apiPath("reports", "shops", part("shop")), consoleShopResponseSchema, {
      before: query("before"),
      language,
    }),
  actions: {
    async remove({ caller, apiPath, consolePath, part }) {
      const path = apiPath("reports", "shops", part("shop"), "remove");
      try {
        await change(caller, path, consoleDoneResponseSchema);
      } catch (error) {
        // The shop was already removed, for example by a double click.
        if (!(error instanceof ApiError && error.code === "shop_not_found")) throw error;
      }
      return {
        to: consolePath("reports", "shops"),
        flash: { notice: { tone: "good", text: "shops.removed" } },
      };
    },
  },
});
