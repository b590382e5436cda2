import type { HTMLInputAutoCompleteAttribute, ReactNode } from "react";
import { FieldFault, faultOf, PinField } from "#views/fields.tsx";
import { useWords } from "#views/words.tsx";
import type { WalletCommon } from "./wallet-screen";

/** Error state of a field. */
type Fault = {
  wrong: boolean;
  /** The first field with an error takes the focus. */
  focus: boolean;
  /** Error text; null if the notice says it. */
  said: string | null;
};

/** Fields that share another field's error text. */
const LIKE: Readonly<Record<string, string>> = { from: "currency", to: "currency", new_pin: "pin" };

/** The error state of each field, by name. */
export function useFaults({
  notice,
  wrong,
  typed,
}: Pick<WalletCommon, "notice" | "wrong" | "typed">): (name: string) => Fault {
  const { texts, ambiguity } = useWords();
  const hints = new Map<string, string>(Object.entries(texts.account.fault));
  const ambiguous = ambiguity(typed.amount ?? "", typed.currency || typed.from || "");
  if (ambiguous !== null) hints.set("amount", ambiguous);
  const isGeneral = notice?.code === "invalid_field" || notice?.code === "invalid_pin";
  return (name) => ({
    wrong: wrong.includes(name),
    focus: wrong[0] === name,
    said: isGeneral && wrong.includes(name) ? (hints.get(LIKE[name] ?? name) ?? null) : null,
  });
}

export type TextFieldProps = Fault & {
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
  said,
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
        {...faultOf({ name, said, wrong })}
        // biome-ignore lint/a11y/noAutofocus: after a refused form the field to correct is the one thing to do.
        autoFocus={focus}
      />
      <FieldFault name={name} said={said} />
    </>
  );
}

export type CurrencyFieldProps = Fault & {
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
  said,
}: CurrencyFieldProps): ReactNode {
  return (
    <>
      <label htmlFor={name}>{label}</label>
      <select
        id={name}
        name={name}
        defaultValue={value}
        data-testid={`wallet-${name}`}
        {...faultOf({ name, said, wrong })}
        // biome-ignore lint/a11y/noAutofocus: after a refused form the field to correct is the one thing to do.
        autoFocus={focus}
      >
        {currencies.map((currency) => (
          <option key={currency}>{currency}</option>
        ))}
      </select>
      <FieldFault name={name} said={said} />
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
  fault(name: string): Fault;
};

/** A new PIN, entered twice. */
export function NewPinFields({
  name = "new_pin",
  label,
  repeat,
  testId,
  fault,
}: NewPinFieldsProps): ReactNode {
  const { texts } = useWords();
  return (
    <>
      <PinField
        label={label ?? texts.account.pin.new}
        testId={testId ?? "wallet-new-pin"}
        name={name}
        isNew
        {...fault(name)}
      />
      <PinField
        label={repeat ?? texts.account.pin.repeat}
        testId="wallet-repeated-pin"
        name="repeated_pin"
        {...fault("repeated_pin")}
      />
    </>
  );
}
