import { setAnswerHeaders } from "@tillgate/service/web/answer-headers";
import { addCookies, setCookie } from "@tillgate/service/web/cookies";
import type { GetServerSidePropsContext } from "next";
import { config } from "../config";
import { ApiUnreachable } from "../edge/checkout-edge";
import { cookieNames } from "../http/cookies";
import { readOwnForm } from "../http/own-form";
import { currencyCode, pageAddress } from "../http/page-address";
import { asksForData, endedSession, identify, keptDevice, keptSession, paymentToken } from "../http/shopper";
import { NOTICE_SECONDS } from "../limits";
import { logError } from "../log";
import { encodeNotice } from "../notice";
import type { Screen } from "../views/screen";
import { type Step, type StepResult, steps, takeFormStep } from "./take-step";

/** Steps that may settle an order. While their answer is missing, it is unknown whether the order is settled. */
const SETTLING: readonly Step[] = ["pay", "cancel", "sandbox-approve"];

/**
 * Answers a form of the page. After a taken or refused step it returns the page's own address, to redirect to. The notice
 * travels in a cookie, so that a reload repeats neither step nor notice. A form that is not ours gets a screen and its own
 * status.
 */
export async function receiveForm({ req, res, params }: GetServerSidePropsContext): Promise<Screen | string> {
  const settings = config();
  setAnswerHeaders(res, settings);
  const token = paymentToken(params?.token);
  const step = steps.find((name) => name === params?.step);
  if (token === null || asksForData(req) || step === undefined) {
    res.statusCode = 404;
    return { kind: "not_found" };
  }
  const refuse = (status: number, why: Extract<Screen, { kind: "refused" }>["why"]): Screen => {
    res.statusCode = status;
    return { kind: "refused", token, why };
  };
  if (req.method !== "POST") {
    res.setHeader("Allow", "POST");
    return refuse(405, "method");
  }
  const form = await readOwnForm(req, res, settings);
  if ("why" in form) return refuse(form.status, form.why);

  const { caller, known } = identify(req, settings);
  if (!known) return pageAddress(token, { cookiesNeeded: true });
  const result = await attempt(step, () => takeFormStep(token, step, caller, form));
  // Signing out always ends the session in this browser, whatever the api says.
  if (step === "sign-out" || result.session === "ended") addCookies(res, endedSession(settings));
  else if (result.session) addCookies(res, keptSession(settings, result.session));
  if (result.device) addCookies(res, keptDevice(settings, result.device));
  const { code, identifier = null, waitSeconds = null, missing = null } = result;
  if (code !== null) {
    addCookies(
      res,
      setCookie(
        cookieNames(settings.secure).notice,
        encodeNotice({ code, identifier, waitSeconds, missing }),
        {
          path: pageAddress(token),
          secure: settings.secure,
          maxAgeSeconds: NOTICE_SECONDS,
        },
      ),
    );
  }
  if (code === "unconfirmed") return pageAddress(token, { check: 1 });
  // A chosen wallet stays chosen: a refused step leads back to where it was tried.
  return pageAddress(token, { wallet: currencyCode(form.get("wallet")) });
}

/** When the api does not answer, the page says so and shows the order's true state beside it. */
async function attempt(step: Step, take: () => Promise<StepResult>): Promise<StepResult> {
  try {
    return await take();
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("A step could not be taken", { fault: error.message });
    return { code: SETTLING.includes(step) ? "unconfirmed" : "unavailable" };
  }
}
