import { changedResponseSchema, merchantResponseSchema, modeSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { z } from "zod";
import { joinPath, merchantPath } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { choiceField, rejectField, requiredField, textField } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { readWalletState } from "#server/wallets.ts";
import { AdminFrame } from "#views/admin-frame.tsx";
import { Button, ConfirmedForm, Field, ModeSelect, SecondFactorField } from "#views/form.tsx";
import { Badge, Card, Facts, Money, Table, Time } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";
import { WalletChange } from "#views/wallets.tsx";

export const config = { unstable_runtimeJS: false };

type Merchant = z.infer<typeof merchantResponseSchema>["data"];

export default function MerchantPage(merchant: Merchant): ReactNode {
  const { t, f } = usePage();
  const { name, merchant_id: id, suspended_at, wallets } = merchant;
  const perMinute = (limit: number | null) =>
    limit === null ? t("admin.merchants.standard") : t("admin.merchants.perMinute", { count: limit });
  return (
    <AdminFrame title={name} back={{ href: "/admin/merchants", text: t("admin.merchants.title") }}>
      <Card
        title={t("admin.merchants.account")}
        tools={<Badge status={suspended_at === null ? "active" : "suspended"} />}
      >
        <Facts
          rows={[
            [
              t("admin.merchants.id"),
              <code key="id" className="id">
                {id}
              </code>,
            ],
            [t("list.created"), <Time key="created" at={merchant.created_at} />],
            [
              t("admin.merchants.suspendedAt"),
              suspended_at === null ? null : <Time key="suspended" at={suspended_at} />,
            ],
            [t("admin.merchants.partnerApi"), t(merchant.partner_api ? "list.yes" : "list.no")],
            [
              t("admin.merchants.refundsNeedApproval"),
              t(merchant.refunds_need_approval ? "list.yes" : "list.no"),
            ],
            [t("admin.merchants.payRequests"), perMinute(merchant.pay_requests_per_minute)],
            [t("admin.merchants.partnerRequests"), perMinute(merchant.partner_requests_per_minute)],
            [t("admin.merchants.noticeEmail"), merchant.notice_email],
            [t("admin.merchants.credentials"), f.number(merchant.credentials)],
          ]}
        />
        <p className="tools">
          {modeSchema.options.map((mode) => (
            <a key={mode} className="button quiet" href={merchantPath(id, mode)}>
              {t("admin.merchants.open", { mode: t(`mode.${mode}`) })}
            </a>
          ))}
        </p>
        <div className="tools">
          <Switches merchant={merchant} />
          <RateLimits merchant={merchant} />
          <a className="button quiet" href={`/admin/limits?merchant=${id}`}>
            {t("admin.limits.title")}
          </a>
        </div>
      </Card>
      <Card title={t("nav.wallets")}>
        {wallets.length === 0 ? (
          <p>{t("admin.merchants.noWallets")}</p>
        ) : (
          <Table
            caption={t("nav.wallets")}
            rows={wallets}
            keyOf={({ mode, currency }) => `${mode} ${currency}`}
            columns={[
              { title: t("filter.currency"), cell: ({ currency }) => currency },
              { title: t("frame.mode"), cell: ({ mode }) => <Badge status={mode} /> },
              {
                title: t("statement.balance"),
                cell: ({ balance }) => <Money money={balance} />,
                number: true,
              },
              { title: t("admin.merchants.held"), cell: ({ held }) => <Money money={held} />, number: true },
              {
                title: t("list.status"),
                cell: ({ closed }) => <Badge status={closed ? "closed" : "active"} />,
              },
              {
                title: t("list.actions"),
                cell: ({ mode, currency, closed }) => (
                  <WalletChange of={`${mode} ${currency}`} closed={closed} />
                ),
              },
            ]}
          />
        )}
        <OpenWallet />
      </Card>
    </AdminFrame>
  );
}

const SWITCHES = ["suspended", "partner_api", "refunds_need_approval"] as const;

/** Renders a merchant's switches. Each switch submits the new state, so that an outdated page does not toggle it back. */
function Switches({ merchant }: { merchant: Merchant }): ReactNode {
  const { t } = usePage();
  const now = { ...merchant, suspended: merchant.suspended_at !== null };
  return (
    <ConfirmedForm label={t("list.change")} testId="switches" action="switch">
      <SecondFactorField />
      <div className="tools">
        {SWITCHES.map((field) => (
          <Button
            key={field}
            kind={field === "suspended" && !now.suspended ? "danger" : "quiet"}
            name="set"
            value={`${field} ${!now[field]}`}
          >
            {t(`admin.switch.${field}.${now[field] ? "off" : "on"}`)}
          </Button>
        ))}
      </div>
    </ConfirmedForm>
  );
}

const LIMITS = ["pay_requests_per_minute", "partner_requests_per_minute"] as const;

/** Renders the merchant's rate limits and notification address. An empty rate limit means the default. */
function RateLimits({ merchant }: { merchant: Merchant }): ReactNode {
  const { t } = usePage();
  return (
    <ConfirmedForm label={t("admin.merchants.limits")} testId="rate-limits" action="limits">
      {LIMITS.map((name) => (
        <Field
          key={name}
          name={name}
          label={t(`admin.merchants.${name}`)}
          hint={t("admin.merchants.limitHint")}
          inputMode="numeric"
          value={String(merchant[name] ?? "")}
          optional
        />
      ))}
      <Field
        name="notice_email"
        type="email"
        label={t("admin.merchants.noticeEmail")}
        value={merchant.notice_email ?? ""}
        optional
      />
      <SecondFactorField />
      <Button>{t("form.save")}</Button>
    </ConfirmedForm>
  );
}

/** Reads a rate limit; null if the field is empty. @throws FormRejected unless the limit is a whole number above zero with at most nine digits */
function readLimit(form: URLSearchParams, name: string): number | null {
  const text = textField(form, name);
  if (text === "") return null;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : rejectField(name, "error.number");
}

function OpenWallet(): ReactNode {
  const { t } = usePage();
  return (
    <ConfirmedForm label={t("admin.merchants.openWallet")} testId="open-wallet" action="wallet">
      <ModeSelect />
      <Field name="currency" label={t("filter.currency")} hint="EUR" />
      <SecondFactorField />
      <Button>{t("admin.merchants.openWallet")}</Button>
    </ConfirmedForm>
  );
}

const setSchema = z.enum(SWITCHES.flatMap((field) => [`${field} true`, `${field} false`] as const));

export const getServerSideProps = consolePage<Merchant>({
  load: ({ read, part }) =>
    read(joinPath("administration", "merchants", part("merchant")), merchantResponseSchema),
  actions: {
    switch: async ({ change, part }, form) => {
      const [field = "", value] = choiceField(form, "set", setSchema).split(" ");
      const path = joinPath("administration", "merchants", part("merchant"));
      await change(path, merchantResponseSchema, { [field]: value === "true" });
      return done(joinPath("admin", "merchants", part("merchant")), "admin.merchants.changed");
    },
    limits: async ({ change, part }, form) => {
      const path = joinPath("administration", "merchants", part("merchant"));
      const limits = Object.fromEntries(LIMITS.map((name) => [name, readLimit(form, name)]));
      const fields = { ...limits, notice_email: textField(form, "notice_email") || null };
      await change(path, merchantResponseSchema, fields);
      return done(joinPath("admin", "merchants", part("merchant")), "admin.merchants.changed");
    },
    wallet: async ({ change, part }, form) => {
      const path = joinPath("administration", "merchants", part("merchant"), "wallets");
      const fields = {
        mode: choiceField(form, "mode", modeSchema),
        currency: requiredField(form, "currency").toUpperCase(),
        open: true,
      };
      const { changed } = await change(path, changedResponseSchema, fields);
      const text = changed ? "admin.merchants.walletOpen" : "admin.merchants.walletWasOpen";
      const values = { currency: textField(form, "currency").toUpperCase() };
      return done(joinPath("admin", "merchants", part("merchant")), text, values);
    },
    "wallet-state": async ({ change, part }, form) => {
      const [mode, currency = ""] = requiredField(form, "of").split(" ");
      const path = joinPath("administration", "merchants", part("merchant"), "wallets");
      const { open, notice } = readWalletState(form, currency);
      await change(path, changedResponseSchema, { mode, currency, open });
      return { to: joinPath("admin", "merchants", part("merchant")), flash: { notice } };
    },
  },
});
