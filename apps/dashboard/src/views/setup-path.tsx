import { type consoleHomeResponseSchema, hasRight, type Mode, PAY_API_PATH } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { withNext } from "#paths.ts";
import type { PageUser } from "#server/page.ts";
import { Following } from "./following";
import { Button, Confirmation, ConfirmedForm, Field, Form, SecondFactorField } from "./form";
import { Card, Code } from "./parts";
import { RECEIVER_LINES } from "./receiver-lines";
import { useMerchantPage } from "./use-page";

/** Renders the ways to connect a shop that the user's role allows. */
export function ConnectShop({ base, clientId }: { base: string; clientId: string }): ReactNode {
  const { page, t, merchant } = useMerchantPage();
  const { secret } = page;
  if (!hasRight(merchant.role, "credentials.change")) return null;
  const opened = secret?.kind === "return" ? secret : null;
  return (
    <Card title={t("connect.yours")}>
      {opened ? (
        <p className="box good" data-testid="wordpress-settings">
          {t("connect.openText")} <a href={opened.address}>{t("connect.open", { shop: opened.shop })}</a>
        </p>
      ) : null}
      {hasRight(merchant.role, "credentials.money") ? (
        <ConfirmedForm label={t("connect.wordpress")} testId="connect-wordpress" action="wordpress">
          <p>{t("connect.wordpressText")}</p>
          <Field name="shop" type="url" label={t("connect.shopAddress")} hint="https://shop.example" />
          <Button>{t("connect.next")}</Button>
        </ConfirmedForm>
      ) : null}
      <Confirmation label={t("connect.headless")} testId="connect-headless">
        <p>{t("connect.headlessText")}</p>
        <Code id="headless-lines" text={createHeadlessLines(base, clientId)} />
      </Confirmation>
    </Card>
  );
}

const createHeadlessLines = (base: string, clientId: string): string =>
  [
    "npm install && npm run build",
    "export WOO_CONSUMER_KEY=ck_… WOO_CONSUMER_SECRET=cs_…",
    `export TILLGATE_API_URL=${base}`,
    `export TILLGATE_CLIENT_ID=${clientId} TILLGATE_CLIENT_SECRET=tgs_…`,
    "export CONNECTOR_URL=https://connector.example",
    "npm run connect -- https://shop.example --id shop --out stores.json \\",
    "  --return-url 'https://shop.example/checkout/return?order={order_id}&key={order_key}'",
  ].join("\n");

/** In the sandbox a webhook can be delivered before there is a key or a shop. */
const STEPS = {
  sandbox: ["endpoint", "order", "paid", "delivered", "factor", "key"],
  live: ["factor", "key", "endpoint", "order", "paid", "delivered"],
} as const satisfies Record<Mode, readonly string[]>;
type Step = (typeof STEPS)[Mode][number];
type Setup = z.infer<typeof consoleHomeResponseSchema>["data"]["setup"];

export const isSetUp = ({ key, endpoint, order, paid, delivered }: Setup): boolean =>
  key && endpoint && order && paid && delivered;

/** Returns whether a step is done. A key requires a second factor, so with a key the second-factor step is done too. */
const isDone = (step: Step, setup: Setup, user: PageUser | null): boolean =>
  step === "factor" ? setup.key || user?.totp || (user?.passkeys.length ?? 0) > 0 : setup[step];

export type SetupPathProps = {
  setup: Setup;
  /** The API's URL. */
  base: string;
  clientId: string;
  /** Currency of the first wallet; undefined if there is none. An order requires a wallet. */
  currency: string | undefined;
};

/** Renders the setup guide that leads to the first sale. Steps complete automatically, and the next step is expanded. */
export function SetupPath(props: SetupPathProps): ReactNode {
  const { page, t, merchant } = useMerchantPage();
  const { user } = page;
  const steps = STEPS[merchant.mode];
  const next = steps.find((step) => !isDone(step, props.setup, user));
  return (
    <Card title={t("setup.title")} testId="setup">
      <Following reloads={false}>
        <ol className="setup">
          {steps.map((step) => {
            const done = isDone(step, props.setup, user);
            return (
              <li
                key={step}
                data-done={done ? "" : undefined}
                aria-current={step === next ? "step" : undefined}
              >
                <span className="tick" role="img" aria-label={t(done ? "setup.done" : "setup.open")}>
                  {done ? "✓" : ""}
                </span>
                <div>
                  <StepLink step={step} orderId={props.setup.order_id} />
                  {step === next ? <NextStep step={step} {...props} /> : null}
                </div>
              </li>
            );
          })}
        </ol>
      </Following>
    </Card>
  );
}

