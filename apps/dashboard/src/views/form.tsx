import { createContext, type HTMLAttributes, type ReactNode, useContext } from "react";
import type { FormError } from "../page/page";
import { usePage } from "./use-page";

type Place = { action: string; of: string | undefined };

const FormContext = createContext<Place>({ action: "", of: undefined });

type FormProps = {
  /** The name of the action that takes it. */
  action: string;
  /** Which one of many it is about, where a page has this form for each. */
  of?: string;
  /** Where it is sent; left out: to the page itself. */
  to?: string;
  className?: string;
  /** A question that the script asks first. */
  confirm?: string;
  children: ReactNode;
};

/** A form with its token. Everything in it works without scripts. */
export function Form({ action, of, to, className = "form", confirm, children }: FormProps): ReactNode {
  const { page } = usePage();
  return (
    <FormContext.Provider value={{ action, of }}>
      <form
        method="post"
        action={to ?? page.path}
        className={className}
        data-confirm={confirm}
        data-action={action}
        noValidate
      >
        <input type="hidden" name="form_token" value={page.formToken} />
        <input type="hidden" name="action" value={action} />
        {of === undefined ? null : <input type="hidden" name="of" value={of} />}
        {children}
      </form>
    </FormContext.Provider>
  );
}

/** The id of a field of a form: what an error of the form leads to. */
export const fieldId = (action: string, of: string | undefined, name: string): string =>
  [action, of, name].filter(Boolean).join("-");

/** What was typed into this form, and what is wrong with it. */
function useForm(name: string): { id: string; value: string | undefined; errors: FormError[] } {
  const { page } = usePage();
  const { action, of } = useContext(FormContext);
  const form = page.form?.action === action && page.form.values.of === of ? page.form : null;
  const errors = form?.errors.filter(({ field }) => field === name) ?? [];
  return { id: fieldId(action, of, name), value: form?.values[name], errors };
}

type Common = { name: string; label: string; hint?: string };

function Labelled({
  name,
  label,
  hint,
  optional,
  children,
}: Common & { optional?: boolean; children: (id: string, describedBy?: string) => ReactNode }): ReactNode {
  const { t } = usePage();
  const { id, errors } = useForm(name);
  const parts = [hint ? `${id}-hint` : "", errors.length > 0 ? `${id}-error` : ""].filter(Boolean);
  return (
    <div className="field" data-wrong={errors.length > 0 ? "" : undefined}>
      <label htmlFor={id}>
        {label} {optional ? <span className="soft">{t("form.optional")}</span> : null}
      </label>
      {children(id, parts.length > 0 ? parts.join(" ") : undefined)}
      {hint ? (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {errors.length > 0 ? (
        <p className="error" id={`${id}-error`} data-testid={`error-${name}`}>
          {errors.map(({ text, values }) => t(text, values)).join(" ")}
        </p>
      ) : null}
    </div>
  );
}

export type FieldProps = Common & {
  type?: "text" | "email" | "password" | "url" | "search" | "tel" | "date";
  autoComplete?: string;
  inputMode?: HTMLAttributes<HTMLInputElement>["inputMode"];
  value?: string;
  optional?: boolean;
};

export function Field({
  type = "text",
  value,
  optional,
  autoComplete,
  inputMode,
  ...common
}: FieldProps): ReactNode {
  const form = useForm(common.name);
  return (
    <Labelled {...common} {...(optional ? { optional } : {})}>
      {(id, describedBy) => (
        <input
          id={id}
          name={common.name}
          type={type}
          defaultValue={type === "password" ? undefined : (form.value ?? value)}
          required={!optional}
          autoComplete={autoComplete ?? "off"}
          inputMode={inputMode}
          aria-invalid={form.errors.length > 0 ? true : undefined}
          aria-describedby={describedBy}
          spellCheck={false}
        />
      )}
    </Labelled>
  );
}

export type Choice = { value: string; text: string };

export function Select({
  choices,
  value,
  empty,
  ...common
}: Common & { choices: readonly Choice[]; value?: string; empty?: string }): ReactNode {
  const form = useForm(common.name);
  return (
    <Labelled {...common}>
      {(id, describedBy) => (
        <select
          id={id}
          name={common.name}
          defaultValue={form.value ?? value ?? ""}
          aria-invalid={form.errors.length > 0 ? true : undefined}
          aria-describedby={describedBy}
        >
          {empty === undefined ? null : <option value="">{empty}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** The second factor that money and secrets need, in the form that needs it; nothing while the last one is fresh. */
export function SecondFactorField(): ReactNode {
  const { page, t } = usePage();
  if (page.user?.fresh) return null;
  if (page.user && !page.user.totp)
    return (
      <p className="box note">
        {t("factor.setUpFirst")} <a href="/account/authenticator">{t("factor.setUp")}</a>
      </p>
    );
  return (
    <Field
      name="second_factor"
      label={t("factor.field")}
      hint={t("factor.fieldHint")}
      autoComplete="one-time-code"
      inputMode="text"
    />
  );
}

export type ButtonProps = {
  kind?: "main" | "quiet" | "danger" | "link";
  name?: string;
  value?: string;
  pressed?: boolean;
  lang?: string;
  label?: string;
  testId?: string;
  children: ReactNode;
};

export function Button({ kind = "main", pressed, testId, label, children, ...rest }: ButtonProps): ReactNode {
  return (
    <button
      type="submit"
      className={`button ${kind}`}
      aria-pressed={pressed}
      aria-label={label}
      data-testid={testId}
      {...rest}
    >
      {children}
    </button>
  );
}

/** A step that needs a word first: opened by its button, without a script. */
export function Confirmation({
  label,
  children,
  danger = false,
  open = false,
  testId,
}: {
  label: string;
  children: ReactNode;
  danger?: boolean;
  open?: boolean;
  testId?: string;
}): ReactNode {
  return (
    <details className="confirmation" open={open}>
      <summary className={`button ${danger ? "danger" : "quiet"}`} data-testid={testId}>
        {label}
      </summary>
      <div className="card sheet">{children}</div>
    </details>
  );
}

/** Whether a form was refused: then what holds it stays open. `of` as in {@link Form}. */
export function useRefused(actions: readonly string[], of?: string): boolean {
  const { page } = usePage();
  return page.form !== null && actions.includes(page.form.action) && page.form.values.of === of;
}
