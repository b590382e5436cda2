import {
  addPasskeyRequestSchema,
  checkoutActionRequestSchema,
  payRequestSchema,
  quoteWalletRequestSchema,
  signInRequestSchema,
} from "@tillgate/contract";
import { setResponseHeaders } from "@tillgate/service/web/headers";
import { isDataRequest } from "@tillgate/service/web/visitor";
import type { GetServerSidePropsContext } from "next";
import type { z } from "zod";
import { config } from "#config.ts";
import { pageAddress, parseCurrencyCode } from "#http/addresses.ts";
import {
  identify,
  parsePaymentToken,
  readSameOriginForm,
  type SignInChange,
  storeCookie,
  storeSignIn,
} from "#http/shopper.ts";
import {
  ApiUnreachable,
  addPasskey,
  type Caller,
  type Outcome,
  type PlainStep,
  pay,
  plainSteps,
  quote,
  type Rejected,
  type SignedIn,
  signIn,
  signInTestShopper,
  takeStep,
  type WalletSession,
} from "#internal-api/checkout.ts";
import { NOTICE_SECONDS } from "#limits.ts";
import { logError } from "#log.ts";
import { encodeNotice, type NoticeCode } from "#notice.ts";
import type { Screen } from "#views/screen.ts";
import { readIdentifier, readPin, signInFields } from "./sign-in-fields";

/** All checkout steps, named as in the URL. */
const steps = ["sign-in", "sandbox-sign-in", "quote", "pay", "add-passkey", ...plainSteps] as const;
type Step = (typeof steps)[number];

type StepResult = SignInChange & {
  code: NoticeCode | null;
  identifier?: string;
  waitSeconds?: number | null;
  missing?: string | null;
};

async function takeFormStep(
  token: string,
  step: Step,
  caller: Caller,
  form: URLSearchParams,
): Promise<StepResult> {
  switch (step) {
    case "sign-in":
      return takeSignIn(token, caller, form);
    case "sandbox-sign-in":
      return takeTestSignIn(token, caller, form);
    case "quote":
      return takeQuote(token, caller, form);
    case "pay":
      return takePay(token, caller, form);
    case "add-passkey":
      return takePasskey(token, caller, form);
    default:
      return takePlainStep(token, step, caller, form);
  }
}

const toNoticeCode = (error: z.ZodError): NoticeCode =>
  error.issues.some(({ path }) => path[0] === "form_token") ? "form_rejected" : "invalid_field";

async function takeSignIn(token: string, caller: Caller, form: URLSearchParams): Promise<StepResult> {
  const identifier = readIdentifier(form);
  const fields = signInRequestSchema.safeParse(signInFields(form));
  if (!fields.success) return { code: toNoticeCode(fields.error), identifier };
  const outcome = await signIn(token, caller, fields.data);
  return outcome.ok ? toSignedInResult(outcome.data) : { ...toErrorResult(outcome), identifier };
}

async function takeTestSignIn(token: string, caller: Caller, form: URLSearchParams): Promise<StepResult> {
  const fields = checkoutActionRequestSchema.safeParse({ form_token: form.get("form_token") });
  if (!fields.success) return { code: "form_rejected" };
  const outcome = await signInTestShopper(token, caller, fields.data.form_token);
  return outcome.ok ? toSignedInResult(outcome.data) : toErrorResult(outcome);
}

const toSignedInResult = ({ device, wrong_pins_before, ...session }: SignedIn): StepResult => ({
  code: wrong_pins_before ? "wrong_pins_before" : null,
  session,
  device,
});

async function takeQuote(token: string, caller: Caller, form: URLSearchParams): Promise<StepResult> {
  const fields = quoteWalletRequestSchema.safeParse({
    form_token: form.get("form_token"),
    wallet_id: form.get("wallet_id"),
  });
  if (!fields.success) return { code: "form_rejected" };
  return toResult(await quote(token, caller, fields.data));
}

async function takePay(token: string, caller: Caller, form: URLSearchParams): Promise<StepResult> {
  const fields = payRequestSchema.safeParse({
    form_token: form.get("form_token"),
    wallet_id: form.get("wallet_id") ?? undefined,
    quote_id: form.get("quote_id") ?? undefined,
    pin: readPin(form),
    passkey: parsePasskey(form.get("passkey")),
  });
  if (fields.success) return toResult(await pay(token, caller, fields.data));
  if (fields.error.issues.some(({ path }) => path[0] === "passkey")) return { code: "passkey_refused" };
  const typed = fields.error.issues.every(({ path }) => path[0] === "pin");
  return { code: typed ? "invalid_pin" : "form_rejected" };
}

