import { checkoutActionRequestSchema, MAX_IDENTIFIER_LENGTH, signInRequestSchema } from "@tillgate/contract";
import type { GetServerSidePropsContext } from "next";
import { config, MAX_FORM_BYTES, NOTICE_SECONDS } from "../config";
import {
  ApiUnreachable,
  type Caller,
  type PlainStep,
  plainSteps,
  type Refused,
  signIn,
  takeStep,
} from "../edge/checkout-edge";
import { cookieNames, setCookie } from "../http/cookies";
import { readForm } from "../http/form";
import { setAnswerHeaders } from "../http/headers";
import { isOwnOrigin } from "../http/origin";
import { addCookies, asksForData, endedSession, identify, pagePath, paymentToken } from "../http/shopper";
import { logError } from "../log";
import { encodeNotice, type NoticeCode } from "../notice";
import type { Screen } from "../views/screen";

/** What a step leaves behind: something to say on the page, and cookies. */
interface Result {
  code: NoticeCode | null;
  identifier?: string;
  waitSeconds?: number | null;
  cookies?: string[];
}

/**
 * Answers a form of the page. Every step that was taken or refused by the api leads back to the page's own address,
 * which is returned; the notice travels in a cookie, so that reloading the page repeats neither step nor notice.
 * What is no form of ours is answered with a screen and its own status.
 */
export async function receiveForm({ req, res, params }: GetServerSidePropsContext): Promise<Screen | string> {
  const settings = config();
  setAnswerHeaders(res, settings);
  const token = paymentToken(params?.token);
  const step = params?.step;
  const plainStep = plainSteps.find((name) => name === step);
  if (token === null || asksForData(req) || (plainStep === undefined && step !== "sign-in")) {
    res.statusCode = 404;
    return { kind: "not_found" };
  }
  const refuse = (status: number, why: Extract<Screen, { kind: "refused" }>["why"]): Screen => {
    res.statusCode = status;
    // The rest of a body that nobody reads must not be taken for the next request.
    if (req.method === "POST") res.setHeader("Connection", "close");
    return { kind: "refused", token, why };
  };
  if (req.method !== "POST") {
    res.setHeader("Allow", "POST");
    return refuse(405, "method");
  }
  if (!isOwnOrigin(req.headers, settings.payOrigin)) return refuse(403, "origin");
  const form = await readForm(req, MAX_FORM_BYTES);
  if (typeof form === "number") return refuse(form, "form");

  const { caller, known } = identify(req, settings);
  if (!known) return `${pagePath(token)}?cookies=needed`;
  const result = await attempt(() =>
    plainStep === undefined ? takeSignIn(token, caller, form) : takePlainStep(token, plainStep, caller, form),
  );
  // Whoever signs out is signed out in this browser, whatever the api says.
  if (plainStep === "sign-out") addCookies(res, endedSession(settings));
  addCookies(res, ...(result.cookies ?? []));
  if (result.code !== null) {
    const { code, identifier = null, waitSeconds = null } = result;
    addCookies(
      res,
      setCookie(cookieNames(settings.secure).notice, encodeNotice({ code, identifier, waitSeconds }), {
        path: pagePath(token),
        secure: settings.secure,
        maxAgeSeconds: NOTICE_SECONDS,
      }),
    );
  }
  return pagePath(token);
}

/** The api not answering is something to say on the page, where the order's true state is shown beside it. */
async function attempt(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("A step could not be taken", { fault: error.message });
    return { code: "unavailable" };
  }
}

/** What is kept of a phone number or e-mail; more cannot be one. */
const keptIdentifier = (form: URLSearchParams): string =>
  (form.get("identifier") ?? "").slice(0, MAX_IDENTIFIER_LENGTH);

async function takeSignIn(token: string, caller: Caller, form: URLSearchParams): Promise<Result> {
  const identifier = keptIdentifier(form);
  const fields = signInRequestSchema.safeParse({
    form_token: form.get("form_token"),
    identifier: form.get("identifier"),
    // People write the PIN in groups; password managers keep it that way.
    pin: form.get("pin")?.replace(/\s/g, ""),
  });
  if (!fields.success) {
    const stale = fields.error.issues.some((issue) => issue.path[0] === "form_token");
    return { code: stale ? "form_rejected" : "invalid_field", identifier };
  }
  const outcome = await signIn(token, caller, fields.data);
  if (!outcome.ok) return { ...refusal(outcome), identifier };
  const { path, session } = cookieNames(config().secure);
  const { secure } = config();
  const maxAgeSeconds = outcome.data.max_age_seconds;
  return { code: null, cookies: [setCookie(session, outcome.data.session, { path, secure, maxAgeSeconds })] };
}

async function takePlainStep(
  token: string,
  step: PlainStep,
  caller: Caller,
  form: URLSearchParams,
): Promise<Result> {
  const fields = checkoutActionRequestSchema.safeParse({ form_token: form.get("form_token") });
  if (!fields.success) return { code: "form_rejected" };
  const outcome = await takeStep(token, step, caller, fields.data.form_token);
  if (outcome.ok) return { code: step === "sandbox-decline" ? "declined" : null };
  if (outcome.reason !== "not_signed_in") return refusal(outcome);
  // Signing out of a session that is over already is what was wanted.
  if (step === "sign-out") return { code: null };
  return { ...refusal(outcome), cookies: [endedSession(config())] };
}

const refusal = ({ reason, waitSeconds }: Refused): Result => ({ code: reason, waitSeconds });
