import { startCopying } from "@tillgate/service/browser/copy";
import { startBrandPreview } from "./brand-preview";
import { startCountdowns } from "./countdown";
import { startExports } from "./export";
import { startFollowing, startLiveList } from "./live";

/** Lifetime of one year, renewed on every page. */
const COOKIE_SECONDS = 365 * 24 * 3600;

/** Stores the browser's time zone in a cookie, for times formatted by the server. */
function storeTimeZoneCookie(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone) return;
  const secure = location.protocol === "https:";
  const name = `${secure ? "__Host-" : ""}tillgate_console_browser_zone`;
  // biome-ignore lint/suspicious/noDocumentCookie: Browsers that are still in use have no cookie store.
  document.cookie = `${name}=${zone}; Path=/; SameSite=Lax; Max-Age=${COOKIE_SECONDS}${secure ? "; Secure" : ""}`;
}

const root = document.documentElement;
root.classList.add("scripted");

const announce = (text: string): void => {
  const announcer = document.querySelector("[data-announcer]");
  if (announcer !== null) announcer.textContent = text;
};
storeTimeZoneCookie();
startCopying(document.body, announce);
startBrandPreview();
startFollowing();
startLiveList();
startExports(announce);

// On a phone the navigation is wider than the screen.
document
  .querySelector(".sections [aria-current]")
  ?.scrollIntoView({ block: "nearest", inline: "center", behavior: "instant" });

// Focus the question or the form errors, so that screen readers announce them first.
document.querySelector<HTMLElement>("[data-focus]")?.focus();

const search = document.querySelector<HTMLInputElement>("[data-search]");
document.addEventListener("keydown", (event) => {
  const { target } = event;
  const typing =
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
  const isShortcut = event.key === "k" ? event.ctrlKey || event.metaKey : event.key === "/" && !typing;
  if (search === null || !isShortcut || event.altKey) return;
  event.preventDefault();
  search.select();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  // Submit only once, even after repeated clicks.
  if (form.dataset.sent !== undefined) return event.preventDefault();
  const question = form.dataset.confirm;
  if (question !== undefined && !confirm(question)) return event.preventDefault();
  if (form.method === "post") form.dataset.sent = "";
});
// A page restored from the back/forward cache may be submitted again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-sent]")) delete form.dataset.sent;
});

startCountdowns(document);
document.querySelector("[data-print]")?.addEventListener("click", () => print());
