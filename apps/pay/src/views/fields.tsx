import { MAX_IDENTIFIER_LENGTH, PIN_DIGITS } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { Notice } from "#notice.ts";
import { isAboutFields } from "./notice-box";
import { useWords } from "./words";

/** What is said of a field below it. */
export type FieldFaultProps = { name: string; said: string | null };

const idOf = (name: string): string => `${name}-fault`;

export function FieldFault({ name, said }: FieldFaultProps): ReactNode {
  return said === null ? null : (
    <p className="fault" id={idOf(name)}>
      {said}
    </p>
  );
}

/** Marks a field that has to be corrected, and names what describes the fault: the text below it, else the notice. */
export const faultOf = ({ name, said, wrong }: FieldFaultProps & { wrong: boolean }) => ({
  "aria-invalid": wrong || undefined,
  "aria-describedby": wrong ? (said === null ? "notice" : idOf(name)) : undefined,
});

export type PinFieldProps = {
  label: string;
  testId: string;
  /** It has to be corrected: it is marked, the notice names it, and it takes the focus. */
  wrong: boolean;
  /** Where another field has to be filled in first. */
  focus?: boolean;
  /** How to correct it; null: the notice says it. */
  said?: string | null;
  /** Of the field, where a form has more than one PIN. */
  name?: "pin" | "new_pin" | "repeated_pin";
  /** A PIN that is chosen now. */
  isNew?: boolean;
};

/** The wallet's PIN: digits on a phone's keyboard, known to password managers, never a one-time code. */
export function PinField({
  label,
  testId,
  wrong,
  focus = true,
  said = null,
  name = "pin",
  isNew = name !== "pin",
}: PinFieldProps): ReactNode {
  const { texts } = useWords();
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
        {...faultOf({ name, said, wrong })}
        // biome-ignore lint/a11y/noAutofocus: after a refused PIN this field is the one thing to do.
        autoFocus={wrong && focus}
      />
      <FieldFault name={name} said={said} />
    </>
  );
}

/** The fields of a sign-in: phone or e-mail, PIN, and whether to stay signed in. */
export function SignInFields({ notice }: { notice: Notice | null }): ReactNode {
  const { texts } = useWords();
  const wrong = isAboutFields(notice);
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
        // A number or an address reads from left to right in every language.
        dir="ltr"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={MAX_IDENTIFIER_LENGTH}
        required
        defaultValue={identifier}
        data-testid="pay-sign-in-identifier"
        aria-invalid={wrong || undefined}
        aria-describedby={wrong ? "notice" : undefined}
        // biome-ignore lint/a11y/noAutofocus: after a refused sign-in the field to correct is the one thing to do.
        autoFocus={wrong && (identifier === "" || wrongPhone)}
      />
      <PinField
        label={texts.signIn.pin}
        testId="pay-sign-in-pin"
        wrong={wrong && !wrongPhone}
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
