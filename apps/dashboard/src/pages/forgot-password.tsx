import { consoleDoneResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { requiredFields } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { Button, Field, Form } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

export default function ForgotPasswordPage(): ReactNode {
  const { t } = usePage();
  return (
    <Frame title={t("forgot.title")} back={{ href: "/sign-in", text: t("signIn.title") }} narrow>
      <div className="card">
        <p className="soft">{t("forgot.text")}</p>
        <Form action="ask">
          <Field name="email" type="email" label={t("field.email")} autoComplete="username" />
          <Button>{t("forgot.button")}</Button>
        </Form>
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage({
  open: true,
  load: async () => ({}),
  actions: {
    ask: async ({ change }, form) => {
      await change("/password-reset", consoleDoneResponseSchema, requiredFields(form, "email"));
      return done("/sign-in", "forgot.sent");
    },
  },
});
