import { feeListResponseSchema, feeSetResponseSchema, modeSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { z } from "zod";
import { readAmountField } from "#server/amounts.ts";
import { consolePage } from "#server/console-page.ts";
import { choiceField, confirmFirst, requiredFields, textField } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { AdminFrame } from "#views/admin-frame.tsx";
import { Button, ConfirmedForm, Field, ModeSelect, SecondFactorField } from "#views/form.tsx";
import { Badge, Card, Empty, Money, Table } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = z.infer<typeof feeListResponseSchema>["data"];
type Fee = Props["fees"][number];
const feeKeySchema = z.object({ mode: modeSchema, currency: z.string(), merchant: z.string().nullable() });

/** Renders the payout fees by currency; a merchant's fee overrides the default. */
export default function FeesPage({ fees }: Props): ReactNode {
  const { t, f } = usePage();
  return (
    <AdminFrame title={t("admin.fees.title")}>
      <ConfirmedForm label={t("admin.fees.set")} testId="set-fee" action="set">
        <ModeSelect />
        <Field name="currency" label={t("filter.currency")} hint="EUR" />
        <Field name="merchant" label={t("admin.merchant")} hint={t("admin.fees.merchantHint")} optional />
        <Field name="fixed" label={t("admin.fees.fixed")} inputMode="decimal" value="0" />
        <Field name="percent" label={t("admin.fees.percent")} inputMode="decimal" value="0" />
        <SecondFactorField />
        <Button>{t("admin.fees.set")}</Button>
      </ConfirmedForm>
      {fees.length === 0 ? (
        <Empty title={t("admin.fees.none")} />
      ) : (
        <Card>
          <Table
            caption={t("admin.fees.title")}
            rows={fees}
            keyOf={toFeeKey}
            columns={[
              {
                title: t("admin.merchant"),
                cell: ({ merchant }) => merchant ?? t("admin.fees.general"),
                words: true,
              },
              { title: t("frame.mode"), cell: ({ mode }) => <Badge status={mode} /> },
              { title: t("filter.currency"), cell: ({ fixed }) => fixed.currency },
              { title: t("admin.fees.fixed"), cell: ({ fixed }) => <Money money={fixed} />, number: true },
              {
                title: t("admin.fees.percent"),
                cell: ({ percent }) => f.percentage(percent),
                number: true,
              },
              { title: t("list.actions"), cell: (fee) => <Remove fee={fee} /> },
            ]}
          />
        </Card>
      )}
    </AdminFrame>
  );
}

const toFeeKey = ({ mode, merchant, fixed }: Fee): string =>
  JSON.stringify({ mode, currency: fixed.currency, merchant });

function Remove({ fee }: { fee: Fee }): ReactNode {
  const { t } = usePage();
  const cells = toFeeKey(fee);
  return (
    <ConfirmedForm label={t("admin.fees.remove")} action="remove" of={cells}>
      <p>{t("admin.fees.removeText")}</p>
      <SecondFactorField />
      <Button kind="danger">{t("admin.fees.remove")}</Button>
    </ConfirmedForm>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: ({ read }) => read("/administration/fees", feeListResponseSchema),
  actions: {
    set: async ({ change, language, t, f }, form) => {
      const currency = requiredFields(form, "currency", "fixed", "percent").currency.trim().toUpperCase();
      const fixed = readAmountField(form, "fixed", { language, currency });
      const percent = readAmountField(form, "percent", { language, currency: null });
      const merchant = textField(form, "merchant");
      const mode = choiceField(form, "mode", modeSchema);
      confirmFirst(form, {
        text: "admin.fees.ask",
        values: { fixed: f.money({ amount: fixed, currency }), percent: f.percentage(percent) },
        facts: [
          { label: "admin.merchant", value: merchant === "" ? t("admin.fees.general") : merchant },
          { label: "frame.mode", value: t(`mode.${mode}`) },
        ],
        button: "admin.fees.set",
      });
      await change("/administration/fees", feeSetResponseSchema, {
        ...{ mode, currency, fixed, percent },
        ...(merchant === "" ? {} : { merchant }),
      });
      return done("/admin/fees", "form.saved");
    },
    remove: async ({ change }, form) => {
      const { merchant, ...key } = feeKeySchema.parse(JSON.parse(textField(form, "of")));
      const fields = { ...key, ...(merchant === null ? {} : { merchant }) };
      await change("/administration/fees", feeSetResponseSchema, fields);
      return done("/admin/fees", "form.saved");
    },
  },
});
