import type { ReactNode } from "react";
import type { FormState } from "#server/page.ts";
import { FormContext, stateOf } from "./fields";
import { Facts } from "./parts";
import { SecondFactorField } from "./second-factor";
import { usePage } from "./use-page";

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

/**
 * First in a form with two outcomes: Enter in a field presses a form's first button, and this one does nothing. Each outcome is
 * chosen by its own button.
 */
export const NoDefaultButton = (): ReactNode => <button type="submit" disabled hidden />;

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

type Props = { question: NonNullable<FormState["question"]>; values: FormState["values"] };

/** The form itself has these. */
const OWN_FIELDS = ["action", "of", "confirmed", "change"];

/** Instead of a form's fields: what it is about to do, a button that does it, and one that leads back to the fields. */
function FormQuestion({ question, values }: Props): ReactNode {
  const { t } = usePage();
  const typed = Object.entries(values).filter(([name]) => !OWN_FIELDS.includes(name));
  return (
    <>
      {typed.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="confirmed" value={question.digest} />
      <div className="box note" tabIndex={-1} data-focus="" data-testid="question">
        <p>
          <strong>{t(question.text, question.values)}</strong>
        </p>
        <Facts rows={question.facts.map(({ label, value }) => [t(label), value])} />
      </div>
      <SecondFactorField />
      <div className="tools">
        <Button testId="confirm">{t(question.button, question.buttonValues)}</Button>
        <Button kind="quiet" name="change" value="1">
          {t("form.change")}
        </Button>
      </div>
    </>
  );
}

type FormProps = {
  /** The name of the action that takes it. */
  action: string;
  /** Which one of many it is about, where a page has this form for each. */
  of?: string;
  /** Where it is sent; left out: to the page itself. */
  to?: string;
  className?: string;
  /** Whether it brings a file. */
  files?: boolean;
  /** Whether the script shows what is typed in the page's preview. */
  preview?: boolean;
  /** A question that the script asks first. */
  confirm?: string;
  children: ReactNode;
};

/** A form with its token. Everything in it works without scripts. */
export function Form({
  action,
  of,
  to,
  className = "form",
  files,
  preview,
  confirm,
  children,
}: FormProps): ReactNode {
  const { page } = usePage();
  const asked = stateOf(page.form, action, of);
  return (
    <FormContext.Provider value={{ action, of }}>
      <form
        method="post"
        action={to ?? page.path}
        className={className}
        encType={files ? "multipart/form-data" : undefined}
        data-confirm={confirm}
        data-action={action}
        data-previews={preview ? "" : undefined}
        noValidate
      >
        <input type="hidden" name="form_token" value={page.formToken} />
        <input type="hidden" name="action" value={action} />
        {of === undefined ? null : <input type="hidden" name="of" value={of} />}
        {asked?.question ? <FormQuestion question={asked.question} values={asked.values} /> : children}
      </form>
    </FormContext.Provider>
  );
}

export { Field, FileField, Select, TextArea, useRefused } from "./fields";
export { SecondFactorField } from "./second-factor";
