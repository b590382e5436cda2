import type { HTMLInputAutoCompleteAttribute, ReactNode } from "react";
import { FieldError, getErrorAttributes, PinField } from "#views/fields.tsx";
import { useLocalization } from "#views/localization.tsx";
import type { WalletCommon } from "./wallet-screen";

type FieldState = {
  wrong: boolean;
  /** Whether the field takes the focus, which is true for the first field with an error. */
  focus: boolean;
  /** Error text; null if the notice explains the error. */
  errorText: string | null;
};

const SHARED_ERROR_TEXTS: Readonly<Record<string, string>> = {
  from: "currency",
  to: "currency",
  new_pin: "pin",
};

/** Returns a function that gets the error state of a field by its name. */
export function useFieldStates({
  notice,
  wrong,
  typed,
}: Pick<WalletCommon, "notice" | "wrong" | "typed">): (name: string) => FieldState {
  const { texts, ambiguity } = useLocalization();
  const hints = new Map<string, string>(Object.entries(texts.account.fieldErrors));
  const ambiguous = ambiguity(typed.amount ?? "", typed.currency || typed.from || "");
  if (ambiguous !== null) hints.set("amount", ambiguous);
  const isGeneral = notice?.code === "invalid_field" || notice?.code === "invalid_pin";
  return (name) => ({
    wrong: wrong.includes(name),
    focus: wrong[0] === name,
    errorText:
      isGeneral && wrong.includes(name) ? (hints.get(SHARED_ERROR_TEXTS[name] ?? name) ?? null) : null,
  });
}

export type TextFieldProps = FieldState & {
  name: string;
  label: string;
  value: string;
  maxLength: number;
  hint?: string;
  type?: "text" | "email" | "tel";
  autoComplete?: HTMLInputAutoCompleteAttribute;
  required?: boolean;
  decimal?: boolean;
};

export function TextField({
  name,
  label,
  value,
  maxLength,
  hint,
  type = "text",
  autoComplete = "off",
  required = true,
  decimal = false,
  wrong,
  focus,
  errorText,
}: TextFieldProps): ReactNode {
  return (
    <>
      <label htmlFor={name}>
        {label} {hint === undefined ? null : <span className="hint">{hint}</span>}
      </label>
      <input
        id={name}
        name={name}
        type={type}
        inputMode={decimal ? "decimal" : undefined}
        autoComplete={autoComplete}
        maxLength={maxLength}
        required={required}
        dir={decimal || type !== "text" ? "ltr" : "auto"}
        defaultValue={value}
        data-testid={`wallet-${name}`}
        {...getErrorAttributes({ name, errorText, wrong })}
        // biome-ignore lint/a11y/noAutofocus: after a rejected form, the field to correct is the only thing to do.
        autoFocus={focus}
      />
      <FieldError name={name} errorText={errorText} />
    </>
  );
}

export type CurrencyFieldProps = FieldState & {
  name: string;
  label: string;
  value: string;
  currencies: readonly string[];
};

export function CurrencyField({
  name,
  label,
  value,
  currencies,
  wrong,
  focus,
  errorText,
}: CurrencyFieldProps): ReactNode {
  return (
    <>
      <label htmlFor={name}>{label}</label>
      <select
        id={name}
        name={name}
        defaultValue={value}
        data-testid={`wallet-${name}`}
        {...getErrorAttributes({ name, errorText, wrong })}
        // biome-ignore lint/a11y/noAutofocus: after a rejected form, the field to correct is the only thing to do.
        autoFocus={focus}
      >
        {currencies.map((currency) => (
          <option key={currency}>{currency}</option>
        ))}
      </select>
      <FieldError name={name} errorText={errorText} />
    </>
  );
}

export const MAX_AMOUNT_LENGTH = 24;

export type NewPinFieldsProps = {
  /** Name of the first field, default `new_pin`. */
  name?: "pin" | "new_pin";
  label?: string;
  repeat?: string;
  testId?: string;
  stateOf(name: string): FieldState;
};

export function NewPinFields({
  name = "new_pin",
  label,
  repeat,
  testId,
  stateOf,
}: NewPinFieldsProps): ReactNode {
  const { texts } = useLocalization();
  return (
    <>
      <PinField
        label={label ?? texts.account.pin.new}
        testId={testId ?? "wallet-new-pin"}
        name={name}
        isNew
        {...stateOf(name)}
      />
      <PinField
        label={repeat ?? texts.account.pin.repeat}
        testId="wallet-repeated-pin"
        name="repeated_pin"
        {...stateOf("repeated_pin")}
      />
    </>
  );
}
