import {
  buildReturnUrl,
  type ConnectRequest,
  connectRequestSchema,
  consoleConnectResponseSchema,
  hasRight,
  isLoopbackHost,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { joinPath } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { requiredField } from "#server/forms.ts";
import { Button, Form, SecondFactorField, Select } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

/** `connectRequest` is null if the request is invalid. The page never links to a URL from an invalid request. */
type Props = { connectRequest: ConnectRequest | null };

/** Renders the consent page for a shop that requests credentials. The page grants nothing without a click. */
export default function ConnectPage({ connectRequest }: Props): ReactNode {
  const { page, t } = usePage();
  const merchants = page.user?.merchants.filter(({ role }) => hasRight(role, "credentials.money")) ?? [];
  if (connectRequest === null) return <ConnectMessage title={t("connect.bad")} text={t("connect.badText")} />;
  if (merchants.length === 0)
    return <ConnectMessage title={t("connect.notYours")} text={t("connect.notYoursText")} />;
  const { host, hostname } = new URL(connectRequest.shop_url);
  const shop = connectRequest.shop_name;
  // The page says before the click that a second factor is required, instead of reporting an error after the click.
  const needsFactor = !page.user?.totp && page.user?.passkeys.length === 0;
  return (
    <Frame title={t("connect.title", { shop })} narrow>
      <div className="card" data-testid="connect">
        <p>{shop === host ? t("connect.asksByHost", { host }) : t("connect.asks", { shop, host })}</p>
        <h2>{t("connect.gives")}</h2>
        <ul className="points">
          <li>{t("connect.sandboxKeys")}</li>
          <li>{t(isLoopbackHost(hostname) ? "connect.noLive" : "connect.liveKeys")}</li>
        </ul>
        <p className="soft">{t("connect.earlier")}</p>
        <Form action="agree">
          {merchants.length === 1 ? (
            <>
              <p>
                {t("connect.merchant")}: <strong>{merchants[0]?.name}</strong>
              </p>
              <input type="hidden" name="merchant" value={merchants[0]?.id} />
            </>
          ) : (
            <Select
              name="merchant"
              label={t("connect.merchant")}
              choices={merchants.map(({ id, name }) => ({ value: id, text: name }))}
            />
          )}
          <SecondFactorField />
          <p className="soft">{t("connect.check")}</p>
          {needsFactor ? null : <Button testId="connect-agree">{t("connect.agree")}</Button>}
        </Form>
        <p>
          <a href={buildReturnUrl(connectRequest, { error: "access_denied" })} data-testid="connect-decline">
            {t("connect.decline")}
          </a>
        </p>
      </div>
    </Frame>
  );
}

function ConnectMessage({ title, text }: { title: string; text: string }): ReactNode {
  return (
    <Frame title={title} narrow>
      <div className="card">
        <p data-testid="connect-refused">{text}</p>
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ queries }) => ({ connectRequest: connectRequestSchema.safeParse(queries()).data ?? null }),
  actions: {
    agree: async ({ change, queries }, form) => {
      const connectRequest = queries();
      const path = joinPath("merchants", requiredField(form, "merchant"), "connections");
      const { return_to } = await change(path, consoleConnectResponseSchema, connectRequest);
      const shop = connectRequest.shop_name ?? "";
      // Our Content-Security-Policy limits form targets to our own pages, so the next page links to the shop.
      return { to: "/connect/done", flash: { secret: { kind: "return", address: return_to, shop } } };
    },
  },
});