const SECTIONS = {
  key: "developers",
  endpoint: "webhooks",
  order: "orders",
  paid: "orders",
  delivered: "orders",
};

/** Renders the link of a step. The payment and delivery steps link to the latest order, if any. */
function StepLink({ step, orderId }: { step: Step; orderId: string | null }): ReactNode {
  const { page, t, to } = useMerchantPage();
  const ofOrder = (step === "paid" || step === "delivered") && orderId !== null;
  const href =
    step === "factor"
      ? `${withNext("/account", page.path)}#second-factor`
      : to(SECTIONS[step], ...(ofOrder ? [orderId] : []));
  return <a href={href}>{t(`setup.${step}`)}</a>;
}

function NextStep({ step, setup, currency, base, clientId }: SetupPathProps & { step: Step }): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  const { mode, role } = merchant;
  const tries = mode === "sandbox" && hasRight(role, "controls.change");
  const again = step === "paid" && !setup.order_payable;
  const needsOrder = step === "order" || again;
  const about =
    step === "factor" || step === "key" || !tries ? (`${step}Text` as const) : (`${step}Sandbox` as const);
  return (
    <>
      <p className="soft">{t(again ? "setup.paidAgain" : `setup.${about}`)}</p>
      {step === "endpoint" && tries ? (
        <Form action="receiver" className="inline">
          <Button testId="test-receiver">{t("setup.useReceiver")}</Button>
        </Form>
      ) : null}
      {step === "endpoint" ? (
        <Snippet step={step} title={t("webhooks.receiver")} text={RECEIVER_LINES} />
      ) : null}
      {needsOrder && currency === undefined ? (
        <p className="box note">
          <a href={to("wallets")}>{t("setup.walletFirst")}</a>
        </p>
      ) : null}
      {needsOrder && tries && currency !== undefined ? (
        <Form action="order" className="inline">
          <input type="hidden" name="currency" value={currency} />
          {/* Clicking twice creates only one order. */}
          <input type="hidden" name="idempotency_key" value={`after ${setup.order_id ?? "none"}`} />
          <Button testId="test-order">{t("setup.createOrder")}</Button>
        </Form>
      ) : null}
      {step === "order" ? (
        <Snippet
          step={step}
          title={t("setup.byProgram")}
          text={orderLines({ base, clientId, mode, currency })}
        />
      ) : null}
      {step === "key" && hasRight(role, "credentials.money") ? (
        <Form action="make" to={to("developers")}>
          <input type="hidden" name="kind" value="client" />
          <input type="hidden" name="may" value="all" />
          <SecondFactorField />
          <Button testId="make-key">{t("credentials.create")}</Button>
        </Form>
      ) : null}
    </>
  );
}

/** Renders a collapsed code snippet, so that the guide fits on the first screen. */
const Snippet = ({ step, title, text }: { step: Step; title: string; text: string }): ReactNode => (
  <details>
    <summary>{title}</summary>
    <Code id={`setup-${step}`} text={text} />
  </details>
);

/** Returns a code snippet that creates an order through the API, with the API's URL and the merchant's client ID. */
const orderLines = ({
  base,
  clientId,
  currency = "EUR",
  mode,
}: Pick<SetupPathProps, "base" | "clientId" | "currency"> & { mode: Mode }): string =>
  [
    "export TILLGATE_CLIENT_SECRET=tgs_…",
    `curl -u "${clientId}:$TILLGATE_CLIENT_SECRET" -H 'Content-Type: application/json' \\`,
    `  -d '{"amount":"1.00","currency":"${currency}","description":"First order"}' ${base}${PAY_API_PATH[mode]}/orders`,
  ].join("\n");
