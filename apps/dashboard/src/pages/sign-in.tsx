import { consoleSessionTokenResponseSchema, signUpOpenResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { localPath, withNext } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { requiredFields } from "#server/forms.ts";
import { Button, Field, Form } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = {
  /** Whether sandbox sign-up is open. */
  open: boolean;
  next: string | null;
};

export default function SignInPage({ open, next }: Props): ReactNode {
  const { t } = usePage();
  return (
    <Frame title={t("signIn.title")} narrow>
      <div className="card">
        <Form action="sign-in">
          <Field name="email" type="email" label={t("field.email")} autoComplete="username" />
          <Field
            name="password"
            type="password"
            label={t("field.password")}
            autoComplete="current-password"
          />
          <Button testId="sign-in">{t("signIn.button")}</Button>
        </Form>
        <p>
          <a href="/forgot-password">{t("signIn.forgot")}</a>
        </p>
        {open ? (
          <p>
            {t("signIn.newHere")}{" "}
            <a href={withNext("/sign-up", next)} data-testid="to-sign-up">
              {t("signUp.title")}
            </a>
          </p>
        ) : null}
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  open: true,
  load: async ({ read, query }) => ({
    ...(await read("/sign-up", signUpOpenResponseSchema)),
    next: localPath(query("next")),
  }),
  actions: {
    "sign-in": async ({ change, query }, form) => {
      const fields = requiredFields(form, "email", "password");
      const { session, state } = await change("/sign-in", consoleSessionTokenResponseSchema, fields);
      const next = localPath(query("next")) ?? "/";
      const to = state === "signed_in" ? next : `/second-factor?next=${encodeURIComponent(next)}`;
      return { to, session };
    },
  },
});
