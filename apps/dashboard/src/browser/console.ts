import { startCopying } from "@tillgate/service/browser/copy";
import { startBrandPreview } from "./brand-preview";
import { sayTimeZone } from "./browser-zone";
import { startFollowing } from "./follow";
import { startLiveList } from "./live-list";

/** What the script adds to pages that work without it. */
const root = document.documentElement;
root.classList.add("scripted");

const announce = (text: string): void => {
  const announcer = document.querySelector("[data-announcer]");
  if (announcer !== null) announcer.textContent = text;
};
sayTimeZone();
startCopying(document.body, announce);
startBrandPreview();
startFollowing();
startLiveList();

// What went wrong is read first.
document.querySelector<HTMLElement>("[data-focus]")?.focus();

const search = document.querySelector<HTMLInputElement>("[data-search]");
document.addEventListener("keydown", (event) => {
  const { target } = event;
  const typing =
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
  const wanted = event.key === "k" ? event.ctrlKey || event.metaKey : event.key === "/" && !typing;
  if (search === null || !wanted || event.altKey) return;
  event.preventDefault();
  search.select();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  // Sent once, however often it is clicked.
  if (form.dataset.sent !== undefined) return event.preventDefault();
  const question = form.dataset.confirm;
  if (question !== undefined && !confirm(question)) return event.preventDefault();
  if (form.method === "post") form.dataset.sent = "";
});
// A page that the browser kept may be sent again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-sent]")) delete form.dataset.sent;
});

/** Counts down to the end of a price, or of an old secret. */
for (const shown of document.querySelectorAll<HTMLTimeElement>("time[data-ends]")) {
  const end = Date.parse(shown.dateTime);
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    const shownParts = parts[0] === 0 ? parts.slice(1) : parts;
    shown.textContent = shownParts
      .map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0")))
      .join(":");
  };
  tick();
  setInterval(tick, 1000);
}
