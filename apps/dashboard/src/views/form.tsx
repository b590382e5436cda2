import type { ReactNode } from "react";
import type { FormState } from "#server/page.ts";
import { FormContext, formState, useRedisplayed } from "./fields";
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

/** Renders a disabled first button, so that Enter in a field does nothing and the user must click one of the form's other buttons. */
export const NoDefaultButton = (): ReactNode => <button type="submit" disabled hidden />;

type ConfirmationProps = {
  label: string;
  children: ReactNode;
  danger?: boolean;
  open?: boolean;
  testId?: string;
};

/** Renders a button that opens a form or question below it. The button works without scripts. */
export function Confirmation({
  label,
  children,
  danger = false,
  open = false,
  testId,
}: ConfirmationProps): ReactNode {
  return (
    <details className="confirmation" open={open}>
      <summary className={`button ${danger ? "danger" : "quiet"}`} data-testid={testId}>
        {label}
      </summary>
      <div className="card sheet">{children}</div>
    </details>
  );
}

/** Renders a {@link Confirmation} with one form, which stays open if the form is redisplayed. */
export function ConfirmedForm({
  action,
  of,
  open = false,
  children,
  ...rest
}: ConfirmationProps & Pick<FormProps, "action" | "of">): ReactNode {
  const wasRedisplayed = useRedisplayed([action], of);
  return (
    <Confirmation {...rest} open={wasRedisplayed || open}>
      <Form action={action} {...(of === undefined ? {} : { of })}>
        {children}
      </Form>
    </Confirmation>
  );
}

type Props = { question: NonNullable<FormState["question"]>; values: FormState["values"] };

const OWN_FIELDS = ["action", "of", "confirmed", "change"];

/** Replaces a form's fields with a question, a button to confirm, and a button to change the input. */
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
  action: string;
  /** The object's ID, on a page that has this form for several objects. */
  of?: string;
  /** Target path; default: the page. */
  to?: string;
  className?: string;
  files?: boolean;
  /** Whether the script updates the preview while the user types. */
  preview?: boolean;
  /** Question that the script asks before submitting. */
  confirm?: string;
  children: ReactNode;
};

/** Renders a form with its CSRF token. The form works without scripts. */
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
  const state = formState(page.form, action, of);
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
        {state?.question ? <FormQuestion question={state.question} values={state.values} /> : children}
      </form>
    </FormContext.Provider>
  );
}

export { Field, FileField, ModeSelect, Select, TextArea, useRedisplayed } from "./fields";
export { SecondFactorField } from "./second-factor";
