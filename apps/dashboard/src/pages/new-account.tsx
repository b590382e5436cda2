import { confirmSignUpResponseSchema, readSignUpResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { localPath, withNext } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { requiredFields } from "#server/forms.ts";
import { linkToken } from "#server/request.ts";
import { Button, Field, Form } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Facts } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = { link: z.infer<typeof readSignUpResponseSchema>["data"] };

/** Renders the page that the e-mailed sign-up link opens. Submitting the form consumes the token; opening the page does not. */
export default function NewAccountPage({ link }: Props): ReactNode {
  const { t } = usePage();
  const address = <Facts rows={[[t("field.email"), link.email]]} />;
  if (link.has_user)
    return (
      <Frame title={t("newAccount.taken")} narrow>
        <div className="card">
          {address}
          <p data-testid="account-taken">{t("newAccount.takenText")}</p>
          <a className="button main" href={withNext("/sign-in", localPath(link.next))}>
            {t("signIn.title")}
          </a>
          <p>
            <a href="/forgot-password">{t("signIn.forgot")}</a>
          </p>
        </div>
      </Frame>
    );
  return (
    <Frame title={t("newAccount.title")} narrow>
      <div className="card">
        {address}
        <Form action="make">
          <Field
            name="shop_name"
            label={t("newAccount.shopName")}
            hint={t("newAccount.shopNameHint")}
            autoComplete="organization"
          />
          <Field
            name="password"
            type="password"
            label={t("field.password")}
            hint={t("field.newPasswordHint")}
            autoComplete="new-password"
          />
          <p className="soft">{t("newAccount.sandbox")}</p>
          <Button testId="make-account">{t("newAccount.button")}</Button>
        </Form>
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  open: true,
  load: async ({ change, query }) => ({
    link: await change("/sign-up/link", readSignUpResponseSchema, linkToken(query)),
  }),
  actions: {
    make: async ({ change, query }, form) => {
      const fields = { ...linkToken(query), ...requiredFields(form, "shop_name", "password") };
      const created = await change("/sign-up/confirm", confirmSignUpResponseSchema, fields);
      return { to: localPath(created.next) ?? "/", session: created.session };
    },
  },
});
