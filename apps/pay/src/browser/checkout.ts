import { type Connection, showConnection } from "./connection";
import { startCopying } from "./copy";
import { startCountdown } from "./countdown";
import { sendForms } from "./forms";
import { watchStatus } from "./live-status";
import { localiseMoments } from "./moments";
import { startPrinting } from "./print";
import { startQuote } from "./quote";
import { watchReceipt } from "./receipt";
import { startRetrying } from "./retry";
import { startReturn } from "./return";
import { showThatScriptRuns } from "./script-runs";
import { exchangeView, refreshView, showFocused } from "./view";

/**
 * The page's only script. Every step works without it; it counts down, follows the order live, takes the steps
 * without leaving the page, and leads back to the shop.
 */

/** A view that could not be fetched is asked for again after this long. */
const FETCH_AGAIN_MS = 3000;

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
  const { orderStatus, nextView, nextSeconds } = main.dataset;
  if (orderStatus !== "PENDING" && orderStatus !== "REFUND_PENDING") {
    const ends = [
      startReturn(main, arrival !== "back"),
      watchReceipt(main, () => void refresh(location.href, "back")),
    ];
    endView = () => {
      for (const end of ends) end();
    };
    return;
  }
  const wanted = main.querySelector<HTMLElement>("[autofocus]");
  if (arrival === "first" && wanted !== null) showFocused(main, wanted);
  const timer = main.querySelector<HTMLElement>('[data-testid="pay-countdown"]');
  const clocks = [startCountdown(timer, announce, () => watch.ask()), startQuote(main, announce)];
  const watch = watchStatus(main, {
    changed: () => void refresh(location.href),
    timeLeft: (milliseconds) => clocks[0]?.set(milliseconds),
    connection: (connection) => {
      say(main, connection);
      for (const clock of clocks) clock.stand(connection !== "good");
    },
  });
  askStatus = watch.ask;
  const next =
    nextView === undefined ? 0 : setTimeout(() => void refresh(nextView), Number(nextSeconds) * 1000);
  endView = () => {
    clearTimeout(next);
    for (const clock of clocks) clock.end();
    watch.end();
  };
}

/** Shows the order as it is now, and says so to a screen reader. What cannot be fetched is asked for until it can. */
async function refresh(address: string, arrival: "change" | "back" = "change"): Promise<void> {
  if (refreshing) return;
  refreshing = true;
  endView();
  const before = statusText();
  const exchanged = await refreshView(address);
  refreshing = false;
  if (exchanged) return arrive(before, arrival);
  if (exchanged === false) return;
  const main = document.querySelector<HTMLElement>("main[data-token]");
  if (main !== null) say(main, navigator.onLine ? "lost" : "offline");
  const again = setTimeout(() => void refresh(address, arrival), FETCH_AGAIN_MS);
  endView = () => clearTimeout(again);
}

function arrive(before: string, arrival: "change" | "back"): void {
  startView(arrival);
  if (statusText() !== before) announce(statusText());
}

function say(main: HTMLElement, connection: Connection): void {
  const before = main.querySelector<HTMLElement>("[data-connection]")?.textContent;
  const text = showConnection(main, connection);
  if (text !== before) announce(text);
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
showThatScriptRuns();
startView(cameBack ? "back" : "first");
for (const main of document.querySelectorAll<HTMLElement>("main[data-waits-for]")) startRetrying(main);
addEventListener("pagehide", () => endView());
// A page out of the browser's memory shows a time that is over: another tab or phone may have paid since.
addEventListener("pageshow", (event) => {
  if (event.persisted) void refresh(location.href, "back");
});
