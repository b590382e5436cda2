import type { ReactElement } from "react";

/** Name of the CSRF token field. */
export const FORM_TOKEN_FIELD = "form_token";

export function FormToken({ value }: { value: string }): ReactElement {
  return <input type="hidden" name={FORM_TOKEN_FIELD} value={value} />;
}

export type TextFieldProps = {
  name: string;
  label: string;
  value?: string | undefined;
  error?: string | undefined;
  hint?: string;
  type?: "text" | "email" | "password";
  autoComplete: string;
  required?: boolean;
  maxLength?: number;
};

export function TextField(props: TextFieldProps): ReactElement {
  const { name, label, value, error, hint, type = "text", autoComplete, required = true, maxLength } = props;
  const described = [hint ? `${name}-hint` : "", error ? `${name}-error` : ""].filter((id) => id !== "");
  return (
    <div className="field">
      <label htmlFor={name}>
        {label}
        {required ? null : <span className="optional"> (optional)</span>}
      </label>
      {hint ? (
        <p className="hint" id={`${name}-hint`}>
          {hint}
        </p>
      ) : null}
      <input
        id={name}
        name={name}
        type={type}
        defaultValue={value}
        autoComplete={autoComplete}
        required={required}
        maxLength={maxLength}
        aria-invalid={error ? true : undefined}
        aria-describedby={described.length > 0 ? described.join(" ") : undefined}
        data-testid={`field-${name}`}
      />
      {error ? (
        <p className="error" id={`${name}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  );
}
