import { createHash } from "node:crypto";
import { FieldRule } from "@tillgate/contract";
import type { z } from "zod";
import type { ApiError } from "#internal-api.ts";
import { isTextKey, type TextKey } from "#texts/texts.ts";
import type { FormError, FormState, Question } from "./page";

const RULES = new Map(Object.entries(FieldRule).map(([name, { text }]) => [text, name]));

const WITH_VALUES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["tooLong", /^must not be longer than (?<value>\d+) characters$/],
  ["atLeast", /^must be at least (?<value>[\d.]+)$/],
  ["atMost", /^must not be greater than (?<value>[\d.]+)$/],
  ["decimals", /^must have at most (?<value>\d+) decimals$/],
  ["oneOf", /^must be one of (?<value>.+)$/],
  ["wholeNumber", /^must be a whole number from (?<least>\d+) to (?<most>\d+)$/],
];

/** Translates an API validation message. A message without a translation is shown in English. */
export function fieldError(field: string, message: string): FormError {
  const detail = message.replace(/^The \S+ field /, "");
  if (detail === FieldRule.Required.text) return { field, text: "error.required" };
  const key = `rule.${RULES.get(detail)}`;
  if (isTextKey(key)) return { field, text: key };
  for (const [name, pattern] of WITH_VALUES) {
    const values = pattern.exec(detail)?.groups;
    const withValues = `rule.${name}`;
    if (values !== undefined && isTextKey(withValues))
      return { field, text: withValues, values: { ...values } };
  }
  return { field, text: "error.field", values: { detail } };
}

/** A rejected form, redisplayed with these errors. */
export class FormRejected extends Error {
  override readonly name = "FormRejected";
  constructor(
    readonly errors: FormError[],
    readonly status = 422,
  ) {
    super("The form was rejected");
  }
}

/** Rejects the form because of one field; if `field` is null, rejects the form as a whole. @throws FormRejected */
export const rejectField = (field: string | null, text: TextKey): never => {
  throw new FormRejected([{ field, text }]);
};

/** Returns the trimmed text of a field; empty if the field is missing. */
export const textField = (form: URLSearchParams, name: string): string => (form.get(name) ?? "").trim();

/** Parses a whole number. Other text is returned unchanged, for the API to reject. */
export const parseWholeNumber = (text: string): number | string => (/^\d+$/.test(text) ? Number(text) : text);

/** Reads a required field, trimmed. @throws FormRejected if the field is missing or blank */
export const requiredField = (form: URLSearchParams, name: string): string =>
  textField(form, name) || rejectField(name, "error.required");

/** Reads required fields, untrimmed. @throws FormRejected naming all fields that are missing or blank */
export function requiredFields<const Name extends string>(
  form: URLSearchParams,
  ...names: Name[]
): Record<Name, string> {
  const missing = names.filter(
    (name) => form.get(name)?.trim() === undefined || form.get(name)?.trim() === "",
  );
  if (missing.length > 0)
    throw new FormRejected(missing.map((field) => ({ field, text: "error.required" as const })));
  const entries = names.map((name) => [name, form.get(name) ?? ""] as const);
  return Object.fromEntries(entries) as Record<Name, string>;
}

/** Reads a choice field. @throws FormRejected unless the field has one of the schema's values */
export const choiceField = <T extends string>(
  form: URLSearchParams,
  name: string,
  schema: z.ZodType<T>,
): T => {
  const parsed = schema.safeParse(form.get(name));
  return parsed.success ? parsed.data : rejectField(name, "error.choose");
};

const FIELD_OF_CODE: Readonly<Record<string, string>> = {
  wrong_code: "second_factor",
  second_factor_not_fresh: "second_factor",
  passkey_refused: "second_factor",
  receiver_exists: "address",
  already_member: "email",
  amount_too_large: "amount",
  insufficient_balance: "amount",
  per_transaction_limit_exceeded: "amount",
  daily_limit_exceeded: "amount",
  monthly_limit_exceeded: "amount",
  currency_not_authorized: "sender_currency",
  view_name_taken: "name",
  nothing_that_ends: "id",
};

/** Converts an API error to form errors: its field errors or, if it has none, one error for its code. */
export function toFormErrors(error: ApiError, form: URLSearchParams): FormError[] {
  const fields = Object.entries(error.fields).flatMap(([field, messages]) =>
    messages.map((message) => fieldError(field, message)),
  );
  if (fields.length > 0) return fields;
  const { code, waitSeconds } = error;
  const key = `apiError.${code}`;
  const text: TextKey = isTextKey(key) ? key : "apiError.other";
  const minutes = Math.max(1, Math.ceil((waitSeconds ?? 60) / 60));
  return [{ field: fieldOfCode(code, form), text, values: { code, minutes } }];
}

/** Returns the field that an API error concerns, or null if it concerns the whole form, such as a second-factor error if the form offers only a passkey. */
function fieldOfCode(code: string, form: URLSearchParams): string | null {
  const field = FIELD_OF_CODE[code] ?? null;
  if (field !== "second_factor" || form.has(field)) return field;
  if (form.has("code")) return "code";
  return form.has("credential") || form.has("second_factor_passkey") ? null : field;
}

/** Thrown to show the form again: with a question or, if `question` is null, with the user's input, to be changed. */
export class ConfirmationRequired extends Error {
  override readonly name = "ConfirmationRequired";
  constructor(readonly question: FormState["question"]) {
    super("The form needs confirmation");
  }
}

/**
 * Asks for confirmation before the form takes effect.
 * @param confirmed the values that must not have changed since the question was shown; default: the question
 * @throws ConfirmationRequired if the user has not confirmed yet; its question is null if the user wants to change the input
 */
export function confirmFirst(form: URLSearchParams, question: Question, confirmed: unknown = question): void {
  const digest = createHash("sha256").update(JSON.stringify(confirmed)).digest("base64url");
  if (form.has("change")) throw new ConfirmationRequired(null);
  if (form.get("confirmed") !== digest) throw new ConfirmationRequired({ ...question, digest });
}
