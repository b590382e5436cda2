import { PIN_DIGITS } from "@tillgate/contract";
import type { ReactNode } from "react";
import { FieldFault, faultOf } from "./field-fault";
import { useWords } from "./use-words";

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
