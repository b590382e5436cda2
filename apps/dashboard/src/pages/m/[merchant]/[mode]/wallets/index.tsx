import { randomUUID } from "node:crypto";
import {
  consoleTopUpResponseSchema,
  consoleWalletListResponseSchema,
  consoleWalletOpenedResponseSchema,
  hasRight,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { readAmountField } from "#server/amounts.ts";
import { consolePage } from "#server/console-page.ts";
import { requiredField, requiredFields } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { Button, ConfirmedForm, Field, Select } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Card, Empty, Money } from "#views/parts.tsx";
import { useMerchantPage, usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Wallet = z.infer<typeof consoleWalletListResponseSchema>["data"]["wallets"][number];
type Props = { wallets: Wallet[]; openable: string[]; topUpKey: string };

export default function WalletsPage({ wallets, openable, topUpKey }: Props): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  return (
    <Frame title={t("nav.wallets")}>
      {wallets.length === 0 ? (
        <Empty title={t("wallets.none")}>
          <p>{t(merchant.mode === "sandbox" ? "wallets.noneText" : "wallets.noneTextLive")}</p>
        </Empty>
      ) : null}
      {merchant.mode === "sandbox" && hasRight(merchant.role, "wallets.top_up") ? (
        <div className="tools">
          {wallets.length > 0 ? <TopUp wallets={wallets} topUpKey={topUpKey} /> : null}
          {openable.length > 0 ? <OpenWallet openable={openable} first={wallets.length === 0} /> : null}
        </div>
      ) : null}
      <div className="tiles">
        {wallets.map((wallet) => (
          <Card key={wallet.currency} title={wallet.currency}>
            <p className="amount">
              <Money money={wallet.balance} />
            </p>
            {Number(wallet.held.amount) > 0 ? (
              <p className="soft">
                {t("wallets.held")} <Money money={wallet.held} />
              </p>
            ) : null}
            <p>
              <a href={to("wallets", wallet.currency)}>{t("wallets.statement")}</a>
            </p>
          </Card>
        ))}
      </div>
    </Frame>
  );
}

/** Renders the form that opens a wallet. Orders, links and tills can use only currencies with a wallet. */
function OpenWallet({ openable, first }: { openable: readonly string[]; first: boolean }): ReactNode {
  const { t } = usePage();
  return (
    <ConfirmedForm label={t("wallets.open")} open={first} testId="open-wallet" action="open">
      <Select
        name="currency"
        label={t("filter.currency")}
        choices={openable}
        {...(openable.includes("EUR") ? { value: "EUR" } : {})}
      />
      <Button>{t("wallets.open")}</Button>
    </ConfirmedForm>
  );
}

function TopUp({ wallets, topUpKey }: Pick<Props, "wallets" | "topUpKey">): ReactNode {
  const { page, t } = usePage();
  return (
    <ConfirmedForm label={t("wallets.topUp")} testId="top-up" action="top-up">
      <input type="hidden" name="idempotency_key" value={page.form?.values.idempotency_key ?? topUpKey} />
      <Select
        name="currency"
        label={t("filter.currency")}
        choices={wallets.map(({ currency }) => currency)}
      />
      <Field name="amount" label={t("list.amount")} inputMode="decimal" />
      <Button>{t("wallets.topUp")}</Button>
    </ConfirmedForm>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath }) => ({
    ...(await read(apiPath("wallets"), consoleWalletListResponseSchema)),
    topUpKey: randomUUID(),
  }),
  actions: {
    open: async ({ change, apiPath, consolePath }, form) => {
      const currency = requiredField(form, "currency");
      await change(apiPath("wallets"), consoleWalletOpenedResponseSchema, { currency });
      return done(consolePath("wallets"), "wallets.opened", { currency });
    },
    "top-up": async ({ change, apiPath, consolePath, language, f }, form) => {
      const { currency, idempotency_key } = requiredFields(form, "currency", "amount", "idempotency_key");
      const amount = readAmountField(form, "amount", { language, currency });
      const path = apiPath("wallets", currency, "top-up");
      await change(path, consoleTopUpResponseSchema, { amount, idempotency_key });
      const values = { amount: f.money({ amount, currency }) };
      return done(consolePath("wallets"), "wallets.toppedUp", values);
    },
  },
});
