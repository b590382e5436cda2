import { consoleSecondFactorsResponseSchema } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { z } from "zod";
import { localPath } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { rejectField, requiredField } from "#server/forms.ts";
import { Button, Form } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { PasskeyInput, SecondFactorInput } from "#views/second-factor.tsx";
import { usePage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

type Props = z.infer<typeof consoleSecondFactorsResponseSchema>["data"];

/** Renders the second step of sign-in. The factor is verified like the second factor of every form (server/take-form.ts). */
export default function SecondFactorPage({ totp, passkeys }: Props): ReactNode {
  const { t } = usePage();
  return (
    <Frame title={t("factor.title")} narrow>
      <div className="card">
        {passkeys ? (
          <>
            <Form action="passkey" className="form with-script">
              <PasskeyInput name="second_factor_passkey" use="get" />
              <Button testId="use-passkey">{t("passkey.use")}</Button>
            </Form>
            <p className="without-script">{t("passkey.needsScript")}</p>
            <p className="or with-script">{t("passkey.or")}</p>
          </>
        ) : null}
        <Form action="show">
          <SecondFactorInput totp={totp} passkeys={false} />
          <Button kind={passkeys ? "quiet" : "main"} testId="show-factor">
            {t("factor.button")}
          </Button>
        </Form>
        <Form action="leave" to="/sign-out" className="inline">
          <Button kind="link">{t("factor.other")}</Button>
        </Form>
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  allowPendingFactor: true,
  load: ({ read }) => read("/second-factor", consoleSecondFactorsResponseSchema),
  actions: {
    passkey: async ({ query }, form) => {
      if (!form.get("second_factor_passkey")) rejectField(null, "apiError.passkey_refused");
      return { to: localPath(query("next")) ?? "/" };
    },
    show: async ({ query }, form) => {
      requiredField(form, "second_factor");
      return { to: localPath(query("next")) ?? "/" };
    },
  },
});
