import { MAX_IDENTIFIER_LENGTH, PIN_DIGITS } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { Notice } from "#notice.ts";
import { useLocalization } from "./localization";
import { isFieldNotice } from "./notice-box";

export type FieldErrorProps = { name: string; errorText: string | null };

const errorId = (name: string): string => `${name}-fault`;

export function FieldError({ name, errorText }: FieldErrorProps): ReactNode {
  return errorText === null ? null : (
    <p className="fault" id={errorId(name)}>
      {errorText}
    </p>
  );
}

export const getErrorAttributes = ({ name, errorText, wrong }: FieldErrorProps & { wrong: boolean }) => ({
  "aria-invalid": wrong || undefined,
  "aria-describedby": wrong ? (errorText === null ? "notice" : errorId(name)) : undefined,
});

export type PinFieldProps = {
  label: string;
  testId: string;
  /** Whether the field has an error. The field is then marked as invalid, and the error text or the notice describes it. */
  wrong: boolean;
  /** False if another field must be corrected first. */
  focus?: boolean;
  /** Error text; null if the notice explains the error. */
  errorText?: string | null;
  /** Name of the field, in a form with several PINs. */
  name?: "pin" | "new_pin" | "repeated_pin";
  isNew?: boolean;
};

/** Renders the PIN field. Password managers can fill it, but it is never treated as a one-time code. */
export function PinField({
  label,
  testId,
  wrong,
  focus = true,
  errorText = null,
  name = "pin",
  isNew = name !== "pin",
}: PinFieldProps): ReactNode {
  const { texts } = useLocalization();
  return (
    <>
      <label htmlFor={name}>
        {label} <span className="hint">{texts.signIn.pinHint}</span>
      </label>
      <input
        id={name}
        name={name}
        type="password"
        inputMode="numeric"
        autoComplete={isNew ? "new-password" : "current-password"}
        pattern={`\\d{${PIN_DIGITS}}`}
        maxLength={PIN_DIGITS}
        title={texts.signIn.pinHint}
        required
        data-testid={testId}
        {...getErrorAttributes({ name, errorText, wrong })}
        // biome-ignore lint/a11y/noAutofocus: after a wrong PIN this is the field to correct.
        autoFocus={wrong && focus}
      />
      <FieldError name={name} errorText={errorText} />
    </>
  );
}

export function SignInFields({ notice }: { notice: Notice | null }): ReactNode {
  const { texts } = useLocalization();
  const isInvalid = isFieldNotice(notice);
  const identifier = notice?.identifier ?? "";
  const wrongPhone = notice?.code === "phone_without_country";
  return (
    <>
      <label htmlFor="identifier">{texts.signIn.identifier}</label>
      <input
        id="identifier"
        name="identifier"
        type="text"
        inputMode="email"
        // Numbers and e-mail addresses are left-to-right in every language.
        dir="ltr"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={MAX_IDENTIFIER_LENGTH}
        required
        defaultValue={identifier}
        data-testid="pay-sign-in-identifier"
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? "notice" : undefined}
        // biome-ignore lint/a11y/noAutofocus: after a failed sign-in this is the field to correct.
        autoFocus={isInvalid && (identifier === "" || wrongPhone)}
      />
      <PinField
        label={texts.signIn.pin}
        testId="pay-sign-in-pin"
        wrong={isInvalid && !wrongPhone}
        focus={identifier !== ""}
      />
      <label className="choice" htmlFor="stay">
        <input id="stay" name="stay" type="checkbox" data-testid="pay-stay-signed-in" />
        <span>
          {texts.signIn.stay} <span className="hint">{texts.signIn.stayHint}</span>
        </span>
      </label>
    </>
  );
}
