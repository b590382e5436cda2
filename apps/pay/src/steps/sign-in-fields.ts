import { MAX_IDENTIFIER_LENGTH } from "@tillgate/contract";

/** The kept length of a phone number or e-mail; more cannot be one. */
export const keptIdentifier = (form: URLSearchParams): string =>
  (form.get("identifier") ?? "").slice(0, MAX_IDENTIFIER_LENGTH);

/** People write the PIN in groups, and password managers keep it that way. */
export const typedPin = (form: URLSearchParams, name = "pin"): string | undefined =>
  form.get(name)?.replace(/\s/g, "");

/** What the form of a sign-in holds. */
export const signInFields = (form: URLSearchParams) => ({
  form_token: form.get("form_token"),
  identifier: form.get("identifier"),
  pin: typedPin(form),
  stay_signed_in: form.get("stay") === "on",
});
