import { type Countdown, startCountdown } from "./countdown";
import { type LostAnswer, sendForms, watchLostAnswer } from "./forms";
import { type StatusWatch, watchStatus } from "./live-status";
import { type Connection, localiseMoments, showConnection } from "./page";
import { tellShop } from "./tell-shop";
import { exchangeView, refreshView } from "./view";

/**
 * Script of the frame embedded in a shop's page: countdown, live status, and state messages to the embedding page. It stores
 * nothing.
 */

const FETCH_AGAIN_MS = 3000;

let endView: () => void = () => {};
let lostAnswer: LostAnswer | undefined;
let refreshing = false;

const shownMain = (): HTMLElement | null => document.querySelector<HTMLElement>("main[data-tells]");

function startView(): void {
  endView();
  endView = () => {};
  const main = shownMain();
  if (main === null) return;
  localiseMoments(main);
  tellState();
  const { orderStatus } = main.dataset;
  if (orderStatus !== "PENDING" && orderStatus !== "REFUND_PENDING") return;
  const timer = main.querySelector<HTMLElement>('[data-testid="pay-countdown"]');
  const clock: Countdown = startCountdown(timer, announce, () => void watch.ask());
  const watch: StatusWatch = watchStatus(main, {
    changed: () => void refresh(),
    timeLeft: (milliseconds) => clock.set(milliseconds),
    connection: (connection) => {
      say(main, connection);
      clock.stand(connection !== "good");
    },
  });
  const lost = watchLostAnswer(main, watch.ask, announce);
  lostAnswer = lost;
  endView = () => {
    clock.end();
    watch.end();
    lost.end();
  };
}

async function refresh(): Promise<void> {
  if (refreshing) return;
  refreshing = true;
  endView();
  const exchanged = await refreshView(location.href);
  refreshing = false;
  if (exchanged) return arrive();
  if (exchanged === false) return;
  const main = shownMain();
  if (main !== null) say(main, navigator.onLine ? "lost" : "offline");
  const again = setTimeout(() => void refresh(), FETCH_AGAIN_MS);
  endView = () => clearTimeout(again);
}

function arrive(): void {
  startView();
  announce(document.querySelector('[data-testid="pay-status"]')?.textContent ?? "");
}

function say(main: HTMLElement, connection: Connection): void {
  const before = main.querySelector<HTMLElement>("[data-connection]")?.textContent;
  const text = showConnection(main, connection);
  if (text !== before) announce(text);
}

function announce(text: string): void {
  const announcer = document.querySelector("[data-announcer]");
  if (announcer !== null) announcer.textContent = text;
}

function tellState(): void {
  const main = shownMain();
  const whole = document.getElementById("__next");
  if (main === null || whole === null) return;
  tellShop(main, {
    state: main.dataset.orderStatus,
    height: Math.ceil(whole.getBoundingClientRect().height),
    lang: document.documentElement.lang,
  });
}

sendForms({
  answered(page, address) {
    endView();
    if (exchangeView(page, address)) arrive();
  },
  sending: () => lostAnswer?.clear(),
  lost: (sent) => lostAnswer?.lost(sent),
});
document.documentElement.classList.add("scripted");
startView();
const whole = document.getElementById("__next");
if (whole !== null) new ResizeObserver(tellState).observe(whole);
// The embedding page gets no key events from the frame.
addEventListener("keydown", ({ key }) => {
  const main = shownMain();
  if (key === "Escape" && main !== null) tellShop(main, { close: true });
});
addEventListener("pagehide", () => endView());
addEventListener("pageshow", (event) => {
  if (event.persisted) void refresh();
});
