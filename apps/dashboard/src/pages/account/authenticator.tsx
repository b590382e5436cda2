import { consoleSecondFactorOnResponseSchema, consoleTotpStartResponseSchema } from "@tillgate/contract";
import { qrSvg } from "@tillgate/qr";
import type { ReactNode } from "react";
import { localPath, withNext } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { requiredFields } from "#server/forms.ts";
import { Button, Field, Form, SecondFactorField } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Code } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

/** Renders the setup of an authenticator app: password, QR code, first code. */
export default function AuthenticatorPage(): ReactNode {
  const { page, t } = usePage();
  const { secret } = page;
  return (
    <Frame title={t("factor.setUp")} back={{ href: "/account", text: t("account.title") }} narrow>
      <div className="card">
        {secret?.kind === "authenticator" ? (
          <>
            <p>{t("factor.scan")}</p>
            <QrCode text={secret.uri} title={t("factor.qr")} />
            <Code id="totp-secret" text={secret.secret} label={t("factor.typeInstead")} />
            <Form action="confirm">
              <input type="hidden" name="sealed" value={page.sealed ?? ""} />
              <Field
                name="code"
                label={t("factor.firstCode")}
                inputMode="numeric"
                autoComplete="one-time-code"
              />
              <Button testId="confirm-factor">{t("factor.confirm")}</Button>
            </Form>
          </>
        ) : (
          <Form action="start">
            <p>{t("factor.passwordFirst")}</p>
            <Field
              name="password"
              type="password"
              label={t("field.password")}
              autoComplete="current-password"
            />
            {page.user?.passkeys.length ? <SecondFactorField /> : null}
            <Button testId="start-factor">{t("factor.start")}</Button>
          </Form>
        )}
      </div>
    </Frame>
  );
}

function QrCode({ text, title }: { text: string; title: string }): ReactNode {
  const __html = qrSvg(text, { title });
  // biome-ignore lint/security/noDangerouslySetInnerHtml: SVG from @tillgate/qr, which contains no text here.
  return <div className="qr" dangerouslySetInnerHTML={{ __html }} />;
}

export const getServerSideProps = consolePage({
  load: async () => ({}),
  actions: {
    start: async ({ change, query }, form) => {
      const fields = requiredFields(form, "password");
      const { secret, otpauth_uri: uri } = await change(
        "/second-factor/totp/start",
        consoleTotpStartResponseSchema,
        fields,
      );
      return {
        to: withNext("/account/authenticator", localPath(query("next"))),
        flash: { secret: { kind: "authenticator", secret, uri } },
      };
    },
    confirm: async ({ change, query }, form) => {
      const fields = requiredFields(form, "code");
      const { session, recovery_codes: codes } = await change(
        "/second-factor/totp/confirm",
        consoleSecondFactorOnResponseSchema,
        fields,
      );
      // Only the user's first second factor creates recovery codes. It also ends the user's other sessions.
      const isFirst = codes.length > 0;
      const flash = {
        notice: {
          tone: "good" as const,
          text: isFirst ? ("factor.firstOn" as const) : ("factor.isOn" as const),
        },
        ...(isFirst ? { secret: { kind: "recovery" as const, codes } } : {}),
      };
      return { to: withNext("/account", localPath(query("next"))), session, flash };
    },
  },
});
