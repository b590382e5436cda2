import { currencyListAnswerSchema, fundsAnswerSchema, modeSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { z } from "zod";
import { change, read } from "../../edge/console-edge";
import { consolePage } from "../../page/console-page";
import { allNeeded, choiceOf, decimalOf } from "../../page/form-reader";
import { AdminFrame } from "../../views/admin-frame";
import { Button, Field, Form, SecondFactorField, Select } from "../../views/form";
import { Card } from "../../views/parts";
import { usePage } from "../../views/use-page";

export const config = { unstable_runtimeJS: false };

type Props = { currencies: string[] };
const kindSchema = z.enum(["deposit", "withdrawal"]);
const ownerSchema = z.enum(["merchant", "user"]);

/** Money that came from outside, or goes there. Above a currency's limit it waits for another administrator. */
export default function FundsPage({ currencies }: Props): ReactNode {
  const { page, t } = usePage();
  return (
    <AdminFrame title={t("admin.funds.title")}>
      <Card>
        <p>{t("admin.funds.text")}</p>
        <Form action="move" confirm={t("admin.funds.confirm")}>
          <Select
            name="kind"
            label={t("admin.funds.kind")}
            choices={kindSchema.options.map((value) => ({ value, text: t(`admin.request.${value}`) }))}
          />
          <Select
            name="mode"
            label={t("frame.mode")}
            value="live"
            choices={modeSchema.options.map((value) => ({ value, text: t(`mode.${value}`) }))}
          />
          <Select
            name="owner"
            label={t("admin.funds.ownerKind")}
            choices={ownerSchema.options.map((value) => ({ value, text: t(`admin.funds.${value}`) }))}
          />
          <Field name="of" label={t("admin.funds.owner")} hint={t("admin.funds.ownerHint")} />
          <Field name="amount" label={t("list.amount")} inputMode="decimal" />
          <Select
            name="currency"
            label={t("filter.currency")}
            choices={currencies.map((value) => ({ value, text: value }))}
          />
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
  load: async ({ caller }) => {
    const { currencies } = await read(caller, "/administration/currencies", currencyListAnswerSchema);
    return { currencies: currencies.filter(({ active }) => active).map(({ code }) => code) };
  },
  actions: {
    move: async ({ caller }, form) => {
      const { of, amount, currency, reference } = allNeeded(form, "of", "amount", "currency", "reference");
      const { outcome, money, owner } = await change(caller, "/administration/funds", fundsAnswerSchema, {
        kind: choiceOf(form, "kind", kindSchema),
        mode: choiceOf(form, "mode", modeSchema),
        [choiceOf(form, "owner", ownerSchema)]: of.trim(),
        amount: decimalOf(amount),
        currency,
        reference: reference.trim(),
      });
      const values = { amount: `${money.amount} ${money.currency}`, owner };
      const text = `admin.funds.${outcome}` as const;
      return { to: "/admin/funds", flash: { notice: { tone: "good", text, values } } };
    },
  },
});
