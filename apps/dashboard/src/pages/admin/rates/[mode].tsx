import { rateListResponseSchema, ratesSetResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { joinPath } from "#paths.ts";
import { readAmountField } from "#server/amounts.ts";
import { consolePage } from "#server/console-page.ts";
import { confirmFirst, requiredField, requiredFields } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { AdminFrame, ModeTabs } from "#views/admin-frame.tsx";
import { Button, Confirmation, Field, Form, SecondFactorField, useRedisplayed } from "#views/form.tsx";
import { Badge, Card, Empty, Table, Time } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = z.infer<typeof rateListResponseSchema>["data"] & { mode: string; past: boolean };

export default function RatesPage({ rates, mode, past }: Props): ReactNode {
  const { t, f } = usePage();
  const [setting, importing] = [useRedisplayed(["set"]), useRedisplayed(["import"])];
  const basePath = joinPath("admin", "rates", mode);
  return (
    <AdminFrame title={t("admin.rates.title")} tools={<ModeTabs section="rates" mode={mode} />}>
      <div className="tools">
        <Confirmation label={t("admin.rates.set")} open={setting} testId="set-rate">
          <Form action="set">
            <Field name="base" label={t("admin.rates.base")} hint="EUR" />
            <Field name="quote" label={t("admin.rates.quote")} hint="XAF" />
            <Field name="rate" label={t("admin.rates.rate")} inputMode="decimal" />
            <Field name="spread_percent" label={t("admin.rates.spread")} inputMode="decimal" optional />
            <SecondFactorField />
            <Button>{t("admin.rates.set")}</Button>
          </Form>
        </Confirmation>
        <Confirmation label={t("admin.rates.import")} open={importing} testId="import-rates">
          <Form action="import">
            <p>{t("admin.rates.importText")}</p>
            <Lines name="csv" label={t("admin.rates.csv")} />
            <SecondFactorField />
            <Button>{t("admin.rates.import")}</Button>
          </Form>
        </Confirmation>
        <a href={past ? basePath : `${basePath}?past=1`}>
          {t(past ? "admin.rates.hidePast" : "admin.rates.showPast")}
        </a>
      </div>
      {rates.length === 0 ? (
        <Empty title={t("admin.rates.none")} />
      ) : (
        <Card>
          <Table
            caption={t("admin.rates.title")}
            rows={rates}
            keyOf={({ base, quote, effective_from }) => `${base} ${quote} ${effective_from}`}
            columns={[
              { title: t("admin.rates.pair"), cell: ({ base, quote }) => `${base} → ${quote}` },
              { title: t("admin.rates.rate"), cell: ({ rate }) => f.decimal(rate), number: true },
              {
                title: t("admin.rates.spread"),
                cell: ({ spread_percent }) => f.percentage(spread_percent),
                number: true,
              },
              {
                title: t("admin.rates.after"),
                cell: ({ rate_after_spread }) => f.decimal(rate_after_spread),
                number: true,
              },
              { title: t("admin.rates.from"), cell: ({ effective_from }) => <Time at={effective_from} /> },
              { title: t("list.status"), cell: ({ standing }) => <Badge status={standing} /> },
            ]}
          />
        </Card>
      )}
    </AdminFrame>
  );
}

function Lines({ name, label }: { name: string; label: string }): ReactNode {
  const { page } = usePage();
  const value = page.form?.action === "import" ? page.form.values[name] : undefined;
  return (
    <div className="field">
      <label htmlFor={`lines-${name}`}>{label}</label>
      <textarea id={`lines-${name}`} name={name} rows={8} defaultValue={value} spellCheck={false} required />
    </div>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, part, query }) => {
    const past = query("past") !== undefined;
    const path = joinPath("administration", "rates", part("mode"));
    const list = await read(path, rateListResponseSchema, past ? { past: "true" } : {});
    return { ...list, mode: part("mode"), past };
  },
  actions: {
    set: async ({ change, part, language, t, f }, form) => {
      const { base, quote } = requiredFields(form, "base", "quote", "rate");
      const rate = readAmountField(form, "rate", { language, currency: null });
      const spread = readAmountField(form, "spread_percent", { language, currency: null });
      const fields = {
        base: base.trim().toUpperCase(),
        quote: quote.trim().toUpperCase(),
        rate,
        ...(spread ? { spread_percent: spread } : {}),
      };
      confirmFirst(form, {
        text: "admin.rates.ask",
        values: { base: fields.base, quote: fields.quote, rate: f.decimal(rate) },
        facts: [
          { label: "admin.rates.spread", value: f.percentage(spread || "0") },
          { label: "frame.mode", value: t(part("mode") === "live" ? "mode.live" : "mode.sandbox") },
        ],
        button: "admin.rates.set",
      });
      await change(joinPath("administration", "rates", part("mode")), ratesSetResponseSchema, fields);
      const values = { pair: `${fields.base} → ${fields.quote}` };
      return done(joinPath("admin", "rates", part("mode")), "admin.rates.isSet", values);
    },
    import: async ({ change, part }, form) => {
      const path = joinPath("administration", "rates", part("mode"), "import");
      const { rates } = await change(path, ratesSetResponseSchema, {
        csv: requiredField(form, "csv"),
      });
      return done(joinPath("admin", "rates", part("mode")), "admin.rates.imported", { count: rates });
    },
  },
});
