import { setAnswerHeaders } from "@tillgate/service/web/answer-headers";
import type { GetServerSidePropsContext } from "next";
import { config } from "../config";
import { ApiUnreachable, readEmbed } from "../edge/checkout-edge";
import { embedAddress, readEmbedAddress } from "../http/embed-address";
import { allowFramesOf } from "../http/frame-ancestors";
import { legalOf } from "../http/page-locale";
import { asksForData, paymentToken, strangerOf } from "../http/shopper";
import { allowOneStyle } from "../http/style-nonce";
import { RETRY_SECONDS } from "../limits";
import { logError } from "../log";
import { plainNotice } from "../notice";
import { localeOf } from "../texts/languages";
import type { EmbedScreen, ShownEmbed } from "../views/embed";

/**
 * Answers a frame in the shop's page. It reads no cookie and sets none. Only the pages that the order's merchant registered for the
 * order's mode may frame it; what shows no order stays closed to all.
 */
export async function showEmbed({ req, res, params, query }: GetServerSidePropsContext): Promise<ShownEmbed> {
  const settings = config();
  setAnswerHeaders(res, settings);
  const { language, said } = readEmbedAddress(query);
  const token = paymentToken(params?.token);
  const speak = (order: string | null) =>
    localeOf({ chosen: language ?? undefined, order, header: req.headers["accept-language"] });
  const show = (screen: EmbedScreen, order: string | null = null): ShownEmbed => ({
    screen,
    locale: speak(order),
    address: token === null ? null : embedAddress(token),
    legal: legalOf(settings),
  });
  const missing = (): ShownEmbed => {
    res.statusCode = 404;
    return show({ kind: "not_found" });
  };
  if (token === null || asksForData(req)) return missing();
  if (req.method !== "GET" && req.method !== "HEAD") {
    res.statusCode = 405;
    res.setHeader("Allow", "GET, HEAD");
    return show({ kind: "refused", token, why: "method" });
  }
  try {
    const outcome = await readEmbed(token, strangerOf(req, settings));
    if (!outcome.ok) {
      if (outcome.reason === "not_found") return missing();
      throw new ApiUnreachable(`The api refused to show an order: ${outcome.reason}`);
    }
    const { merchant, origins, order } = outcome.data;
    allowFramesOf(res, origins);
    const nonce = merchant.accent === null ? null : allowOneStyle(res);
    const notice = said === null ? null : { ...plainNotice, code: said };
    return show({ kind: "order", token, view: outcome.data, language, notice, nonce }, order.locale);
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("A frame could not be shown", { fault: error.message });
    res.statusCode = 503;
    res.setHeader("Retry-After", String(RETRY_SECONDS));
    return show({ kind: "unavailable", token });
  }
}
