import { type Mode, modeSchema } from "@tillgate/contract";
import { createContext, type HTMLAttributes, type ReactNode, useContext } from "react";
import type { FormError, FormState } from "#server/page.ts";
import { usePage } from "./use-page";

type FormKey = { action: string; of: string | undefined };

export const FormContext = createContext<FormKey>({ action: "", of: undefined });

/** Returns the page's form state if this form was submitted, otherwise null. */
export const formState = (
  form: FormState | null,
  action: string,
  of: string | undefined,
): FormState | null => (form?.action === action && form.values.of === of ? form : null);

/** Returns the ID of a form field, to which form errors link. */
export const toFieldId = (action: string, of: string | undefined, name: string): string =>
  [action, of, name].filter(Boolean).join("-");

function useForm(name: string): { id: string; value: string | undefined; errors: FormError[] } {
  const { page } = usePage();
  const { action, of } = useContext(FormContext);
  const form = formState(page.form, action, of);
  const errors = form?.errors.filter(({ field }) => field === name) ?? [];
  return { id: toFieldId(action, of, name), value: form?.values[name], errors };
}

/** Returns whether one of these forms was redisplayed; the form's container then stays open. @param of as in {@link Form} */
export function useRedisplayed(actions: readonly string[], of?: string): boolean {
  const { page } = usePage();
  return page.form !== null && actions.includes(page.form.action) && page.form.values.of === of;
}

type Common = { name: string; label: string; hint?: ReactNode };

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
    <div className="field" data-invalid={errors.length > 0 ? "" : undefined}>
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
  type?: "text" | "email" | "password" | "url" | "search" | "tel" | "date" | "datetime-local";
  autoComplete?: string;
  inputMode?: HTMLAttributes<HTMLInputElement>["inputMode"];
  value?: string;
  optional?: boolean;
  /** The script adds a colour picker. */
  picksColour?: boolean;
};

export function Field({
  type = "text",
  value,
  optional,
  autoComplete,
  inputMode,
  picksColour,
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
          data-colour={picksColour ? "" : undefined}
        />
      )}
    </Labelled>
  );
}

export function TextArea({
  rows,
  value,
  optional,
  ...common
}: Common & { rows: number; value?: string; optional?: boolean }): ReactNode {
  const form = useForm(common.name);
  return (
    <Labelled {...common} {...(optional ? { optional } : {})}>
      {(id, describedBy) => (
        <textarea
          id={id}
          name={common.name}
          rows={rows}
          defaultValue={form.value ?? value}
          aria-invalid={form.errors.length > 0 ? true : undefined}
          aria-describedby={describedBy}
          spellCheck={false}
        />
      )}
    </Labelled>
  );
}

export function FileField({ accept, ...common }: Common & { accept: string }): ReactNode {
  const form = useForm(common.name);
  return (
    <Labelled {...common}>
      {(id, describedBy) => (
        <input
          id={id}
          name={common.name}
          type="file"
          accept={accept}
          aria-invalid={form.errors.length > 0 ? true : undefined}
          aria-describedby={describedBy}
        />
      )}
    </Labelled>
  );
}

type Choice = { value: string; text: string };

export function Select({
  choices,
  value,
  empty,
  ...common
}: Common & {
  /** A string is both the value and the displayed text. */
  choices: readonly (Choice | string)[];
  value?: string;
  empty?: string;
}): ReactNode {
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
          {choices
            .map((choice) => (typeof choice === "string" ? { value: choice, text: choice } : choice))
            .map(({ value: chosen, text }) => (
              <option key={chosen} value={chosen}>
                {text}
              </option>
            ))}
        </select>
      )}
    </Labelled>
  );
}

export function ModeSelect({ value }: { value?: Mode }): ReactNode {
  const { t } = usePage();
  const choices = modeSchema.options.map((mode) => ({ value: mode, text: t(`mode.${mode}`) }));
  return <Select name="mode" label={t("frame.mode")} choices={choices} {...(value ? { value } : {})} />;
}
