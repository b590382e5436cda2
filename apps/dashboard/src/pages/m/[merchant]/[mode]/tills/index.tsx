import {
  type ConsoleTill,
  consoleTillResponseSchema,
  consoleTillsResponseSchema,
  consoleWalletListResponseSchema,
  hasRight,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { requiredField, requiredFields } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { Button, ConfirmedForm, Field, Form, Select } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Card, Empty, Table } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { tills: ConsoleTill[]; currencies: string[] };

export default function TillsPage({ tills, currencies }: Props): ReactNode {
  const { t, merchant, to: path } = useMerchantPage();
  const changes = hasRight(merchant.role, "tills.change");
  const to = (...parts: string[]) => path("tills", ...parts);
  return (
    <Frame title={t("nav.tills")}>
      {changes ? (
        <ConfirmedForm label={t("till.create")} open={tills.length === 0} testId="make-till" action="make">
          <Field name="name" label={t("till.name")} hint={t("till.nameHint")} />
          <Field name="terminal_id" label={t("till.terminal")} hint={t("till.terminalHint")} />
          <Select name="currency" label={t("filter.currency")} choices={currencies} />
          <Button>{t("till.create")}</Button>
        </ConfirmedForm>
      ) : null}
      {tills.length === 0 ? (
        <Empty title={t("till.none")}>
          <p>{t("till.noneText")}</p>
        </Empty>
      ) : (
        <Card>
          <Table
            caption={t("nav.tills")}
            rows={tills}
            keyOf={({ till_id }) => till_id}
            columns={[
              {
                title: t("till.name"),
                cell: ({ till_id, name, paused }) =>
                  paused ? (
                    `${name} · ${t("till.paused")}`
                  ) : (
                    <a href={to(till_id)} data-testid="open-till">
                      {name}
                    </a>
                  ),
              },
              { title: t("till.terminal"), cell: ({ terminal_id }) => terminal_id },
              { title: t("filter.currency"), cell: ({ currency }) => currency },
              {
                title: t("till.code"),
                cell: ({ till_id }) => <a href={to(till_id, "code")}>{t("till.showCode")}</a>,
              },
              ...(changes
                ? [
                    {
                      title: t("list.actions"),
                      cell: ({ till_id, paused }: ConsoleTill) => (
                        <Form action={paused ? "open" : "pause"} className="inline">
                          <input type="hidden" name="till" value={till_id} />
                          <Button kind="link">{t(paused ? "till.resume" : "till.pause")}</Button>
                        </Form>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        </Card>
      )}
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath }) => {
    const [{ tills }, { wallets }] = await Promise.all([
      read(apiPath("tills"), consoleTillsResponseSchema),
      read(apiPath("wallets"), consoleWalletListResponseSchema),
    ]);
    return { tills, currencies: wallets.map(({ balance }) => balance.currency) };
  },
  actions: {
    make: async ({ change, apiPath, consolePath }, form) => {
      const fields = requiredFields(form, "name", "terminal_id", "currency");
      await change(apiPath("tills"), consoleTillResponseSchema, fields);
      return done(consolePath("tills"), "till.createdNotice");
    },
    pause: async ({ change, apiPath, consolePath }, form) => {
      await change(apiPath("tills", requiredField(form, "till")), consoleTillResponseSchema, {
        paused: true,
      });
      return { to: consolePath("tills") };
    },
    open: async ({ change, apiPath, consolePath }, form) => {
      await change(apiPath("tills", requiredField(form, "till")), consoleTillResponseSchema, {
        paused: false,
      });
      return { to: consolePath("tills") };
    },
  },
});
