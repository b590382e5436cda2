import { ANSWER_MS, fetchWithin } from "./polling";

/** How long a view may take before it counts as lost. */
const VIEW_MS = 10_000;

/**
 * Replaces the view with the server's present one and keeps the announcer in place.
 * @param address which of the page's own views to draw.
 * @returns whether the view was replaced; undefined where it could not be fetched yet.
 */
export async function refreshView(address: string): Promise<boolean | undefined> {
  try {
    const init = { headers: { Accept: "text/html" } };
    const { response, text } = await fetchWithin(VIEW_MS, address, init);
    if (response.status >= 500) return undefined;
    return exchangeView(parse(text), response.url);
  } catch {
    return undefined;
  }
}

export const parse = (html: string): Document => new DOMParser().parseFromString(html, "text/html");

/**
 * Puts the view of a newly drawn page into place. If the order's state changed, the view begins at its top and its heading.
 * Otherwise the focus goes where the new view asks for it: a field to correct, or the outcome of the last step. A reader
 * with the focus inside the old view goes to the status.
 * @param address of the drawing: reloading the page shows it again.
 * @returns false where the drawing shows no order; the browser then loads the page again.
 */
export function exchangeView(page: Document, address: string): boolean {
  const [before, after] = [
    document.querySelector<HTMLElement>("main"),
    page.querySelector<HTMLElement>("main[data-token]"),
  ];
  if (before === null || after === null) {
    location.replace(location.pathname);
    return false;
  }
  const hadFocus = before.contains(document.activeElement) || document.activeElement === document.body;
  // The answer and the stream may both draw the same state: a reader at the heading stays there.
  const atHeading = document.activeElement === before.querySelector("h1");
  const changed = before.dataset.orderStatus !== after.dataset.orderStatus;
  before.replaceWith(document.adoptNode(after));
  history.replaceState(null, "", address);
  document.title = page.title;
  if (changed) scrollTo(0, 0);
  const find = (selector: string) => after.querySelector<HTMLElement>(selector);
  const wanted = find("[autofocus]");
  if (wanted !== null) showFocused(after, wanted);
  else if (changed || atHeading) find("h1")?.focus({ preventScroll: true });
  else if (hadFocus) find('[data-testid="pay-status"]')?.focus({ preventScroll: true });
  return true;
}

/** Focuses the element that the view asks for. The reason for a correction stands above it, and must be visible. */
export function showFocused(main: HTMLElement, wanted: HTMLElement): void {
  wanted.focus();
  main.querySelector<HTMLElement>(".notice:not([hidden])")?.scrollIntoView({ block: "nearest" });
}

const CHECK_MS = 1000;
const MAX_CHECKS = 10;
const LANDING = "[data-landing]";

/**
 * Draws again what the shop was told, for some seconds while a webhook is under way.
 * @returns what ends it.
 */
export function watchLandings(main: HTMLElement): () => void {
  let checks = 0;
  const check = async () => {
    const shown = main.querySelector<HTMLElement>(LANDING);
    checks += 1;
    if (shown?.dataset.landing !== "waiting" || checks > MAX_CHECKS) return clearInterval(timer);
    try {
      const { text } = await fetchWithin(ANSWER_MS, location.href);
      const drawn = parse(text).querySelector(LANDING);
      if (drawn !== null) shown.replaceWith(document.adoptNode(drawn));
    } catch {
      // The next check asks again.
    }
  };
  const timer = setInterval(() => void check(), CHECK_MS);
  return () => clearInterval(timer);
}
