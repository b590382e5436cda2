import { type Countdown, startCountdown } from "./countdown";
import { type LostResponse, sendForms, watchLostResponse } from "./forms";
import { type StatusWatch, watchStatus } from "./live-status";
import { announce, localizeTimes, showConnection } from "./page";
import { postToShop } from "./shop-message";
import { refreshView, replaceView } from "./view";

/** Script of the frame embedded in a shop's page: countdown, live status, and messages to the embedding page. The script stores nothing. */

const REFRESH_RETRY_MS = 3000;

let endView: () => void = () => {};
let lostResponse: LostResponse | undefined;
let refreshing = false;

const findMain = (): HTMLElement | null => document.querySelector<HTMLElement>("main[data-frame-origins]");

function startView(): void {
  endView();
  endView = () => {};
  const main = findMain();
  if (main === null) return;
  localizeTimes(main);
  postState();
  const { orderStatus } = main.dataset;
  if (orderStatus !== "PENDING" && orderStatus !== "REFUND_PENDING") return;
  const timer = main.querySelector<HTMLElement>('[data-testid="pay-countdown"]');
  const clock: Countdown = startCountdown(timer, announce, () => void watch.check());
  const watch: StatusWatch = watchStatus(main, {
    changed: () => void refresh(),
    timeLeft: (milliseconds) => clock.set(milliseconds),
    connection: (connection) => {
      showConnection(main, connection);
      clock.setPaused(connection !== "good");
    },
  });
  const responseWatch = watchLostResponse(main, watch.check, announce);
  lostResponse = responseWatch;
  endView = () => {
    clock.end();
    watch.end();
    responseWatch.end();
  };
}

async function refresh(): Promise<void> {
  if (refreshing) return;
  refreshing = true;
  endView();
  const exchanged = await refreshView(location.href);
  refreshing = false;
  if (exchanged) return showNewView();
  if (exchanged === false) return;
  const main = findMain();
  if (main !== null) showConnection(main, navigator.onLine ? "lost" : "offline");
  const retryTimer = setTimeout(() => void refresh(), REFRESH_RETRY_MS);
  endView = () => clearTimeout(retryTimer);
}

function showNewView(): void {
  startView();
  announce(document.querySelector('[data-testid="pay-status"]')?.textContent ?? "");
}

function postState(): void {
  const main = findMain();
  const root = document.getElementById("__next");
  if (main === null || root === null) return;
  postToShop(main, {
    state: main.dataset.orderStatus,
    height: Math.ceil(root.getBoundingClientRect().height),
    lang: document.documentElement.lang,
  });
}

sendForms({
  responded(page, address) {
    endView();
    if (replaceView(page, address)) showNewView();
  },
  sending: () => lostResponse?.clear(),
  lost: (sent) => lostResponse?.lost(sent),
});
document.documentElement.classList.add("scripted");
startView();
const root = document.getElementById("__next");
if (root !== null) new ResizeObserver(postState).observe(root);
// The embedding page gets no key events from the frame.
addEventListener("keydown", ({ key }) => {
  const main = findMain();
  if (key === "Escape" && main !== null) postToShop(main, { close: true });
});
addEventListener("pagehide", () => endView());
addEventListener("pageshow", (event) => {
  if (event.persisted) void refresh();
});
