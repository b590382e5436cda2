import {
  type ConsolePaymentLink,
  consolePaymentLinkResponseSchema,
  consolePaymentLinksResponseSchema,
  consoleWalletListResponseSchema,
  hasRight,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { readAmountField } from "#server/amounts.ts";
import { consolePage } from "#server/console-page.ts";
import { parseWholeNumber, requiredFields, textField } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { zoneText } from "#texts/formats.ts";
import { Button, ConfirmedForm, Field, Select } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { LinkAmount, LinkState, LinkUses } from "#views/link-uses.tsx";
import { Card, Empty, Table, Time } from "#views/parts.tsx";
import { useMerchantPage, usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { links: ConsolePaymentLink[]; currencies: string[] };

export default function LinksPage({ links, currencies }: Props): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  return (
    <Frame title={t("nav.links")}>
      {hasRight(merchant.role, "links.change") ? (
        <MakeLink first={links.length === 0} currencies={currencies} />
      ) : null}
      {links.length === 0 ? (
        <Empty title={t("link.none")}>
          <p>{t("link.noneText")}</p>
        </Empty>
      ) : (
        <Card>
          <Table
            caption={t("nav.links")}
            rows={links}
            keyOf={({ link_id }) => link_id}
            columns={[
              {
                title: t("link.description"),
                cell: ({ link_id, description }) => (
                  <a href={to("links", link_id)} data-testid="open-link">
                    {description}
                  </a>
                ),
              },
              { title: t("link.amount"), cell: (link) => <LinkAmount link={link} />, number: true },
              { title: t("link.paid"), cell: (link) => <LinkUses link={link} />, number: true },
              { title: t("link.state"), cell: (link) => <LinkState link={link} /> },
              { title: t("link.createdAt"), cell: ({ created_at }) => <Time at={created_at} /> },
            ]}
          />
        </Card>
      )}
    </Frame>
  );
}

function MakeLink({ first, currencies }: { first: boolean; currencies: string[] }): ReactNode {
  const { page, t } = usePage();
  return (
    <ConfirmedForm label={t("link.create")} open={first} testId="make-link" action="make">
      <Field name="description" label={t("link.description")} hint={t("link.descriptionHint")} />
      <Select name="currency" label={t("filter.currency")} choices={currencies} />
      <Field
        name="amount"
        label={t("link.amount")}
        hint={t("link.amountHint")}
        inputMode="decimal"
        optional
      />
      <Field
        name="min_amount"
        label={t("link.min")}
        hint={t("link.boundsHint")}
        inputMode="decimal"
        optional
      />
      <Field name="max_amount" label={t("link.max")} inputMode="decimal" optional />
      <Field name="max_uses" label={t("link.uses")} hint={t("link.usesHint")} inputMode="numeric" optional />
      <Field
        name="expires_on"
        label={t("link.lastDay")}
        hint={t("link.lastDayHint", { zone: zoneText(page.timeZone) })}
        type="date"
        optional
      />
      <Button>{t("link.create")}</Button>
    </ConfirmedForm>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async ({ read, apiPath }) => {
    const [{ links }, { wallets }] = await Promise.all([
      read(apiPath("links"), consolePaymentLinksResponseSchema),
      read(apiPath("wallets"), consoleWalletListResponseSchema),
    ]);
    return { links, currencies: wallets.map(({ balance }) => balance.currency) };
  },
  actions: {
    make: async ({ change, apiPath, consolePath, language }, form) => {
      const { description, currency } = requiredFields(form, "description", "currency");
      const amounts = (["amount", "min_amount", "max_amount"] as const).map((name) => [
        name,
        readAmountField(form, name, { language, currency }),
      ]);
      const uses = textField(form, "max_uses");
      const { link } = await change(apiPath("links"), consolePaymentLinkResponseSchema, {
        description,
        currency,
        ...Object.fromEntries(amounts.filter(([, value]) => value !== "")),
        ...(uses === "" ? {} : { max_uses: parseWholeNumber(uses) }),
        ...(textField(form, "expires_on") === "" ? {} : { expires_on: textField(form, "expires_on") }),
      });
      return done(consolePath("links", link.link_id), "link.createdNotice");
    },
  },
});
