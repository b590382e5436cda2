/**
 * Reads a part of a page of ours as it is now.
 * @returns null where the page has no such part; undefined where it cannot be read.
 */
export async function readPart(address: string, selector: string): Promise<Element | null | undefined> {
  const response = await fetch(address).catch(() => null);
  // Who is no longer signed in is led elsewhere.
  if (!response?.ok || response.redirected) return undefined;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return page.querySelector(selector);
}

/** How often a page that shows work under way is read again, in milliseconds. */
const PAGE_CHECK_MS = 2_000;

/** What a reader has opened stays open. */
function keepOpened(shown: Element, next: Element): void {
  const before = shown.querySelectorAll("details");
  next.querySelectorAll("details").forEach((details, at) => {
    details.open = before[at]?.open ?? details.open;
  });
}

/** Draws the part of the page again that follows something under way, until nothing is. Without scripts the page reloads. */
export function startFollowing(): void {
  const followed = document.querySelector("[data-following]");
  if (followed === null) return;
  const look = async () => {
    const next = await readPart(location.href, "[data-following]");
    if (next === undefined) return void setTimeout(() => void look(), PAGE_CHECK_MS);
    // Another part of the page changes with the end of the work.
    if (next === null) return location.reload();
    keepOpened(followed, next);
    // What is the same stays, with what is selected in it.
    if (!followed.isEqualNode(next)) followed.replaceChildren(...next.childNodes);
    setTimeout(() => void look(), PAGE_CHECK_MS);
  };
  setTimeout(() => void look(), PAGE_CHECK_MS);
}

/** How often a list that is followed is looked at, in milliseconds. */
const LIST_CHECK_MS = 3_000;

/** The button shows the newest of a list as long as it is pressed: the page is asked for again, and its list is taken over. */
export function startLiveList(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-follow]");
  const list = document.querySelector("[data-live]");
  if (button === null || list === null) return;
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = async () => {
    // Nothing is taken away from under a reader who is in it.
    if (document.hidden || list.contains(document.activeElement)) return;
    const newest = await readPart(location.href, "[data-live]");
    if (newest) list.replaceChildren(...newest.childNodes);
  };
  button.addEventListener("click", () => {
    const follows = timer === undefined;
    button.setAttribute("aria-pressed", String(follows));
    clearInterval(timer);
    timer = follows ? setInterval(() => void look(), LIST_CHECK_MS) : undefined;
    if (follows) void look();
  });
}
