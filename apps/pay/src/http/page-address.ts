import type { ParsedUrlQuery } from "node:querystring";

/** Which of its views the page shows. Nothing here is personal, and nothing changes by opening any of them. */
export type PageView = {
  /** The currency of the wallet that the shopper chose to pay from. */
  wallet: string | null;
  /** How often it has been looked whether a step was taken whose answer was lost; null when none is. */
  check: number | null;
  /** The code alone, on a page that may refresh itself because nothing is typed into it. */
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

/** What an address asks for; anything that is none of ours asks for the plain page. */
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

/** What can be a currency's code, or null. */
export const currencyCode = (text: string | null): string | null =>
  text !== null && CURRENCY.test(text) ? text : null;
