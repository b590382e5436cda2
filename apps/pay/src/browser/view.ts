import { fetchWithin } from "./fetch-within";

/** A view that has not come after this long counts as lost. */
const VIEW_MS = 10_000;

/**
 * Exchanges what the page shows for what the server draws now, keeping the announcer in place.
 * @param address which of the page's own views to draw.
 * @returns whether the view was exchanged; undefined where it could not be fetched and is still to come.
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
 * Puts the view of another drawing of this page into place. Where the order is no longer what it was, the view begins
 * at its top and at its heading. Else the focus goes to what the drawing asks for, a field to correct or what came of
 * the last step, and whoever had the focus inside the old view is left at the status.
 * @param address of the drawing: reloading the page shows it again.
 * @returns false where the drawing shows no order; the browser then loads the page anew.
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
  // The same state may be drawn twice, by the answer and by the stream: who is at the heading stays there.
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

/** Focuses what the drawing asks for. Why it has to be corrected is said above it, and is what a reader has to see. */
export function showFocused(main: HTMLElement, wanted: HTMLElement): void {
  wanted.focus();
  main.querySelector<HTMLElement>(".notice:not([hidden])")?.scrollIntoView({ block: "nearest" });
}
