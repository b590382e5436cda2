import { allowInlineStyle, setResponseHeaders } from "@tillgate/service/web/headers";
import type { GetServerSidePropsContext } from "next";
import { config } from "#config.ts";
import { type PageLocale, readPageLocale } from "#http/page-locale.ts";
import { identify, parsePaymentToken, readSameOriginForm, storeCookie } from "#http/shopper.ts";
import { ApiUnreachable, type Caller, createLinkOrder, readLink } from "#internal-api/checkout.ts";
import { RETRY_SECONDS } from "#limits.ts";
import { logError } from "#log.ts";
import { parseLocalAmount } from "#typed-amount.ts";
import type { LinkScreen } from "#views/link-form.tsx";

type LinkPageResult = { to: string | null; props: PageLocale & { screen: LinkScreen } };

/** Renders a payment link page and handles its form. The form needs no CSRF token: it charges nothing, and its origin is checked. */
export async function openLink({
  req,
  res,
  params,
  resolvedUrl: address,
}: GetServerSidePropsContext): Promise<LinkPageResult> {
  const settings = config();
  setResponseHeaders(res, settings);
  const pageLocale = readPageLocale({ req, res, address }, settings, null);
  const token = parsePaymentToken(params?.token);
  const { caller, known } = identify(req, settings);
  const show = (screen: LinkScreen, status = 200): LinkPageResult => {
    res.statusCode = status;
    return { to: null, props: { ...pageLocale, screen } };
  };
  if (token === null) return show({ kind: "not_found" }, 404);
  try {
    if (req.method !== "POST") {
      if (!known) storeCookie(res, settings, "visitor", caller.visitor);
      return await showLink(token, caller);
    }
    const form = await readSameOriginForm(req, res, settings);
    if ("why" in form) return show({ kind: "rejected" }, form.status);
    const typed = form.get("amount");
    let amount: string | undefined;
    if (typed !== null) {
      const link = await readLink(token, caller);
      if (link === null) return show({ kind: "not_found" }, 404);
      const read = parseLocalAmount(typed, pageLocale.locale, link.currency);
      if (read === null) return await showLink(token, caller, typed);
      amount = read;
    }
    const created = await createLinkOrder(token, caller, amount);
    switch (created.outcome) {
      case "created":
        return { to: created.paymentUrl, props: { ...pageLocale, screen: { kind: "not_found" } } };
      case "wrong_amount":
        return await showLink(token, caller, typed);
      case "rate_limited":
        return show({ kind: "rate_limited" }, 429);
      // The link's page explains why.
      case "not_open":
        return { to: address, props: { ...pageLocale, screen: { kind: "not_found" } } };
      case "not_found":
        return show({ kind: "not_found" }, 404);
    }
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("Failed to open a payment link", { reason: error.message });
    res.setHeader("Retry-After", String(RETRY_SECONDS));
    return show({ kind: "unavailable" }, 503);
  }

  async function showLink(
    linkToken: string,
    visitor: Caller,
    invalidField: string | null = null,
  ): Promise<LinkPageResult> {
    const link = await readLink(linkToken, visitor);
    if (link === null) return show({ kind: "not_found" }, 404);
    const nonce = link.merchant.accent === null ? null : allowInlineStyle(res);
    return show({ kind: "link", link, wrong: invalidField, nonce }, invalidField === null ? 200 : 422);
  }
}
