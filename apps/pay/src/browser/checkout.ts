import { startCopying } from "./copy";
import { startCountdown } from "./countdown";
import { releaseForms, sendFormsOnce } from "./forms";
import { watchStatus } from "./live-status";
import { localiseMoments } from "./moments";
import { startPrinting } from "./print";
import { startReturn } from "./return";
import { refreshView } from "./view";

/**
 * The page's only script. Every step works without it; it counts down, follows the order live, exchanges the view
 * when the order changes, and leads back to the shop.
 */

/** Ends whatever the current view started. */
let endView: () => void = () => {};
let refreshing = false;

function startView(arrival: "first" | "back" | "change"): void {
  endView();
  const main = document.querySelector<HTMLElement>("main[data-token]");
  if (main === null) {
    endView = () => {};
    return;
  }
  localiseMoments(main);
  startPrinting(main);
  startCopying(main);
  const endReturn = startReturn(main, arrival !== "back");
  if (main.dataset.orderStatus !== "PENDING") {
    endView = endReturn;
    return;
  }
  main.querySelector<HTMLElement>("[data-focus]")?.focus();
  const countdown = startCountdown(main, announce, () => watch.ask());
  const watch = watchStatus(main, {
    changed: () => void change(),
    timeLeft: (milliseconds) => countdown.set(milliseconds),
  });
  endView = () => {
    countdown.end();
    watch.end();
  };
}

/** Shows the order as it is now, and says so to a screen reader. */
async function change(): Promise<void> {
  if (refreshing) return;
  refreshing = true;
  endView();
  try {
    if (await refreshView()) {
      startView("change");
      announce(document.querySelector('[data-testid="pay-status"]')?.textContent ?? "");
    }
  } finally {
    refreshing = false;
  }
}

function announce(text: string): void {
  const announcer = document.querySelector("[data-announcer]");
  if (announcer !== null) announcer.textContent = text;
}

/** Whoever comes back to a finished page by the back button wants to see it, not to be sent away again. */
const cameBack = performance
  .getEntriesByType("navigation")
  .some((entry) => (entry as PerformanceNavigationTiming).type === "back_forward");

sendFormsOnce();
startView(cameBack ? "back" : "first");
addEventListener("pagehide", () => endView());
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  releaseForms();
  startView("back");
});
