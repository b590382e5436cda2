import { allowFraming, allowInlineStyle, setResponseHeaders } from "@tillgate/service/web/headers";
import { isDataRequest } from "@tillgate/service/web/visitor";
import type { GetServerSidePropsContext } from "next";
import { config } from "#config.ts";
import { embedAddress, readEmbedAddress } from "#http/addresses.ts";
import { toLegalAddresses } from "#http/page-locale.ts";
import { callerWithoutCookies, parsePaymentToken, readSameOriginForm } from "#http/shopper.ts";
import { ApiUnreachable, embedSteps, readEmbed, takeEmbedStep } from "#internal-api/checkout.ts";
import { RETRY_SECONDS } from "#limits.ts";
import { logError } from "#log.ts";
import { type NoticeCode, plainNotice } from "#notice.ts";
import { resolveLocale } from "#texts/languages.ts";
import type { EmbedProps, EmbedScreen } from "#views/embed.tsx";

/** Renders the embedded frame, which neither reads nor sets cookies. Only origins registered by the merchant for the order's mode may embed it. */
export async function showEmbed({ req, res, params, query }: GetServerSidePropsContext): Promise<EmbedProps> {
  const settings = config();
  setResponseHeaders(res, settings);
  const { language, notice: code } = readEmbedAddress(query);
  const token = parsePaymentToken(params?.token);
  const localeFor = (order: string | null) =>
    resolveLocale({ chosen: language ?? undefined, order, header: req.headers["accept-language"] });
  const show = (screen: EmbedScreen, order: string | null = null): EmbedProps => ({
    screen,
    locale: localeFor(order),
    address: token === null ? null : embedAddress(token),
    legal: toLegalAddresses(settings),
  });
  const notFound = (): EmbedProps => {
    res.statusCode = 404;
    return show({ kind: "not_found" });
  };
  if (token === null || isDataRequest(req)) return notFound();
  if (req.method !== "GET" && req.method !== "HEAD") {
    res.statusCode = 405;
    res.setHeader("Allow", "GET, HEAD");
    return show({ kind: "rejected", token, why: "method" });
  }
  try {
    const outcome = await readEmbed(token, callerWithoutCookies(req, settings));
    if (!outcome.ok) {
      if (outcome.reason === "not_found") return notFound();
      throw new ApiUnreachable(`The API rejected the request for an order: ${outcome.reason}`);
    }
    const { merchant, origins, order } = outcome.data;
    allowFraming(res, origins);
    const nonce = merchant.accent === null ? null : allowInlineStyle(res);
    const notice = code === null ? null : { ...plainNotice, code };
    return show({ kind: "order", token, view: outcome.data, language, notice, nonce }, order.locale);
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("Failed to render an embedded frame", { reason: error.message });
    res.statusCode = 503;
    res.setHeader("Retry-After", String(RETRY_SECONDS));
    return show({ kind: "unavailable", token });
  }
}

/** Handles a test button of the frame. Returns the frame's path to redirect to, or an error screen, after setting the HTTP status. */
export async function receiveEmbedForm({
  req,
  res,
  params,
  query,
}: GetServerSidePropsContext): Promise<EmbedScreen | string> {
  const settings = config();
  setResponseHeaders(res, settings);
  const token = parsePaymentToken(params?.token);
  const step = embedSteps.find((name) => name === params?.step);
  if (token === null || step === undefined || isDataRequest(req)) {
    res.statusCode = 404;
    return { kind: "not_found" };
  }
  const reject = (status: number, why: Extract<EmbedScreen, { kind: "rejected" }>["why"]): EmbedScreen => {
    res.statusCode = status;
    return { kind: "rejected", token, why };
  };
  if (req.method !== "POST") {
    res.setHeader("Allow", "POST");
    return reject(405, "method");
  }
  const form = await readSameOriginForm(req, res, settings);
  if ("why" in form) return reject(form.status, form.why);
  const notice = await runStep(async () => {
    const outcome = await takeEmbedStep(
      token,
      step,
      callerWithoutCookies(req, settings),
      form.get("form_token") ?? "",
    );
    if (!outcome.ok) return outcome.reason === "invalid_field" ? "form_rejected" : outcome.reason;
    return step === "sandbox-decline" ? "declined" : null;
  });
  return embedAddress(token, { ...readEmbedAddress(query), notice });
}

async function runStep(take: () => Promise<NoticeCode | null>): Promise<NoticeCode | null> {
  try {
    return await take();
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("Failed to perform a step of an embedded frame", { reason: error.message });
    return "unavailable";
  }
}
