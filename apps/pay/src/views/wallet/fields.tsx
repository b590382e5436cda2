import type { HTMLInputAutoCompleteAttribute, ReactNode } from "react";
import { FieldFault, faultOf } from "../field-fault";
import type { Fault } from "./faults";

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

/** A field of a form of the wallet. */
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

/** A choice of currencies. */
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

/** The longest amount that is typed. */
export const MAX_AMOUNT_LENGTH = 24;
