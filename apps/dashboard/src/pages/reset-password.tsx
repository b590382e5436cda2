import { consoleDoneResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { requiredFields } from "#server/forms.ts";
import { done, linkToken } from "#server/request.ts";
import { Button, Field, Form } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

/** Renders the page that the e-mailed reset link opens. Submitting the form consumes the token; opening the page does not. */
export default function ResetPasswordPage(): ReactNode {
  const { t } = usePage();
  return (
    <Frame title={t("reset.title")} narrow>
      <div className="card">
        <p className="soft">{t("reset.text")}</p>
        <Form action="set">
          <Field
            name="password"
            type="password"
            label={t("field.newPassword")}
            hint={t("field.newPasswordHint")}
            autoComplete="new-password"
          />
          <Button>{t("reset.button")}</Button>
        </Form>
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage({
  open: true,
  load: async ({ change, query }) => {
    await change("/password-reset/link", consoleDoneResponseSchema, linkToken(query));
    return {};
  },
  actions: {
    set: async ({ change, query }, form) => {
      const fields = { ...linkToken(query), ...requiredFields(form, "password") };
      await change("/password-reset/confirm", consoleDoneResponseSchema, fields);
      return done("/sign-in", "reset.done");
    },
  },
});
