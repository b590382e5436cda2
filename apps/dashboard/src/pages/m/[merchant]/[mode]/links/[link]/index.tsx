import {
  type ConsoleLinkOrder,
  type ConsolePaymentLink,
  consolePaymentLinkResponseSchema,
  hasRight,
} from "@tillgate/contract";
import { qrSvg } from "@tillgate/qr";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { done, type PageRequest } from "#server/request.ts";
import { Button, Confirmation, Form } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { LinkAmount, LinkState, LinkUses } from "#views/link-uses.tsx";
import { Badge, Card, Code, Empty, Facts, Money, Table, Time } from "#views/parts.tsx";
import { useMerchantPage, usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { link: ConsolePaymentLink; orders: ConsoleLinkOrder[] };

export default function LinkPage({ link, orders }: Props): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  const picture = qrSvg(link.url, { title: t("link.codeOf", { name: link.description }) });
  return (
    <Frame
      title={link.description}
      back={{ href: to("links"), text: t("nav.links") }}
      tools={<LinkState link={link} />}
    >
      <div className="columns">
        <Card>
          <Code id="link-address" text={link.url} label={t("link.address")} />
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: SVG from @tillgate/qr, which escapes its only text. */}
          <div className="qr-picture" data-testid="link-code" dangerouslySetInnerHTML={{ __html: picture }} />
          <p>
            <a href={to("links", link.link_id, "print")}>{t("link.print")}</a>
          </p>
          <Facts
            rows={[
              [t("link.amount"), <LinkAmount key="amount" link={link} />],
              [t("link.min"), link.min_amount && <Money key="min" money={link.min_amount} />],
              [t("link.max"), link.max_amount && <Money key="max" money={link.max_amount} />],
              [t("link.paid"), <LinkUses key="uses" link={link} />],
              [t("link.until"), link.expires_at && <Time key="until" at={link.expires_at} exact />],
              [t("link.createdAt"), <Time key="made" at={link.created_at} exact />],
            ]}
          />
          {hasRight(merchant.role, "links.change") ? <Steps link={link} /> : null}
        </Card>
        <Card title={t("link.orders")}>
          {orders.length === 0 ? (
            <Empty title={t("link.noOrders")} />
          ) : (
            <Table
              caption={t("link.orders")}
              rows={orders}
              keyOf={({ order_id }) => order_id}
              columns={[
                {
                  title: t("order.order"),
                  cell: ({ order_id }) => <a href={to("orders", order_id)}>{order_id}</a>,
                },
                { title: t("list.amount"), cell: ({ money }) => <Money money={money} />, number: true },
                { title: t("list.status"), cell: ({ status }) => <Badge status={status} /> },
                { title: t("link.createdAt"), cell: ({ created_at }) => <Time at={created_at} /> },
              ]}
            />
          )}
        </Card>
      </div>
    </Frame>
  );
}

function Steps({ link }: { link: ConsolePaymentLink }): ReactNode {
  const { t } = usePage();
  if (link.state === "closed")
    return (
      <Form action="reopen">
        <Button kind="quiet">{t("link.reopen")}</Button>
      </Form>
    );
  return (
    <Confirmation label={t("link.close")} testId="close-link">
      <p>{t("link.closeText")}</p>
      <Form action="close">
        <Button kind="danger">{t("link.close")}</Button>
      </Form>
    </Confirmation>
  );
}

const setClosed =
  (closed: boolean) =>
  async ({ change, apiPath, consolePath, part }: PageRequest) => {
    await change(apiPath("links", part("link")), consolePaymentLinkResponseSchema, { closed });
    const text = closed ? "link.closed" : "link.reopened";
    return done(consolePath("links", part("link")), text);
  };

export const getServerSideProps = consolePage<Props>({
  load: ({ read, apiPath, part }) => read(apiPath("links", part("link")), consolePaymentLinkResponseSchema),
  actions: { close: setClosed(true), reopen: setClosed(false) },
});
