import {
  currencyListResponseSchema,
  currencyResponseSchema,
  singleLimitResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { z } from "zod";
import { joinPath } from "#paths.ts";
import { readAmountField } from "#server/amounts.ts";
import { consolePage } from "#server/console-page.ts";
import {
  choiceField,
  confirmFirst,
  rejectField,
  requiredField,
  requiredFields,
  textField,
} from "#server/forms.ts";
import { done } from "#server/request.ts";
import { AdminFrame } from "#views/admin-frame.tsx";
import { Button, ConfirmedForm, Field, SecondFactorField } from "#views/form.tsx";
import { Badge, Card, Money, Table } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = z.infer<typeof currencyListResponseSchema>["data"];
type Currency = Props["currencies"][number];

export default function CurrenciesPage({ currencies }: Props): ReactNode {
  const { t, f } = usePage();
  return (
    <AdminFrame title={t("admin.currencies.title")}>
      <ConfirmedForm label={t("admin.currencies.add")} testId="add-currency" action="add">
        <Field name="code" label={t("admin.currencies.code")} hint="CHF" />
        <Field name="name" label={t("admin.currencies.name")} />
        <Field name="digits" label={t("admin.currencies.digits")} inputMode="numeric" value="2" />
        <SecondFactorField />
        <Button>{t("admin.currencies.add")}</Button>
      </ConfirmedForm>
      <Card>
        <Table
          caption={t("admin.currencies.title")}
          rows={currencies}
          keyOf={({ code }) => code}
          columns={[
            { title: t("admin.currencies.code"), cell: ({ code }) => code },
            {
              title: t("admin.currencies.name"),
              cell: ({ code, name, symbol }) => `${f.currencyName(code, name)} (${symbol})`,
              words: true,
            },
            { title: t("admin.currencies.digits"), cell: ({ digits }) => digits, number: true },
            {
              title: t("admin.currencies.limit"),
              cell: ({ single_administrator_limit }) => <Money money={single_administrator_limit} />,
              number: true,
            },
            {
              title: t("list.status"),
              cell: ({ active }) => <Badge status={active ? "active" : "inactive"} />,
            },
            {
              title: t("list.actions"),
              cell: (currency) => (
                <div className="tools">
                  <Switch currency={currency} />
                  <SingleLimit currency={currency} />
                </div>
              ),
            },
          ]}
        />
      </Card>
    </AdminFrame>
  );
}

function Switch({ currency: { code, active } }: { currency: Currency }): ReactNode {
  const { t } = usePage();
  return (
    <ConfirmedForm
      label={t(active ? "admin.currencies.off" : "admin.currencies.on")}
      action="switch"
      of={code}
    >
      <p>{t(active ? "admin.currencies.offText" : "admin.currencies.onText")}</p>
      <SecondFactorField />
      <Button kind={active ? "danger" : "main"} name="active" value={String(!active)}>
        {t(active ? "admin.currencies.off" : "admin.currencies.on")}
      </Button>
    </ConfirmedForm>
  );
}

/** Renders a currency's limit for a single administrator. Raising the limit requires another administrator. */
function SingleLimit({ currency: { code, single_administrator_limit } }: { currency: Currency }): ReactNode {
  const { t } = usePage();
  return (
    <ConfirmedForm label={t("admin.currencies.setLimit")} action="limit" of={code}>
      <p>{t("admin.currencies.limitText")}</p>
      <Field
        name="amount"
        label={t("admin.currencies.limit")}
        inputMode="decimal"
        value={single_administrator_limit.amount}
      />
      <SecondFactorField />
      <Button>{t("admin.currencies.setLimit")}</Button>
    </ConfirmedForm>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: ({ read }) => read("/administration/currencies", currencyListResponseSchema),
  actions: {
    add: async ({ change }, form) => {
      const { code, name } = requiredFields(form, "code", "name");
      const digits = Number(textField(form, "digits") || "2");
      if (!Number.isInteger(digits)) rejectField("digits", "error.number");
      const fields = { code: code.toUpperCase(), name, digits };
      await change("/administration/currencies", currencyResponseSchema, fields);
      return done("/admin/currencies", "admin.currencies.added", { code: fields.code });
    },
    limit: async ({ change, language, f }, form) => {
      const currency = requiredField(form, "of");
      requiredField(form, "amount");
      const amount = readAmountField(form, "amount", { language, currency });
      confirmFirst(form, {
        text: "admin.currencies.limitAsk",
        values: { amount: f.money({ amount, currency }) },
        facts: [],
        button: "admin.currencies.setLimit",
      });
      const path = joinPath("administration", "currencies", currency, "single-limit");
      const fields = { amount };
      const { outcome } = await change(path, singleLimitResponseSchema, fields);
      const text = outcome === "set" ? "form.saved" : "admin.currencies.limitRequested";
      return done("/admin/currencies", text);
    },
    switch: async ({ change }, form) => {
      const active = choiceField(form, "active", z.enum(["true", "false"])) === "true";
      const path = joinPath("administration", "currencies", requiredField(form, "of"));
      await change(path, currencyResponseSchema, { active });
      return done("/admin/currencies", "admin.currencies.changed");
    },
  },
});
