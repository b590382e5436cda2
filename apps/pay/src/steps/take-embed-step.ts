import { setAnswerHeaders } from "@tillgate/service/web/answer-headers";
import type { GetServerSidePropsContext } from "next";
import { config } from "../config";
import { ApiUnreachable, embedSteps, takeEmbedStep } from "../edge/checkout-edge";
import { embedAddress, readEmbedAddress } from "../http/embed-address";
import { readOwnForm } from "../http/own-form";
import { asksForData, paymentToken, strangerOf } from "../http/shopper";
import { logError } from "../log";
import type { NoticeCode } from "../notice";
import type { EmbedScreen } from "../views/embed";

/**
 * Answers a test button of a frame in the shop's page. After a taken or refused step it returns the frame's own address. A form
 * that is not ours gets a screen and its own status.
 */
export async function receiveEmbedForm({
  req,
  res,
  params,
  query,
}: GetServerSidePropsContext): Promise<EmbedScreen | string> {
  const settings = config();
  setAnswerHeaders(res, settings);
  const token = paymentToken(params?.token);
  const step = embedSteps.find((name) => name === params?.step);
  if (token === null || step === undefined || asksForData(req)) {
    res.statusCode = 404;
    return { kind: "not_found" };
  }
  const refuse = (status: number, why: Extract<EmbedScreen, { kind: "refused" }>["why"]): EmbedScreen => {
    res.statusCode = status;
    return { kind: "refused", token, why };
  };
  if (req.method !== "POST") {
    res.setHeader("Allow", "POST");
    return refuse(405, "method");
  }
  const form = await readOwnForm(req, res, settings);
  if ("why" in form) return refuse(form.status, form.why);
  const said = await saidOf(async () => {
    const outcome = await takeEmbedStep(token, step, strangerOf(req, settings), form.get("form_token") ?? "");
    if (!outcome.ok) return outcome.reason === "invalid_field" ? "form_rejected" : outcome.reason;
    return step === "sandbox-decline" ? "declined" : null;
  });
  return embedAddress(token, { ...readEmbedAddress(query), said });
}

async function saidOf(take: () => Promise<NoticeCode | null>): Promise<NoticeCode | null> {
  try {
    return await take();
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("A step of a frame could not be taken", { fault: error.message });
    return "unavailable";
  }
}
