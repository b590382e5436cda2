import { randomUUID } from "node:crypto";
import {
  consolePayoutCreatedResponseSchema,
  consoleQuoteResponseSchema,
  consoleWalletListResponseSchema,
  lookupResponseSchema,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { readAmountField } from "#server/amounts.ts";
import { consolePage } from "#server/console-page.ts";
import { requiredField, requiredFields, textField } from "#server/forms.ts";
import { toRecipient } from "#server/payouts.ts";
import { done } from "#server/request.ts";
import { Button, Field, Form, SecondFactorField, Select } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Card, Facts, Money } from "#views/parts.tsx";
import { useMerchantPage, usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { currencies: string[] };

/** Renders a single payout in three steps: recipient and amount, quote, confirmation. */
export default function NewPayoutPage(props: Props): ReactNode {
  const { page, t, to } = useMerchantPage();
  const { secret } = page;
  return (
    <Frame title={t("payout.new")} back={{ href: to("payouts"), text: t("nav.payouts") }} narrow>
      {secret?.kind === "quote" ? (
        <Confirm />
      ) : secret?.kind === "recipient" ? (
        <Amount {...props} />
      ) : (
        <Card>
          <Form action="lookup">
            <Field name="recipient" label={t("payout.to")} hint={t("payout.toHint")} />
            <SecondFactorField />
            <Button testId="lookup">{t("payout.find")}</Button>
          </Form>
        </Card>
      )}
    </Frame>
  );
}

function Amount({ currencies }: Props): ReactNode {
  const { page, t, f } = usePage();
  const { secret } = page;
  if (secret?.kind !== "recipient") return null;
  const { again } = secret;
  return (
    <Card>
      <Facts rows={[[t("payout.recipient"), secret.name]]} />
      <Form action="quote">
        <input type="hidden" name="sealed" value={page.sealed ?? ""} />
        <Field
          name="amount"
          label={t("list.amount")}
          inputMode="decimal"
          {...(again ? { value: f.typed(again.money.amount) } : {})}
        />
        <Select
          name="sender_currency"
          label={t("payout.from")}
          {...(again ? { value: again.money.currency } : {})}
          choices={currencies}
        />
        <Select
          name="receiver_currency"
          label={t("payout.into")}
          {...(again ? { value: again.received } : {})}
          choices={secret.currencies}
        />
        <SecondFactorField />
        <Button testId="quote">{t("payout.quote")}</Button>
      </Form>
    </Card>
  );
}

function Confirm(): ReactNode {
  const { page, t, f, merchant } = useMerchantPage();
  const { secret } = page;
  if (secret?.kind !== "quote") return null;
  const mode = t(`mode.${merchant.mode}`);
  const rate = t("payout.rateOf", {
    from: secret.money.currency,
    rate: f.decimal(secret.rate),
    to: secret.received.currency,
  });
  return (
    <Card>
      <Facts
        rows={[
          [t("payout.recipient"), secret.name],
          [t("list.amount"), <Money key="amount" money={secret.money} />],
          [t("payout.fee"), <Money key="fee" money={secret.fee} />],
          [
            t("payout.total"),
            <strong key="total">
              <Money money={secret.total} />
            </strong>,
          ],
          [t("payout.rate"), secret.money.currency === secret.received.currency ? null : rate],
          [t("payout.received"), <Money key="received" money={secret.received} />],
          [
            t("payout.quoteEnds"),
            <time key="ends" dateTime={secret.expiresAt} data-ends="">
              {f.clock(secret.expiresAt)}
            </time>,
          ],
        ]}
      />
      <Form action="pay">
        <input type="hidden" name="sealed" value={page.sealed ?? ""} />
        <Field name="reference" label={t("order.reference")} hint={t("payout.referenceHint")} />
        <Field name="description" label={t("order.description")} optional />
        <SecondFactorField />
        <Button testId="pay">{t("payout.pay", { mode, total: f.money(secret.total) })}</Button>
      </Form>
      <p>
        <a href={page.path}>{t("payout.again")}</a>
      </p>
    </Card>
  );
}

export const getServerSideProps = consolePage<Props>({
  right: "payouts.create",
  load: async ({ read, apiPath }) => {
    const { wallets } = await read(apiPath("wallets"), consoleWalletListResponseSchema);
    return { currencies: wallets.map(({ currency }) => currency) };
  },
  actions: {
    lookup: async ({ change, apiPath, consolePath }, form) => {
      const recipient = requiredField(form, "recipient");
      const fields = recipient.includes("@")
        ? { email: recipient }
        : { phone: recipient.replace(/[\s().-]/g, "") };
      const found = await change(apiPath("payouts", "lookup"), lookupResponseSchema, fields);
      return { to: consolePath("payouts", "new"), flash: { secret: toRecipient(found) } };
    },
    quote: async ({ change, apiPath, consolePath, unseal: unsealed, language }, form) => {
      const found = unsealed(form.get("sealed"));
      if (found?.kind !== "recipient") return { to: consolePath("payouts", "new") };
      const { amount: _, ...currencies } = requiredFields(
        form,
        "amount",
        "sender_currency",
        "receiver_currency",
      );
      const quote = await change(apiPath("payouts", "quote"), consoleQuoteResponseSchema, {
        lookup_token: found.token,
        amount: readAmountField(form, "amount", { language, currency: currencies.sender_currency }),
        ...currencies,
      });
      const { quote_id: id, expires_at: expiresAt, money, fee, total, received, rate } = quote;
      const shown = { name: found.name, id, expiresAt, money, fee, total, received, rate };
      return {
        to: consolePath("payouts", "new"),
        flash: { secret: { kind: "quote", key: randomUUID(), ...shown } },
      };
    },
    pay: async ({ change, apiPath, consolePath, unseal: unsealed }, form) => {
      const quote = unsealed(form.get("sealed"));
      if (quote?.kind !== "quote") return { to: consolePath("payouts", "new") };
      const description = textField(form, "description");
      const { payout_id, status } = await change(apiPath("payouts"), consolePayoutCreatedResponseSchema, {
        quote_id: quote.id,
        reference: requiredField(form, "reference"),
        ...(description === "" ? {} : { description }),
        idempotency_key: quote.key,
      });
      const text = status === "pending" ? "payout.onHold" : "payout.done";
      return done(consolePath("payouts", payout_id), text);
    },
  },
});
