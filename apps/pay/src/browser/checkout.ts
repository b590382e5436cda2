import { startCopying } from "@tillgate/service/browser/copy";
import { findCurrentForm } from "@tillgate/service/browser/current-form";
import { startCountdown, startQuoteCountdown, startReturnCountdown, startWaitCountdown } from "./countdown";
import { type LostResponse, sendForms, watchLostResponse } from "./forms";
import { watchStatus } from "./live-status";
import { announce, localizeTimes, markScriptRunning, showConnection, startPrinting } from "./page";
import { retryUntilAvailable, waitForTillOrder, watchReceipt } from "./polling";
import { refreshView, replaceView, showFocused, watchDeliveries } from "./view";

/** Main script of the page: countdowns, live status, forms without navigation, and the return to the shop. The page works without the script. */

let loading: Promise<void> | undefined;
let loaded = false;

/** Loads the passkey script once. Resolves even if loading fails; the form is then sent without a passkey and the server reports the error. */
function loadPasskeyScript(address: string): Promise<void> {
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

function preparePasskeys(main: HTMLElement): void {
  const address = main.querySelector<HTMLInputElement>("input[data-passkey]")?.dataset.script;
  if (address !== undefined) void loadPasskeyScript(address);
}

/** Delays passkey forms until the passkey script has loaded or failed to load. Must be registered before the handler that sends forms. */
function delayPasskeyForms(): void {
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
      void loadPasskeyScript(address).then(() => {
        const present = findCurrentForm(form);
        present?.requestSubmit(present === form ? submitter : null);
      });
    },
    true,
  );
}

const REFRESH_RETRY_MS = 3000;

let endView: () => void = () => {};
let lostResponse: LostResponse | undefined;
let refreshing = false;

function startView(arrival: "first" | "back" | "change"): void {
  endView();
  endView = () => {};
  const main = document.querySelector<HTMLElement>("main[data-token]");
  if (main === null) return;
  localizeTimes(main);
  startPrinting(main);
  preparePasskeys(main);
  startCopying(main, announce);
  const { orderStatus, nextView, nextSeconds } = main.dataset;
  if (orderStatus !== "PENDING" && orderStatus !== "REFUND_PENDING") {
    const stops = [
      startReturnCountdown(main, arrival !== "back"),
      watchReceipt(main, () => void refresh(location.href, "back")),
      watchDeliveries(main),
    ];
    lostResponse = watchLostResponse(main, async () => undefined, announce);
    endView = () => {
      for (const end of stops) end();
    };
    return;
  }
  const autofocused = main.querySelector<HTMLElement>("[autofocus]");
  if (arrival === "first" && autofocused !== null) showFocused(main, autofocused);
  const timer = main.querySelector<HTMLElement>('[data-testid="pay-countdown"]');
  const clocks = [
    startCountdown(timer, announce, () => void watch.check()),
    startQuoteCountdown(main, announce),
    startWaitCountdown(main, announce),
  ];
  const watch = watchStatus(main, {
    changed: () => void refresh(location.href),
    timeLeft: (milliseconds) => clocks[0]?.set(milliseconds),
    connection: (connection) => {
      showConnection(main, connection);
      for (const clock of clocks) clock.setPaused(connection !== "good");
    },
  });
  const responseWatch = watchLostResponse(main, watch.check, announce);
  lostResponse = responseWatch;
  const next =
    nextView === undefined ? 0 : setTimeout(() => void refresh(nextView), Number(nextSeconds) * 1000);
  endView = () => {
    clearTimeout(next);
    for (const clock of clocks) clock.end();
    watch.end();
    responseWatch.end();
  };
}

/** Refreshes the view, retrying every three seconds until the fetch succeeds. Announces a changed status to screen readers. */
async function refresh(address: string, arrival: "change" | "back" = "change"): Promise<void> {
  if (refreshing) return;
  refreshing = true;
  endView();
  const previousStatus = getStatusText();
  const exchanged = await refreshView(address);
  refreshing = false;
  if (exchanged) return showNewView(previousStatus, arrival);
  if (exchanged === false) return;
  const main = document.querySelector<HTMLElement>("main[data-token]");
  if (main !== null) showConnection(main, navigator.onLine ? "lost" : "offline");
  const retryTimer = setTimeout(() => void refresh(address, arrival), REFRESH_RETRY_MS);
  endView = () => clearTimeout(retryTimer);
}

function showNewView(before: string, arrival: "change" | "back"): void {
  startView(arrival);
  if (getStatusText() !== before) announce(getStatusText());
}

const getStatusText = (): string => document.querySelector('[data-testid="pay-status"]')?.textContent ?? "";

/** Whether the browser came here by back or forward navigation. The page of a completed order then does not redirect to the shop again. */
const cameBack = performance
  .getEntriesByType("navigation")
  .some((entry) => (entry as PerformanceNavigationTiming).type === "back_forward");

delayPasskeyForms();
sendForms({
  responded(page, address) {
    const previousStatus = getStatusText();
    endView();
    if (replaceView(page, address)) showNewView(previousStatus, "change");
  },
  sending: () => lostResponse?.clear(),
  lost: (sent) => lostResponse?.lost(sent),
});
markScriptRunning();
startView(cameBack ? "back" : "first");
for (const main of document.querySelectorAll<HTMLElement>("main[data-poll-address]"))
  retryUntilAvailable(main);
for (const main of document.querySelectorAll<HTMLElement>("main[data-till]")) waitForTillOrder(main);
addEventListener("pagehide", () => endView());
// A page restored from the back/forward cache is stale: another tab or phone may have paid.
addEventListener("pageshow", (event) => {
  if (event.persisted) void refresh(location.href, "back");
});
