import type { ReactNode } from "react";
import { FormQuestion } from "./form-question";
import { FormContext, stateOf } from "./form-state";
import { usePage } from "./use-page";

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
