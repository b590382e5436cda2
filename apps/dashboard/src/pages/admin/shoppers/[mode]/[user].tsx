import { changedResponseSchema, pinResponseSchema, shopperResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { z } from "zod";
import { joinPath } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { choiceField, requiredField } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { readWalletState } from "#server/wallets.ts";
import { AdminFrame } from "#views/admin-frame.tsx";
import {
  Button,
  Confirmation,
  ConfirmedForm,
  Field,
  Form,
  SecondFactorField,
  useRedisplayed,
} from "#views/form.tsx";
import { Badge, Card, Facts, Money, Table, Time } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";
import { WalletChange } from "#views/wallets.tsx";

export const config = { unstable_runtimeJS: false };

type Props = z.infer<typeof shopperResponseSchema>["data"] & { mode: string };

export default function ShopperPage({ mode, wallets, ...shopper }: Props): ReactNode {
  const { page, t } = usePage();
  const open = useRedisplayed(["active", "pin"]);
  return (
    <AdminFrame
      title={shopper.name}
      back={{ href: joinPath("admin", "shoppers", mode), text: t("admin.shoppers.title") }}
      tools={<Badge status={mode} />}
    >
      {page.secret?.kind === "password" ? (
        <Card title={t("admin.shoppers.newPin")} testId="secret">
          <p>{t("secret.once")}</p>
          <code className="id">{page.secret.text}</code>
        </Card>
      ) : null}
      <Card
        title={t("admin.shoppers.account")}
        tools={<Badge status={shopper.active ? "active" : "inactive"} />}
      >
        <Facts
          rows={[
            [
              t("admin.merchants.id"),
              <code key="id" className="id">
                {shopper.user_id}
              </code>,
            ],
            [t("field.email"), shopper.email],
            [t("admin.shoppers.phone"), shopper.phone],
            [t("list.created"), <Time key="created" at={shopper.created_at} />],
          ]}
        />
        <Confirmation label={t("list.change")} open={open} testId="change-shopper">
          <Form action="active">
            <p>{t(shopper.active ? "admin.shoppers.deactivateText" : "admin.shoppers.activateText")}</p>
            <SecondFactorField />
            <Button kind={shopper.active ? "danger" : "main"} name="active" value={String(!shopper.active)}>
              {t(shopper.active ? "admin.shoppers.deactivate" : "admin.shoppers.activate")}
            </Button>
          </Form>
          <Form action="pin">
            <p>{t("admin.shoppers.resetText")}</p>
            <SecondFactorField />
            <Button kind="quiet">{t("admin.shoppers.reset")}</Button>
          </Form>
        </Confirmation>
      </Card>
      <Card title={t("nav.wallets")}>
        {wallets.length === 0 ? (
          <p>{t("admin.merchants.noWallets")}</p>
        ) : (
          <Table
            caption={t("nav.wallets")}
            rows={wallets}
            keyOf={({ account_id }) => account_id}
            columns={[
              { title: t("filter.currency"), cell: ({ currency }) => currency },
              {
                title: t("statement.balance"),
                cell: ({ balance }) => <Money money={balance} />,
                number: true,
              },
              {
                title: t("list.status"),
                cell: ({ closed_at }) => <Badge status={closed_at === null ? "active" : "closed"} />,
              },
              {
                title: t("list.actions"),
                cell: ({ currency, closed_at }) => <WalletChange of={currency} closed={closed_at !== null} />,
              },
            ]}
          />
        )}
        <ConfirmedForm label={t("admin.merchants.openWallet")} testId="open-wallet" action="wallet">
          <Field name="currency" label={t("filter.currency")} hint="EUR" />
          <SecondFactorField />
          <Button>{t("admin.merchants.openWallet")}</Button>
        </ConfirmedForm>
      </Card>
    </AdminFrame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, part }) => {
    const path = joinPath("administration", "shoppers", part("mode"), part("user"));
    return { ...(await read(path, shopperResponseSchema)), mode: part("mode") };
  },
  actions: {
    active: async ({ change, part }, form) => {
      const active = choiceField(form, "active", z.enum(["true", "false"])) === "true";
      const path = joinPath("administration", "shoppers", part("mode"), part("user"));
      await change(path, changedResponseSchema, { active });
      const text = active ? "admin.shoppers.activated" : "admin.shoppers.deactivated";
      const to = joinPath("admin", "shoppers", part("mode"), part("user"));
      return done(to, text);
    },
    pin: async ({ change, part }) => {
      const path = joinPath("administration", "shoppers", part("mode"), part("user"), "reset-pin");
      const { pin } = await change(path, pinResponseSchema);
      const to = joinPath("admin", "shoppers", part("mode"), part("user"));
      return { to, flash: { secret: { kind: "password", text: pin } } };
    },
    wallet: async ({ change, part }, form) => {
      const currency = requiredField(form, "currency").toUpperCase();
      const path = joinPath("administration", "shoppers", part("mode"), part("user"), "wallets");
      const { changed } = await change(path, changedResponseSchema, { currency, open: true });
      const text = changed ? "admin.merchants.walletOpen" : "admin.merchants.walletWasOpen";
      const to = joinPath("admin", "shoppers", part("mode"), part("user"));
      return done(to, text, { currency });
    },
    "wallet-state": async ({ change, part }, form) => {
      const currency = requiredField(form, "of");
      const path = joinPath("administration", "shoppers", part("mode"), part("user"), "wallets");
      const { open, notice } = readWalletState(form, currency);
      await change(path, changedResponseSchema, { currency, open });
      return { to: joinPath("admin", "shoppers", part("mode"), part("user")), flash: { notice } };
    },
  },
});
