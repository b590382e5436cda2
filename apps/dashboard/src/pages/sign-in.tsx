import { consoleSessionTokenAnswerSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { change } from "../edge/console-edge";
import { localPath } from "../http/local-path";
import { consolePage } from "../page/console-page";
import { allNeeded } from "../page/form-reader";
import { Button, Field, Form } from "../views/form";
import { Frame } from "../views/frame";
import { usePage } from "../views/use-page";

export const config = { unstable_runtimeJS: false };

export default function SignInPage(): ReactNode {
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
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage({
  open: true,
  load: async () => ({}),
  actions: {
    "sign-in": async ({ caller, query }, form) => {
      const fields = allNeeded(form, "email", "password");
      const { session, state } = await change(caller, "/sign-in", consoleSessionTokenAnswerSchema, fields);
      const next = localPath(query("next")) ?? "/";
      const to = state === "signed_in" ? next : `/second-factor?next=${encodeURIComponent(next)}`;
      return { to, session };
    },
  },
});
