import { addCookies, allowOneStyle, setAnswerHeaders } from "@tillgate/service/web/headers";
import type { GetServerSidePropsContext } from "next";
import { config } from "#config.ts";
import { type Spoken, spokenBy } from "#http/page-locale.ts";
import { identify, paymentToken, readOwnForm, visitorCookie } from "#http/shopper.ts";
import { ApiUnreachable, beginLinkOrder, type Caller, readLink } from "#internal-api/checkout.ts";
import { RETRY_SECONDS } from "#limits.ts";
import { logError } from "#log.ts";
import { typedAmount } from "#typed-amount.ts";
import type { LinkScreen } from "#views/link-form.tsx";

type Opened = { to: string | null; props: Spoken & { screen: LinkScreen } };

/**
 * Renders a payment link page and handles its form, which creates the visitor's order, or finds the one in progress, and
 * redirects to it. Submitting twice creates one order. The form needs no CSRF token: it charges nothing, and its origin is
 * checked.
 */
export async function openLink({
  req,
  res,
  params,
  resolvedUrl: address,
}: GetServerSidePropsContext): Promise<Opened> {
  const settings = config();
  setAnswerHeaders(res, settings);
  const spoken = spokenBy({ req, res, address }, settings, null);
  const token = paymentToken(params?.token);
  const { caller, known } = identify(req, settings);
  const show = (screen: LinkScreen, status = 200): Opened => {
    res.statusCode = status;
    return { to: null, props: { ...spoken, screen } };
  };
  if (token === null) return show({ kind: "not_found" }, 404);
  try {
    if (req.method !== "POST") {
      if (!known) addCookies(res, visitorCookie(settings, caller));
      return await shown(token, caller);
    }
    const form = await readOwnForm(req, res, settings);
    if ("why" in form) return show({ kind: "refused" }, form.status);
    const typed = form.get("amount");
    let amount: string | undefined;
    if (typed !== null) {
      const link = await readLink(token, caller);
      if (link === null) return show({ kind: "not_found" }, 404);
      const read = typedAmount(typed, spoken.locale, link.currency);
      if (read === null) return await shown(token, caller, typed);
      amount = read;
    }
    const begun = await beginLinkOrder(token, caller, amount);
    switch (begun.outcome) {
      case "begun":
        return { to: begun.paymentUrl, props: { ...spoken, screen: { kind: "not_found" } } };
      case "wrong_amount":
        return await shown(token, caller, typed);
      case "slow":
        return show({ kind: "slow" }, 429);
      // The link's page explains why.
      case "not_open":
        return { to: address, props: { ...spoken, screen: { kind: "not_found" } } };
      case "not_found":
        return show({ kind: "not_found" }, 404);
    }
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("A payment link could not be opened", { fault: error.message });
    res.setHeader("Retry-After", String(RETRY_SECONDS));
    return show({ kind: "unavailable" }, 503);
  }

  async function shown(of: string, by: Caller, wrong: string | null = null): Promise<Opened> {
    const link = await readLink(of, by);
    if (link === null) return show({ kind: "not_found" }, 404);
    const nonce = link.merchant.accent === null ? null : allowOneStyle(res);
    return show({ kind: "link", link, wrong, nonce }, wrong === null ? 200 : 422);
  }
}
