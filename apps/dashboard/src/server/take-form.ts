import { consoleSessionTokenResponseSchema } from "@tillgate/contract";
import { readSameOriginForm } from "@tillgate/service/web/form";
import type { GetServerSidePropsContext } from "next";
import { config } from "#config.ts";
import { createFormToken, isValidFormToken } from "#http/seal.ts";
import type { Visitor } from "#http/visitor.ts";
import { ApiError, change } from "#internal-api.ts";
import { joinPath } from "#paths.ts";
import { storeCookie, storeFlash, storeSession } from "./cookies";
import { ConfirmationRequired, FormRejected, rejectField, textField, toFormErrors } from "./forms";
import type { FormState, Page } from "./page";
import { type Action, toPageRequest } from "./request";

type SecondFactor = { kind: "totp" | "recovery-code" | "passkey"; fields: object };

function readSecondFactor(form: URLSearchParams): SecondFactor | null {
  const signed = textField(form, "second_factor_passkey");
  if (signed !== "")
    return { kind: "passkey", fields: { credential: parseCredential(signed, "second_factor") } };
  const code = textField(form, "second_factor");
  if (code === "") return null;
  return { kind: /^[\d\s]{6,}$/.test(code) ? "totp" : "recovery-code", fields: { code } };
}

/** Parses the browser's passkey credential, which the API validates. @throws FormRejected if the text is not JSON */
export function parseCredential(text: string, field: string | null): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return rejectField(field, "apiError.passkey_refused");
  }
}

/**
 * Verifies the form's second factor, if any; the session then gets a new token.
 * @throws ApiError if the factor is rejected, FormRejected if a passkey's credential is not JSON, ApiUnreachable
 */
async function verifySecondFactor(
  context: GetServerSidePropsContext,
  visitor: Visitor,
  form: URLSearchParams,
): Promise<void> {
  const factor = readSecondFactor(form);
  if (factor === null) return;
  const path = joinPath("second-factor", factor.kind);
  const { session } = await change(visitor.caller, path, consoleSessionTokenResponseSchema, factor.fields);
  visitor.caller = { ...visitor.caller, session };
  storeSession(context, session);
}

const MAX_FORM_BYTES = 64 * 1024;
const CHOICE_SECONDS = 365 * 24 * 3600;
/** Fields that are never refilled, such as passwords and codes. */
const NEVER_REFILLED = /password|second_factor|form_token|^code$|^credential$|^file$/;

/** The form was not sent by one of our pages, is too large, cannot be read, or has an unknown action. */
export class CsrfError extends Error {
  constructor(readonly status: number) {
    super(`The form was rejected with status ${status}`);
  }
}

export type FormRules = {
  /** Whether signed-out visitors may submit the forms. */
  open?: boolean;
  actions?: Readonly<Record<string, Action>>;
  /** Maximum size of a form with a file, in bytes; default: no files. */
  maxFileFormBytes?: number;
};

/**
 * Handles a submitted form.
 * @returns the path to redirect to; null if the page is redisplayed with `page.form`
 * @throws CsrfError; ApiUnreachable; ApiError if the user must sign in or verify a second factor first, or the e-mailed link is no longer
 * valid
 */
export async function takeForm(
  context: GetServerSidePropsContext,
  { actions = {}, open, maxFileFormBytes }: FormRules,
  visitor: Visitor,
  page: Page,
): Promise<string | null> {
  const { req, res } = context;
  const form = await readSameOriginForm(req, res, {
    origin: config().consoleOrigin,
    maxBytes: maxFileFormBytes ?? MAX_FORM_BYTES,
    files: maxFileFormBytes !== undefined,
  });
  if (!(form instanceof URLSearchParams)) throw new CsrfError(form.status);
  if (!open && visitor.caller.session === null) throw new ApiError(401, "not_signed_in", {}, null);
  const name = form.get("action") ?? "";
  const redisplay = (
    errors: FormState["errors"],
    status: number,
    question: FormState["question"] = null,
  ): null => {
    res.statusCode = status;
    const typed = [...form].filter(([field]) => !NEVER_REFILLED.test(field));
    page.form = { action: name, values: Object.fromEntries(typed), errors, question };
    page.secret = toPageRequest(context, visitor).unseal(form.get("sealed"));
    page.formToken = createFormToken(visitor.id, visitor.caller.session);
    return null;
  };
  // The page may have been rendered before a sign-in in another window, so redisplay the form with a valid token.
  if (!visitor.known || !isValidFormToken(form.get("form_token"), visitor.id, visitor.caller.session))
    return redisplay([{ field: null, text: "error.formExpired" }], 403);
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new CsrfError(400);
  try {
    await verifySecondFactor(context, visitor, form);
    const done = await action(toPageRequest(context, visitor), form);
    if (done.session !== undefined) storeSession(context, done.session);
    if (done.language) storeCookie(context, "language", done.language, CHOICE_SECONDS);
    if (done.timeZone !== undefined)
      storeCookie(context, "timeZone", done.timeZone ?? "", done.timeZone === null ? 0 : CHOICE_SECONDS);
    if (done.flash) storeFlash(context, visitor, done.flash);
    return done.to;
  } catch (error) {
    if (error instanceof FormRejected) return redisplay(error.errors, error.status);
    if (error instanceof ConfirmationRequired) return redisplay([], 200, error.question);
    const rethrown = ["not_signed_in", "second_factor_needed", "link_not_valid"];
    if (!(error instanceof ApiError) || rethrown.includes(error.code)) throw error;
    return redisplay(toFormErrors(error, form), error.status);
  }
}