/** Parses what the passkey script wrote into a form. @returns undefined if the text is empty, null if it is not JSON */
function parsePasskey(text: string | null): unknown {
  if (text === null || text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Errors shown with their own text when adding a passkey; the texts of all other errors are about payments. */
const SHOWN_UNCHANGED: readonly NoticeCode[] = ["form_rejected", "too_many_attempts", "too_many_passkeys"];

async function takePasskey(token: string, caller: Caller, form: URLSearchParams): Promise<StepResult> {
  const fields = addPasskeyRequestSchema.safeParse({
    form_token: form.get("form_token"),
    credential: parsePasskey(form.get("credential")),
  });
  if (!fields.success) {
    const code = toNoticeCode(fields.error);
    return { code: code === "form_rejected" ? code : "passkey_not_added" };
  }
  const outcome = await addPasskey(token, caller, fields.data);
  if (outcome.ok) return { code: "passkey_added" };
  const rejected = toErrorResult(outcome);
  return SHOWN_UNCHANGED.includes(outcome.reason) ? rejected : { ...rejected, code: "passkey_not_added" };
}

async function takePlainStep(
  token: string,
  step: PlainStep,
  caller: Caller,
  form: URLSearchParams,
): Promise<StepResult> {
  const fields = checkoutActionRequestSchema.safeParse({ form_token: form.get("form_token") });
  if (!fields.success) return { code: "form_rejected" };
  const outcome = await takeStep(token, step, caller, fields.data.form_token);
  if (outcome.ok) return { ...toResult(outcome), code: step === "sandbox-decline" ? "declined" : null };
  // Signing out of an expired session is a success.
  if (step === "sign-out" && outcome.reason === "not_signed_in") return { code: null };
  return toErrorResult(outcome);
}

function toResult(outcome: Outcome<{ renewed_session: WalletSession | null }>): StepResult {
  return outcome.ok ? { code: null, session: outcome.data.renewed_session } : toErrorResult(outcome);
}

function toErrorResult({ reason, waitSeconds, missing }: Rejected): StepResult {
  return { code: reason, waitSeconds, missing, session: reason === "not_signed_in" ? "ended" : null };
}

/** Steps that may complete an order. Without a response the order's state is unknown. */
const SETTLING_STEPS: readonly Step[] = ["pay", "cancel", "sandbox-approve"];

/** Takes a step. Returns the path to redirect to, or an error screen. The notice is in a cookie, so that a reload repeats neither the step nor the notice. */
export async function receiveForm({ req, res, params }: GetServerSidePropsContext): Promise<Screen | string> {
  const settings = config();
  setResponseHeaders(res, settings);
  const token = parsePaymentToken(params?.token);
  const step = steps.find((name) => name === params?.step);
  if (token === null || isDataRequest(req) || step === undefined) {
    res.statusCode = 404;
    return { kind: "not_found" };
  }
  const reject = (status: number, why: Extract<Screen, { kind: "rejected" }>["why"]): Screen => {
    res.statusCode = status;
    return { kind: "rejected", token, why };
  };
  if (req.method !== "POST") {
    res.setHeader("Allow", "POST");
    return reject(405, "method");
  }
  const form = await readSameOriginForm(req, res, settings);
  if ("why" in form) return reject(form.status, form.why);

  const { caller, known } = identify(req, settings);
  if (!known) return pageAddress(token, { cookiesNeeded: true });
  const result = await catchUnreachable(step, () => takeFormStep(token, step, caller, form));
  // Signing out always clears the session in this browser.
  storeSignIn(res, settings, step === "sign-out" ? { session: "ended" } : result);
  const { code, identifier = null, waitSeconds = null, missing = null } = result;
  if (code !== null)
    storeCookie(res, settings, "notice", encodeNotice({ code, identifier, waitSeconds, missing }), {
      path: pageAddress(token),
      maxAgeSeconds: NOTICE_SECONDS,
    });
  if (code === "unconfirmed") return pageAddress(token, { check: 1 });
  // Keep the selected wallet after a rejected step.
  return pageAddress(token, { wallet: parseCurrencyCode(form.get("wallet")) });
}

/** Takes a step. If the API is unreachable, returns `unconfirmed` for a step that may have completed the order, otherwise `unavailable`. */
async function catchUnreachable(step: Step, take: () => Promise<StepResult>): Promise<StepResult> {
  try {
    return await take();
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("Failed to perform a checkout step", { reason: error.message });
    return { code: SETTLING_STEPS.includes(step) ? "unconfirmed" : "unavailable" };
  }
}
