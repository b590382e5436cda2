import { fetchWithin, RESPONSE_TIMEOUT_MS } from "./polling";

const VIEW_TIMEOUT_MS = 10_000;

/** Replaces the shown view with the server's current one. @returns whether the view was replaced; undefined if the current view could not be fetched */
export async function refreshView(address: string): Promise<boolean | undefined> {
  try {
    const init = { headers: { Accept: "text/html" } };
    const { response, text } = await fetchWithin(VIEW_TIMEOUT_MS, address, init);
    if (response.status >= 500) return undefined;
    return replaceView(parse(text), response.url);
  } catch {
    return undefined;
  }
}

export const parse = (html: string): Document => new DOMParser().parseFromString(html, "text/html");

/** Replaces `main` with that of another page and moves the focus. @returns false if that page shows no order; the browser then reloads */
export function replaceView(page: Document, address: string): boolean {
  const [oldMain, newMain] = [
    document.querySelector<HTMLElement>("main"),
    page.querySelector<HTMLElement>("main[data-token]"),
  ];
  if (oldMain === null || newMain === null) {
    location.replace(location.pathname);
    return false;
  }
  const hadFocus = oldMain.contains(document.activeElement) || document.activeElement === document.body;
  // The response and the stream may both render the same state; focus that is already on the heading then stays on it.
  const atHeading = document.activeElement === oldMain.querySelector("h1");
  const changed = oldMain.dataset.orderStatus !== newMain.dataset.orderStatus;
  oldMain.replaceWith(document.adoptNode(newMain));
  history.replaceState(null, "", address);
  document.title = page.title;
  if (changed) scrollTo(0, 0);
  const find = (selector: string) => newMain.querySelector<HTMLElement>(selector);
  const autofocused = find("[autofocus]");
  if (autofocused !== null) showFocused(newMain, autofocused);
  else if (changed || atHeading) find("h1")?.focus({ preventScroll: true });
  else if (hadFocus) find('[data-testid="pay-status"]')?.focus({ preventScroll: true });
  return true;
}

/** Focuses an element and scrolls the notice above it into view. */
export function showFocused(main: HTMLElement, autofocused: HTMLElement): void {
  autofocused.focus();
  main.querySelector<HTMLElement>(".notice:not([hidden])")?.scrollIntoView({ block: "nearest" });
}

const CHECK_MS = 1000;
const MAX_CHECKS = 10;
const DELIVERIES = "[data-deliveries]";

/** Refreshes the webhook deliveries once a second while one is pending, at most ten times. @returns a function that stops the refreshes */
export function watchDeliveries(main: HTMLElement): () => void {
  let checks = 0;
  const check = async () => {
    const shown = main.querySelector<HTMLElement>(DELIVERIES);
    checks += 1;
    if (shown?.dataset.deliveries !== "waiting" || checks > MAX_CHECKS) return clearInterval(timer);
    try {
      const { text } = await fetchWithin(RESPONSE_TIMEOUT_MS, location.href);
      const updated = parse(text).querySelector(DELIVERIES);
      if (updated !== null) shown.replaceWith(document.adoptNode(updated));
    } catch {
      // The next check retries.
    }
  };
  const timer = setInterval(() => void check(), CHECK_MS);
  return () => clearInterval(timer);
}
