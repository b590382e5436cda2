import type { HTMLInputAutoCompleteAttribute, ReactNode } from "react";

export type TextFieldProps = {
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
      />
    </>
  );
}

export type CurrencyFieldProps = {
  name: string;
  label: string;
  value: string;
  currencies: readonly string[];
};

/** A choice of currencies. */
export function CurrencyField({ name, label, value, currencies }: CurrencyFieldProps): ReactNode {
  return (
    <>
      <label htmlFor={name}>{label}</label>
      <select id={name} name={name} defaultValue={value} data-testid={`wallet-${name}`}>
        {currencies.map((currency) => (
          <option key={currency}>{currency}</option>
        ))}
      </select>
    </>
  );
}

/** The longest amount that is typed. */
export const MAX_AMOUNT_LENGTH = 24;
