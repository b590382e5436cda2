import { allowInlineStyle, setResponseHeaders } from "@tillgate/service/web/headers";
import { isDataRequest } from "@tillgate/service/web/visitor";
import type { GetServerSidePropsContext } from "next";
import { config } from "#config.ts";
import { pageAddress, readPageView } from "#http/addresses.ts";
import { getCookieNames, identify, parsePaymentToken, storeCookie, storeSignIn } from "#http/shopper.ts";
import { ApiUnreachable, readView } from "#internal-api/checkout.ts";
import { RETRY_SECONDS } from "#limits.ts";
import { logError } from "#log.ts";
import { decodeNotice, type Notice, plainNotice } from "#notice.ts";
import { SCRIPT_COOKIE } from "#script-cookie.ts";
import type { Screen } from "#views/screen.ts";

/** Returns the screen of an order, or an error screen with its HTTP status set. Sets cookies, but changes no state in the API. */
export async function showOrder({ req, res, params, query }: GetServerSidePropsContext): Promise<Screen> {
  const settings = config();
  setResponseHeaders(res, settings);
  const token = parsePaymentToken(params?.token);
  if (token === null || isDataRequest(req)) {
    res.statusCode = 404;
    return { kind: "not_found" };
  }
  if (req.method !== "GET" && req.method !== "HEAD") {
    res.statusCode = 405;
    res.setHeader("Allow", "GET, HEAD");
    return { kind: "rejected", token, why: "method" };
  }
  const { caller, known } = identify(req, settings);
  const names = getCookieNames(settings.secure);
  const takeNotice = (): Notice | null => {
    if (readPageView(query).cookiesNeeded && !known) return { ...plainNotice, code: "cookies_needed" };
    if (req.cookies[names.notice] === undefined) return null;
    storeCookie(res, settings, "notice", "", { path: pageAddress(token), maxAgeSeconds: 0 });
    return decodeNotice(req.cookies[names.notice]);
  };
  try {
    const outcome = await readView(token, caller);
    if (!outcome.ok) {
      if (outcome.reason !== "not_found") {
        throw new ApiUnreachable(`The API rejected the request for an order: ${outcome.reason}`);
      }
      res.statusCode = 404;
      return { kind: "not_found" };
    }
    if (!known) storeCookie(res, settings, "visitor", caller.visitor);
    if (caller.session !== null && outcome.data.shopper === null)
      storeSignIn(res, settings, { session: "ended" });
    const { witness } = outcome.data;
    if (witness !== null && (caller.witness === null || !known))
      storeCookie(res, settings, "witness", witness.token, {
        path: pageAddress(token),
        maxAgeSeconds: witness.max_age_seconds,
      });

    const show = readPageView(query);
    const { order, merchant } = outcome.data;
    const nonce = merchant.accent === null ? null : allowInlineStyle(res);
    // Leave the notice for the view that shows it; earlier views only check for an outcome.
    const isPending = order.status === "PENDING";
    const lastNotice = isPending && (show.check !== null || show.codeOnly) ? null : takeNotice();
    // "You haven't been charged" is wrong once the unconfirmed step is known to have settled the order.
    const notice = !isPending && lastNotice?.code === "unconfirmed" ? null : lastNotice;
    const scripted = req.cookies[SCRIPT_COOKIE] !== undefined;
    return { kind: "order", token, view: outcome.data, notice, show, scripted, nonce };
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("Failed to render the payment page", { reason: error.message });
    res.statusCode = 503;
    res.setHeader("Retry-After", String(RETRY_SECONDS));
    return { kind: "unavailable", token };
  }
}
