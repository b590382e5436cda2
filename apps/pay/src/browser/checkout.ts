import { startCopying } from "./copy";
import { startCountdown } from "./countdown";
import { sendForms } from "./forms";
import { watchStatus } from "./live-status";
import { localiseMoments } from "./moments";
import { startPrinting } from "./print";
import { startQuote } from "./quote";
import { startReturn } from "./return";
import { exchangeView, refreshView } from "./view";

/**
 * The page's only script. Every step works without it; it counts down, follows the order live, takes the steps
 * without leaving the page, and leads back to the shop.
 */

/** Ends whatever the current view started. */
let endView: () => void = () => {};
/** Asks now what became of the order. */
let askStatus: () => void = () => {};
let refreshing = false;

function startView(arrival: "first" | "back" | "change"): void {
  endView();
  endView = () => {};
  const main = document.querySelector<HTMLElement>("main[data-token]");
  if (main === null) return;
  localiseMoments(main);
  startPrinting(main);
  startCopying(main, announce);
  if (main.dataset.orderStatus !== "PENDING") {
    endView = startReturn(main, arrival !== "back");
    return;
  }
  if (arrival === "first") main.querySelector<HTMLElement>("[autofocus]")?.focus();
  const timer = main.querySelector<HTMLElement>('[data-testid="pay-countdown"]');
  const countdown = startCountdown(timer, announce, () => watch.ask());
  const quote = startQuote(main, announce);
  const watch = watchStatus(main, {
    changed: () => void refresh(location.href),
    timeLeft: (milliseconds) => countdown.set(milliseconds),
  });
  askStatus = watch.ask;
  const { nextView, nextSeconds } = main.dataset;
  const next =
    nextView === undefined ? 0 : setTimeout(() => void refresh(nextView), Number(nextSeconds) * 1000);
  endView = () => {
    clearTimeout(next);
    countdown.end();
    quote.end();
    watch.end();
  };
}

/** Shows the order as it is now, and says so to a screen reader. */
async function refresh(address: string, arrival: "change" | "back" = "change"): Promise<void> {
  if (refreshing) return;
  refreshing = true;
  endView();
  const before = statusText();
  try {
    if (await refreshView(address)) arrive(before, arrival);
  } finally {
    refreshing = false;
  }
}

function arrive(before: string, arrival: "change" | "back"): void {
  startView(arrival);
  if (statusText() !== before) announce(statusText());
}

const statusText = (): string => document.querySelector('[data-testid="pay-status"]')?.textContent ?? "";

function announce(text: string): void {
  const announcer = document.querySelector("[data-announcer]");
  if (announcer !== null) announcer.textContent = text;
}

/** Whoever comes back to a finished page by the back button wants to see it, not to be sent away again. */
const cameBack = performance
  .getEntriesByType("navigation")
  .some((entry) => (entry as PerformanceNavigationTiming).type === "back_forward");

sendForms({
  answered(page, address) {
    const before = statusText();
    endView();
    if (exchangeView(page, address)) arrive(before, "change");
  },
  lost() {
    const notice = document.querySelector<HTMLElement>("[data-lost-answer]");
    if (notice !== null) {
      notice.hidden = false;
      notice.focus();
    }
    askStatus();
  },
});
startView(cameBack ? "back" : "first");
addEventListener("pagehide", () => endView());
// A page out of the browser's memory shows a time that is over: another tab or phone may have paid since.
addEventListener("pageshow", (event) => {
  if (event.persisted) void refresh(location.href, "back");
});
