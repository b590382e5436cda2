import { readPart } from "./read-part";

/** How often a page that shows work under way is read again, in milliseconds. */
const EVERY_MS = 2_000;

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
    if (next === undefined) return void setTimeout(() => void look(), EVERY_MS);
    // Another part of the page changes with the end of the work.
    if (next === null) return location.reload();
    keepOpened(followed, next);
    // What is the same stays, with what is selected in it.
    if (!followed.isEqualNode(next)) followed.replaceChildren(...next.childNodes);
    setTimeout(() => void look(), EVERY_MS);
  };
  setTimeout(() => void look(), EVERY_MS);
}
