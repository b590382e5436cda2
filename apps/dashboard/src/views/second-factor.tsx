import Head from "next/head";
import type { ReactNode } from "react";
import { withNext } from "#paths.ts";
import { Field } from "./fields";
import { usePage } from "./use-page";

/** Renders a second-factor field; nothing if a factor was verified recently, and a setup link if the user has no second factor. */
export function SecondFactorField(): ReactNode {
  const { page, t } = usePage();
  const { user } = page;
  if (user === null || user.fresh) return null;
  const passkeys = user.passkeys.length > 0;
  if (!user.totp && !passkeys)
    return (
      <p className="box note">
        {t("factor.setUpFirst")}{" "}
        <a href={`${withNext("/account", page.path)}#second-factor`}>{t("factor.setUpLink")}</a>
      </p>
    );
  return <SecondFactorInput totp={user.totp} passkeys={passkeys} />;
}

/** Renders a code field. If a user with passkeys leaves the code empty, the script requests a passkey on submit. */
export function SecondFactorInput({ totp, passkeys }: { totp: boolean; passkeys: boolean }): ReactNode {
  const { t } = usePage();
  const codes = t(totp ? "factor.fieldHint" : "factor.recoveryHint");
  return (
    <>
      {passkeys ? <PasskeyInput name="second_factor_passkey" use="get" /> : null}
      <Field
        name="second_factor"
        label={t(totp ? "factor.field" : "factor.recoveryField")}
        hint={
          passkeys ? (
            <>
              {codes} <span className="with-script">{t("factor.orPasskey")}</span>
              <span className="without-script">{t("passkey.needsScript")}</span>
            </>
          ) : (
            codes
          )
        }
        autoComplete="one-time-code"
        inputMode="text"
        optional={passkeys}
      />
    </>
  );
}

type PasskeyProps = {
  name: string;
  /** `get` signs with a passkey, `create` creates a passkey. */
  use: "get" | "create";
  /** The browser's options for creating a passkey, as JSON. To sign, the script requests a challenge instead. */
  options?: string;
};

/** Renders a hidden field that the script fills with the passkey's result before the form is sent. */
export function PasskeyInput({ name, use, options }: PasskeyProps): ReactNode {
  const { t } = usePage();
  return (
    <>
      <Head>
        <script key="passkey" src={`/assets/passkey.js?v=${process.env.ASSET_VERSION}`} defer />
      </Head>
      <input
        type="hidden"
        name={name}
        data-passkey={use}
        data-options={options}
        data-from="/api/passkey"
        data-failed={t("passkey.notUsed")}
        data-unknown={t("passkey.noSupport")}
      />
      <p className="error" role="alert" data-passkey-error="" hidden />
    </>
  );
}
