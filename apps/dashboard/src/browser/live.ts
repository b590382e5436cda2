/** Fetches the current state of one part of a page. @returns null if the page has no such part; undefined if the page cannot be fetched */
export async function readPart(address: string, selector: string): Promise<Element | null | undefined> {
  const response = await fetch(address).catch(() => null);
  // A redirect means that the session has expired.
  if (!response?.ok || response.redirected) return undefined;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return page.querySelector(selector);
}

const PAGE_CHECK_MS = 2_000;

/** Copies the open state of `details` elements, matched by position, so that a refresh keeps what the reader opened. */
function copyOpenState(shown: Element, next: Element): void {
  const before = shown.querySelectorAll("details");
  next.querySelectorAll("details").forEach((details, at) => {
    details.open = before[at]?.open ?? details.open;
  });
}

/** Refreshes the part of the page that shows work in progress, and reloads the page when the work is done. */
export function startFollowing(): void {
  const followed = document.querySelector("[data-following]");
  if (followed === null) return;
  const refresh = async () => {
    const next = await readPart(location.href, "[data-following]");
    if (next === undefined) return void setTimeout(() => void refresh(), PAGE_CHECK_MS);
    // When the work is done, other parts of the page change too.
    if (next === null) return location.reload();
    copyOpenState(followed, next);
    // An unchanged part keeps the reader's selection.
    if (!followed.isEqualNode(next)) followed.replaceChildren(...next.childNodes);
    setTimeout(() => void refresh(), PAGE_CHECK_MS);
  };
  setTimeout(() => void refresh(), PAGE_CHECK_MS);
}

const LIST_CHECK_MS = 3_000;

/** While the follow button is on, refreshes the list every few seconds, except while the page is hidden or the focus is in the list. */
export function startLiveList(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-follow]");
  const list = document.querySelector("[data-live]");
  if (button === null || list === null) return;
  let timer: ReturnType<typeof setInterval> | undefined;
  const refresh = async () => {
    if (document.hidden || list.contains(document.activeElement)) return;
    const newest = await readPart(location.href, "[data-live]");
    if (newest) list.replaceChildren(...newest.childNodes);
  };
  button.addEventListener("click", () => {
    const follows = timer === undefined;
    button.setAttribute("aria-pressed", String(follows));
    clearInterval(timer);
    timer = follows ? setInterval(() => void refresh(), LIST_CHECK_MS) : undefined;
    if (follows) void refresh();
  });
}
