/**
 * Exchanges what the page shows for what the server draws now, keeping the announcer in place. When that fails the
 * browser loads the whole page instead.
 * @param address which of the page's own views to draw.
 * @returns whether the view was exchanged.
 */
export async function refreshView(address: string): Promise<boolean> {
  try {
    const response = await fetch(address, { cache: "no-store", headers: { Accept: "text/html" } });
    return exchangeView(new DOMParser().parseFromString(await response.text(), "text/html"), response.url);
  } catch {
    location.replace(location.pathname);
    return false;
  }
}

/**
 * Puts the view of another drawing of this page into place. The focus goes to what the drawing asks for: a field to
 * correct, or what came of the last step. Whoever had the focus inside the old view is left at the new status.
 * @param address of the drawing: reloading the page shows it again.
 * @returns false where the drawing shows no order; the browser then loads the page anew.
 */
export function exchangeView(page: Document, address: string): boolean {
  const [before, after] = [
    document.querySelector("main"),
    page.querySelector<HTMLElement>("main[data-token]"),
  ];
  if (before === null || after === null) {
    location.replace(location.pathname);
    return false;
  }
  const hadFocus = before.contains(document.activeElement) || document.activeElement === document.body;
  before.replaceWith(document.adoptNode(after));
  history.replaceState(null, "", address);
  document.title = page.title;
  const wanted = after.querySelector<HTMLElement>("[autofocus]");
  if (wanted !== null) wanted.focus();
  else if (hadFocus)
    after.querySelector<HTMLElement>('[data-testid="pay-status"]')?.focus({ preventScroll: true });
  return true;
}
