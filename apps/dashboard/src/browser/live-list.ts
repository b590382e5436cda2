import { readPart } from "./read-part";

/** How often a list that is followed is looked at, in milliseconds. */
const EVERY_MS = 3_000;

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
    timer = follows ? setInterval(() => void look(), EVERY_MS) : undefined;
    if (follows) void look();
  });
}
