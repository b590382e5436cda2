import { hasRight } from "@tillgate/contract";
import type { ReactNode } from "react";
import { Button, Confirmation, Field, Form, useRefused } from "./form";
import { Card, Code } from "./parts";
import { usePage } from "./use-page";

/** The two ways to connect a shop: the WordPress plugin by a link to its settings, a headless shop by one command. */
export function ConnectShop({ base, clientId }: { base: string; clientId: string }): ReactNode {
  const { page, t } = usePage();
  const { place, secret } = page;
  const refused = useRefused(["wordpress"]);
  if (place === null || !hasRight(place.role, "credentials.change")) return null;
  const opened = secret?.kind === "return" ? secret : null;
  return (
    <Card title={t("connect.yours")}>
      {opened ? (
        <p className="box good" data-testid="wordpress-settings">
          {t("connect.openText")} <a href={opened.address}>{t("connect.open", { shop: opened.shop })}</a>
        </p>
      ) : null}
      {hasRight(place.role, "credentials.money") ? (
        <Confirmation label={t("connect.wordpress")} open={refused} testId="connect-wordpress">
          <Form action="wordpress">
            <p>{t("connect.wordpressText")}</p>
            <Field name="shop" type="url" label={t("connect.shopAddress")} hint="https://shop.example" />
            <Button>{t("connect.next")}</Button>
          </Form>
        </Confirmation>
      ) : null}
      <Confirmation label={t("connect.headless")} testId="connect-headless">
        <p>{t("connect.headlessText")}</p>
        <Code id="headless-lines" text={headlessLines(base, clientId)} />
      </Confirmation>
    </Card>
  );
}

const headlessLines = (base: string, clientId: string): string =>
  [
    "npm install && npm run build",
    "export WOO_CONSUMER_KEY=ck_… WOO_CONSUMER_SECRET=cs_…",
    `export TILLGATE_API_URL=${base}`,
    `export TILLGATE_CLIENT_ID=${clientId} TILLGATE_CLIENT_SECRET=tgs_…`,
    "export CONNECTOR_URL=https://connector.example",
    "npm run connect -- https://shop.example --id shop --out stores.json \\",
    "  --return-url 'https://shop.example/checkout/return?order={order_id}&key={order_key}'",
  ].join("\n");
