import { currencyListResponseSchema, fundsResponseSchema, modeSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { z } from "zod";
import { readAmountField } from "#server/amounts.ts";
import { consolePage } from "#server/console-page.ts";
import { choiceField, confirmFirst, requiredFields } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { AdminFrame } from "#views/admin-frame.tsx";
import { Button, Field, Form, ModeSelect, SecondFactorField, Select } from "#views/form.tsx";
import { Card } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { currencies: string[] };
const kindSchema = z.enum(["deposit", "withdrawal"]);
const ownerSchema = z.enum(["merchant", "user"]);

/** Renders the form for deposits and withdrawals. A live amount above the currency's limit waits for another administrator's approval. */
export default function FundsPage({ currencies }: Props): ReactNode {
  const { page, t } = usePage();
  return (
    <AdminFrame title={t("admin.funds.title")}>
      <Card>
        <p>{t("admin.funds.text")}</p>
        <Form action="move">
          <Select
            name="kind"
            label={t("admin.funds.kind")}
            choices={kindSchema.options.map((value) => ({ value, text: t(`admin.request.${value}`) }))}
          />
          <ModeSelect value="live" />
          <Select
            name="owner"
            label={t("admin.funds.ownerKind")}
            choices={ownerSchema.options.map((value) => ({ value, text: t(`admin.funds.${value}`) }))}
          />
          <Field name="wallet" label={t("admin.funds.owner")} hint={t("admin.funds.ownerHint")} />
          <Field name="amount" label={t("list.amount")} inputMode="decimal" />
          <Select name="currency" label={t("filter.currency")} choices={currencies} />
          <Field name="reference" label={t("order.reference")} hint={t("admin.funds.referenceHint")} />
          <SecondFactorField />
          <div className="tools">
            <Button testId="move-funds">{t("admin.funds.move")}</Button>
          </div>
        </Form>
        {page.notice === null ? null : (
          <p>
            <a href="/admin/approvals">{t("admin.nav.approvals")}</a>
          </p>
        )}
      </Card>
    </AdminFrame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read }) => {
    const { currencies } = await read("/administration/currencies", currencyListResponseSchema);
    return { currencies: currencies.filter(({ active }) => active).map(({ code }) => code) };
  },
  actions: {
    move: async ({ change, language, t, f }, form) => {
      const { wallet, currency, reference } = requiredFields(
        form,
        "wallet",
        "amount",
        "currency",
        "reference",
      );
      const kind = choiceField(form, "kind", kindSchema);
      const mode = choiceField(form, "mode", modeSchema);
      const fields = {
        ...{ kind, mode, currency },
        [choiceField(form, "owner", ownerSchema)]: wallet.trim(),
        amount: readAmountField(form, "amount", { language, currency }),
        reference: reference.trim(),
      };
      const path = "/administration/funds";
      // The dry run resolves the wallet's owner and validates the request.
      const planned = await change(path, fundsResponseSchema, { ...fields, dry_run: true });
      confirmFirst(form, {
        text: `admin.funds.ask.${kind}`,
        values: { amount: f.money(planned.money), owner: planned.owner },
        facts: [
          { label: "frame.mode", value: t(`mode.${mode}`) },
          { label: "order.reference", value: fields.reference },
          ...(planned.outcome === "requested"
            ? [{ label: "admin.nav.approvals" as const, value: t("admin.funds.needsApproval") }]
            : []),
        ],
        button: "admin.funds.move",
      });
      const { outcome, money, owner } = await change(path, fundsResponseSchema, fields);
      const values = { amount: f.money(money), owner };
      const text = `admin.funds.${outcome}` as const;
      return done("/admin/funds", text, values);
    },
  },
});
