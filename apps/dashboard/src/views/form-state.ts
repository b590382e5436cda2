import { createContext, useContext } from "react";
import type { FormError, FormState } from "../page/page";
import { usePage } from "./use-page";

/** Which form the fields around are in. */
type Place = { action: string; of: string | undefined };

export const FormContext = createContext<Place>({ action: "", of: undefined });

/** The state of the form that this is, where it is the one that was sent. */
export const stateOf = (form: FormState | null, action: string, of: string | undefined): FormState | null =>
  form?.action === action && form.values.of === of ? form : null;

/** The id of a field of a form: what an error of the form leads to. */
export const fieldId = (action: string, of: string | undefined, name: string): string =>
  [action, of, name].filter(Boolean).join("-");

/** What was typed into this form, and what is wrong with it. */
export function useForm(name: string): { id: string; value: string | undefined; errors: FormError[] } {
  const { page } = usePage();
  const { action, of } = useContext(FormContext);
  const form = stateOf(page.form, action, of);
  const errors = form?.errors.filter(({ field }) => field === name) ?? [];
  return { id: fieldId(action, of, name), value: form?.values[name], errors };
}

/** Whether a form was refused: then what holds it stays open. `of` as in {@link Form}. */
export function useRefused(actions: readonly string[], of?: string): boolean {
  const { page } = usePage();
  return page.form !== null && actions.includes(page.form.action) && page.form.values.of === of;
}
