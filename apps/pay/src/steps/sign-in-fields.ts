import { MAX_IDENTIFIER_LENGTH } from "@tillgate/contract";

export const readIdentifier = (form: URLSearchParams): string =>
  (form.get("identifier") ?? "").slice(0, MAX_IDENTIFIER_LENGTH);

/** Reads the PIN without spaces, because people and password managers may group the digits; undefined if the form has no such field. */
export const readPin = (form: URLSearchParams, name = "pin"): string | undefined =>
  form.get(name)?.replace(/\s/g, "");

export const signInFields = (form: URLSearchParams) => ({
  form_token: form.get("form_token"),
  identifier: form.get("identifier"),
  pin: readPin(form),
  stay_signed_in: form.get("stay") === "on",
});
