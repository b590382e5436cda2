import type { ParsedUrlQuery } from "node:querystring";

/** The page's view. Nothing in it is personal, and opening a view changes nothing. */
export type PageView = {
  /** The currency of the wallet that the shopper chose to pay from. */
  wallet: string | null;
  /** How often the page has looked for the outcome of a step with a lost answer; null when there is none. */
  check: number | null;
  /** The code alone, on a page that may refresh itself because it has no field. */
  codeOnly: boolean;
  /** The step before was refused because the browser keeps no cookies. */
  cookiesNeeded: boolean;
};

/** How often the page looks for the outcome of a step before it offers the step again. */
export const MAX_CHECKS = 5;

const CURRENCY = /^[A-Z0-9]{2,10}$/;
const CHECK = /^[1-9]$/;

/** The address of a view, relative to the page's origin. */
export function pageAddress(token: string, view: Partial<PageView> = {}): string {
  const query = new URLSearchParams();
  if (view.wallet != null) query.set("wallet", view.wallet);
  if (view.check != null && view.check <= MAX_CHECKS) query.set("check", String(view.check));
  if (view.codeOnly) query.set("view", "code");
  if (view.cookiesNeeded) query.set("cookies", "needed");
  return query.size === 0 ? `/pay/${token}` : `/pay/${token}?${query}`;
}

/** The view of an address; an unknown one shows the plain page. */
export function readPageView(query: ParsedUrlQuery): PageView {
  const { wallet, check, view, cookies } = query;
  return {
    wallet: currencyCode(typeof wallet === "string" ? wallet : null),
    check:
      typeof check === "string" && CHECK.test(check) && Number(check) <= MAX_CHECKS ? Number(check) : null,
    codeOnly: view === "code",
    cookiesNeeded: cookies === "needed",
  };
}

/** A well-formed currency code, or null. */
export const currencyCode = (text: string | null): string | null =>
  text !== null && CURRENCY.test(text) ? text : null;
