import {
  consoleHomeResponseSchema,
  defaultEventNames,
  hasRight,
  receiverListResponseSchema,
  receiverSecretResponseSchema,
  TEST_RECEIVER_PATH,
  testOrderResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { config as settings } from "#config.ts";
import { wordPressSettings } from "#server/connect.ts";
import { consolePage } from "#server/console-page.ts";
import { requiredField } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { testEndpoint } from "#server/webhooks.ts";
import { AttentionList } from "#views/attention-list.tsx";
import { DayChart } from "#views/day-chart.tsx";
import { Frame } from "#views/frame.tsx";
import { Card, Empty, Money } from "#views/parts.tsx";
import { ConnectShop, isSetUp, SetupPath } from "#views/setup-path.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Home = z.infer<typeof consoleHomeResponseSchema>["data"];
type Props = Home & { base: string };

export default function HomePage({ base, ...home }: Props): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  const { setup } = home;
  const showSetup = !isSetUp(setup) && hasRight(merchant.role, "credentials.change");
  const filled = { base, clientId: setup.client_id ?? "CLIENT_ID" };
  return (
    <Frame title={t("nav.home")}>
      {showSetup ? (
        <>
          <SetupPath setup={setup} currency={home.wallets[0]?.currency} {...filled} />
          <ConnectShop {...filled} />
        </>
      ) : null}
      <AttentionList attention={home.attention} />
      <section className="tiles" aria-label={t("nav.wallets")}>
        {home.wallets.map(({ currency, balance, held }) => (
          <a key={currency} className="card tile" href={to("wallets", currency)}>
            <span className="soft">{t("home.balance", { currency })}</span>
            <strong className="amount">
              <Money money={balance} />
            </strong>
            {Number(held.amount) > 0 ? (
              <span className="soft">
                {t("wallets.held")} <Money money={held} />
              </span>
            ) : null}
          </a>
        ))}
      </section>
      <OrderShares orders={home.orders} />
      {home.sums.length === 0 ? (
        <Empty title={t("home.nothingYet")}>
          <p>{t("home.nothingYetText")}</p>
        </Empty>
      ) : (
        home.sums.map((sum) => <DayChart key={sum.currency} sum={sum} />)
      )}
    </Frame>
  );
}

const SHARES = ["paid", "pending", "expired", "cancelled"] as const;

function OrderShares({ orders }: { orders: Home["orders"] }): ReactNode {
  const { t, f, to } = useMerchantPage();
  const all = SHARES.reduce((sum, name) => sum + orders[name], 0);
  if (all === 0) return null;
  return (
    <Card title={t("home.orders")}>
      <dl className="shares">
        {SHARES.map((name) => (
          <div key={name} data-share={name}>
            <dt>
              <a href={`${to("orders")}?status=${name.toUpperCase()}`}>{t(`home.share.${name}`)}</a>
            </dt>
            <dd>
              <strong>{f.number(orders[name])}</strong>{" "}
              <span className="soft">{f.percent(orders[name] / all)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath }) => ({
    ...(await read(apiPath("home"), consoleHomeResponseSchema)),
    base: settings().apiPublicOrigin,
  }),
  actions: {
    wordpress: wordPressSettings(() => settings().apiPublicOrigin),
    receiver: async (request) => {
      const { read, change, apiPath, consolePath, part } = request;
      const address = `${settings().apiPublicOrigin}${TEST_RECEIVER_PATH}/${part("merchant")}`;
      const { receivers } = await read(apiPath("receivers"), receiverListResponseSchema);
      const { receiver_id: id } =
        receivers.find((link) => link.address === address) ??
        (await change(apiPath("receivers"), receiverSecretResponseSchema, {
          address,
          events: defaultEventNames,
        }));
      const { delivered, notice } = await testEndpoint(request, id);
      return delivered
        ? done(consolePath(), "setup.receiverReady")
        : { to: consolePath("webhooks", id), flash: { notice } };
    },
    order: async ({ change, apiPath, consolePath }, form) => {
      const fields = {
        currency: requiredField(form, "currency"),
        idempotency_key: requiredField(form, "idempotency_key"),
      };
      const { order_id } = await change(apiPath("test", "orders"), testOrderResponseSchema, fields);
      return { to: consolePath("orders", order_id) };
    },
  },
});
