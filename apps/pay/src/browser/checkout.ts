import { startCopying } from "@tillgate/service/browser/copy";
import { presentForm } from "@tillgate/service/browser/present-form";
import { startCountdown, startQuote, startReturn, startWait } from "./countdown";
import { type LostAnswer, sendForms, watchLostAnswer } from "./forms";
import { watchStatus } from "./live-status";
import { type Connection, localiseMoments, showConnection, showThatScriptRuns, startPrinting } from "./page";
import { startRetrying, waitAtTill, watchReceipt } from "./polling";
import { exchangeView, refreshView, showFocused, watchLandings } from "./view";

let loading: Promise<void> | undefined;
let loaded = false;

/**
 * Loads the passkey script once. Without it, passkey forms are submitted as they are and the server reports what is missing.
 */
function load(address: string): Promise<void> {
  loading ??= new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = script.onerror = () => {
      loaded = true;
      resolve();
    };
    document.head.append(script);
  });
  return loading;
}

/** Preloads the passkey script if the view has a passkey form. */
function preparePasskeys(main: HTMLElement): void {
  const address = main.querySelector<HTMLInputElement>("input[data-passkey]")?.dataset.script;
  if (address !== undefined) void load(address);
}

/** Delays passkey forms until the script is loaded. Registered before the handler that sends forms. */
function holdPasskeyForms(): void {
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (loaded || !(form instanceof HTMLFormElement)) return;
      const address = form.querySelector<HTMLInputElement>("input[data-passkey]")?.dataset.script;
      if (address === undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const { submitter } = event;
      void load(address).then(() => {
        const present = presentForm(form);
        present?.requestSubmit(present === form ? submitter : null);
      });
    },
    true,
  );
}

/**
 * The page's main script: countdowns, live status, form submission without navigation, and the return to the shop. Every step
 * works without it.
 */

/** Delay before a failed view refresh is retried. */
const FETCH_AGAIN_MS = 3000;

/** Stops everything that the current view started. */
let endView: () => void = () => {};
let lostAnswer: LostAnswer | undefined;
let refreshing = false;

function startView(arrival: "first" | "back" | "change"): void {
  endView();
  endView = () => {};
  const main = document.querySelector<HTMLElement>("main[data-token]");
  if (main === null) return;
  localiseMoments(main);
  startPrinting(main);
  preparePasskeys(main);
  startCopying(main, announce);
  const { orderStatus, nextView, nextSeconds } = main.dataset;
  if (orderStatus !== "PENDING" && orderStatus !== "REFUND_PENDING") {
    const ends = [
      startReturn(main, arrival !== "back"),
      watchReceipt(main, () => void refresh(location.href, "back")),
      watchLandings(main),
    ];
    lostAnswer = watchLostAnswer(main, async () => undefined, announce);
    endView = () => {
      for (const end of ends) end();
    };
    return;
  }
  const wanted = main.querySelector<HTMLElement>("[autofocus]");
  if (arrival === "first" && wanted !== null) showFocused(main, wanted);
  const timer = main.querySelector<HTMLElement>('[data-testid="pay-countdown"]');
  const clocks = [
    startCountdown(timer, announce, () => void watch.ask()),
    startQuote(main, announce),
    startWait(main, announce),
  ];
  const watch = watchStatus(main, {
    changed: () => void refresh(location.href),
    timeLeft: (milliseconds) => clocks[0]?.set(milliseconds),
    connection: (connection) => {
      say(main, connection);
      for (const clock of clocks) clock.stand(connection !== "good");
    },
  });
  const lost = watchLostAnswer(main, watch.ask, announce);
  lostAnswer = lost;
  const next =
    nextView === undefined ? 0 : setTimeout(() => void refresh(nextView), Number(nextSeconds) * 1000);
  endView = () => {
    clearTimeout(next);
    for (const clock of clocks) clock.end();
    watch.end();
    lost.end();
  };
}

/** Refreshes the view and announces a changed status to screen readers. Retries until the view is fetched. */
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

/** On back navigation to a settled page, do not redirect to the shop again. */
const cameBack = performance
  .getEntriesByType("navigation")
  .some((entry) => (entry as PerformanceNavigationTiming).type === "back_forward");

holdPasskeyForms();
sendForms({
  answered(page, address) {
    const before = statusText();
    endView();
    if (exchangeView(page, address)) arrive(before, "change");
  },
  sending: () => lostAnswer?.clear(),
  lost: (sent) => lostAnswer?.lost(sent),
});
showThatScriptRuns();
startView(cameBack ? "back" : "first");
for (const main of document.querySelectorAll<HTMLElement>("main[data-waits-for]")) startRetrying(main);
for (const main of document.querySelectorAll<HTMLElement>("main[data-till]")) waitAtTill(main);
addEventListener("pagehide", () => endView());
// A page restored from the back/forward cache is stale: another tab or phone may have paid.
addEventListener("pageshow", (event) => {
  if (event.persisted) void refresh(location.href, "back");
});
