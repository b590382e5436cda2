import { changedResponseSchema, limitListResponseSchema, modeSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { z } from "zod";
import { ApiError } from "#internal-api.ts";
import { readAmountField } from "#server/amounts.ts";
import { consolePage } from "#server/console-page.ts";
import { choiceField, confirmFirst, requiredFields, textField } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { AdminFrame } from "#views/admin-frame.tsx";
import { Button, ConfirmedForm, Field, ModeSelect, SecondFactorField, Select } from "#views/form.tsx";
import { Badge, Card, Empty, Money, Table } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Limits = z.infer<typeof limitListResponseSchema>["data"]["limits"];
type Props = { limits: Limits; merchant: string | null };
type Amount = Limits[number]["daily"];

const AMOUNTS = ["per_transaction", "daily", "monthly", "review_above"] as const;
const authorizedSchema = z.enum(["keep", "yes", "no"]);

export default function LimitsPage({ limits, merchant }: Props): ReactNode {
  const { t } = usePage();
  const amount = (money: Amount) => (money === null ? t("admin.limits.without") : <Money money={money} />);
  return (
    <AdminFrame title={t("admin.limits.title")}>
      <form className="filters" method="get" action="/admin/limits">
        <label>
          <span>{t("admin.merchants.search")}</span>
          <input type="search" name="merchant" defaultValue={merchant ?? ""} autoComplete="off" />
        </label>
        <button type="submit" className="button quiet">
          {t("filter.apply")}
        </button>
      </form>
      <ConfirmedForm label={t("admin.limits.set")} testId="set-limits" action="set">
        <Field name="merchant" label={t("admin.merchants.search")} value={merchant ?? ""} />
        <ModeSelect />
        <Field name="currency" label={t("filter.currency")} hint="EUR" />
        <Select
          name="authorized"
          label={t("admin.limits.authorized")}
          choices={authorizedSchema.options.map((value) => ({ value, text: t(`admin.limits.${value}`) }))}
        />
        {AMOUNTS.map((name) => (
          <Field
            key={name}
            name={name}
            label={t(`admin.limits.${name}`)}
            hint={t("admin.limits.hint")}
            inputMode="decimal"
            optional
          />
        ))}
        <SecondFactorField />
        <Button>{t("admin.limits.set")}</Button>
      </ConfirmedForm>
      {limits.length === 0 ? (
        <Empty title={t("admin.limits.none")} />
      ) : (
        <Card>
          <Table
            caption={t("admin.limits.title")}
            rows={limits}
            keyOf={(row) => `${row.merchant} ${row.mode} ${row.currency}`}
            columns={[
              {
                title: t("admin.merchant"),
                cell: ({ merchant: name, mode, currency }) => (
                  <>
                    {name} <Badge status={mode} /> {currency}
                  </>
                ),
              },
              {
                title: t("admin.limits.authorized"),
                cell: ({ authorized }) => t(authorized ? "list.yes" : "list.no"),
              },
              {
                title: t("admin.limits.per_transaction"),
                cell: ({ per_transaction }) => amount(per_transaction),
                number: true,
              },
              { title: t("admin.limits.daily"), cell: ({ daily }) => amount(daily), number: true },
              {
                title: t("admin.limits.used_today"),
                cell: ({ used_today }) => amount(used_today),
                number: true,
              },
              { title: t("admin.limits.monthly"), cell: ({ monthly }) => amount(monthly), number: true },
              {
                title: t("admin.limits.review_above"),
                cell: ({ review_above }) => amount(review_above),
                number: true,
              },
            ]}
          />
        </Card>
      )}
    </AdminFrame>
  );
}

const NO_LIMIT = ["-", "–"];

const inAuthorized = { keep: undefined, yes: true, no: false } as const;

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, query }) => {
    const merchant = query("merchant")?.trim() || null;
    try {
      const filter = merchant === null ? {} : { merchant };
      return { ...(await read("/administration/limits", limitListResponseSchema, filter)), merchant };
    } catch (error) {
      // For an unknown merchant, show an empty list and keep the input.
      if (error instanceof ApiError && error.status === 404) return { limits: [], merchant };
      throw error;
    }
  },
  actions: {
    set: async ({ change, language, t, f }, form) => {
      const fields = requiredFields(form, "merchant", "currency");
      const [merchant, currency] = [fields.merchant.trim(), fields.currency.trim().toUpperCase()];
      const mode = choiceField(form, "mode", modeSchema);
      const authorized = choiceField(form, "authorized", authorizedSchema);
      // An empty field leaves the limit unchanged; a dash removes it.
      const limits = AMOUNTS.flatMap((name) => {
        const text = textField(form, name);
        if (text === "") return [];
        const amount = NO_LIMIT.includes(text) ? null : readAmountField(form, name, { language, currency });
        return [{ name, amount }];
      });
      confirmFirst(form, {
        text: "admin.limits.ask",
        values: { merchant, currency, mode: t(`mode.${mode}`) },
        facts: [
          { label: "admin.limits.authorized", value: t(`admin.limits.${authorized}`) },
          ...limits.map(({ name, amount }) => ({
            label: `admin.limits.${name}` as const,
            value: amount === null ? t("admin.limits.without") : f.money({ amount, currency }),
          })),
        ],
        button: "admin.limits.set",
      });
      await change("/administration/limits", changedResponseSchema, {
        ...{ merchant, mode, currency, authorized: inAuthorized[authorized] },
        ...Object.fromEntries(limits.map(({ name, amount }) => [name, amount])),
      });
      const to = `/admin/limits?merchant=${encodeURIComponent(merchant)}`;
      return done(to, "form.saved");
    },
  },
});
