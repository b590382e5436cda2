import { createContext, type ReactNode, useContext } from "react";
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
        {children}
      </form>
    </FormContext.Provider>
  );
}

/** The id of a field of a form: what an error of the form leads to. */
export const fieldId = (action: string, of: string | undefined, name: string): string =>
  [action, of, name].filter(Boolean).join("-");

/** What was typed into this form, and what is wrong with it. */
export function useForm(name: string): { id: string; value: string | undefined; errors: FormError[] } {
  const { page } = usePage();
  const { action, of } = useContext(FormContext);
  const form = page.form?.action === action && page.form.values.of === of ? page.form : null;
  const errors = form?.errors.filter(({ field }) => field === name) ?? [];
  return { id: fieldId(action, of, name), value: form?.values[name], errors };
}

/** Whether a form was refused: then what holds it stays open. `of` as in {@link Form}. */
export function useRefused(actions: readonly string[], of?: string): boolean {
  const { page } = usePage();
  return page.form !== null && actions.includes(page.form.action) && page.form.values.of === of;
}
