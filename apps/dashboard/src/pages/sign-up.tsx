import { signUpOpenResponseSchema, signUpResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import { localPath, withNext } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { requiredFields } from "#server/forms.ts";
import { done } from "#server/request.ts";
import { Button, Field, Form } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

export default function SignUpPage({ next }: { next: string | null }): ReactNode {
  const { t } = usePage();
  return (
    <Frame
      title={t("signUp.title")}
      back={{ href: withNext("/sign-in", next), text: t("signIn.title") }}
      narrow
    >
      <div className="card">
        <p>{t("signUp.text")}</p>
        <Form action="ask">
          <Field name="email" type="email" label={t("field.email")} autoComplete="username" />
          <Button testId="sign-up">{t("signUp.button")}</Button>
        </Form>
        <p className="soft">{t("signUp.link")}</p>
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage({
  open: true,
  load: async ({ read, query }) => {
    const { open } = await read("/sign-up", signUpOpenResponseSchema);
    return open ? { next: localPath(query("next")) } : null;
  },
  actions: {
    ask: async ({ change, query }, form) => {
      const next = localPath(query("next"));
      const { token } = await change("/sign-up", signUpResponseSchema, {
        ...requiredFields(form, "email"),
        next,
      });
      if (token === null) return done(withNext("/sign-in", next), "signUp.sent");
      // In development, e-mails are files on this machine, so the page shows the link itself.
      return {
        to: `/new-account?token=${encodeURIComponent(token)}`,
        flash: { notice: { tone: "note", text: "signUp.noMail" } },
      };
    },
  },
});
