/**
 * Exchanges what the page shows for what the server draws now, keeping the announcer in place. When that fails the
 * browser loads the whole page instead.
 * @returns whether the view was exchanged.
 */
export async function refreshView(): Promise<boolean> {
  try {
    const response = await fetch(location.pathname, { cache: "no-store", headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const [before, after] = [document.querySelector("main"), page.querySelector("main[data-token]")];
    if (!response.ok || before === null || after === null) throw new Error("no view of an order");
    const hadFocus = before.contains(document.activeElement);
    before.replaceWith(document.adoptNode(after));
    document.title = page.title;
    if (hadFocus) document.querySelector<HTMLElement>('[data-testid="pay-status"]')?.focus();
    return true;
  } catch {
    location.replace(location.pathname);
    return false;
  }
}
