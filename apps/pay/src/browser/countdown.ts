import { formatTimeLeft, hasHours } from "#countdown.ts";

const LAST_MINUTE_MS = 60_000;
const LAST_SECONDS_MS = 15_000;
const TICK_MS = 250;
const STATUS_RETRY_MS = 2000;

export type Countdown = {
  /** Sets the time left in milliseconds, as measured by the server's clock. */
  set(milliseconds: number): void;
  /** Pauses or resumes the countdown: without a connection to the server, the time left may be wrong. */
  setPaused(paused: boolean): void;
  end(): void;
};

/** Starts a countdown that announces the last minute and the last 15 seconds. When the time is up, calls `over` every two seconds until `end` is called. */
export function startCountdown(
  shown: HTMLElement | null,
  announce: (text: string) => void,
  over: () => void,
): Countdown {
  if (shown === null) return { set: () => {}, setPaused: () => {}, end: () => {} };
  let deadline = Date.now() + Number(shown.dataset.expiresInMs);
  let requestedAt = 0;
  let previousLeft = deadline - Date.now();
  let paused = false;
  // Decided once, so that the width of the text never changes.
  const hours = hasHours(previousLeft);

  const tick = () => {
    if (paused) return;
    const msLeft = deadline - Date.now();
    const text = formatTimeLeft(msLeft, hours);
    if (shown.textContent !== text) shown.textContent = text;
    shown.classList.toggle("last-minute", msLeft <= LAST_MINUTE_MS);
    for (const [limit, announcement] of [
      [LAST_SECONDS_MS, shown.dataset.lastSeconds],
      [LAST_MINUTE_MS, shown.dataset.lastMinute],
    ] as const) {
      if (announcement === undefined || previousLeft <= limit || msLeft > limit) continue;
      announce(announcement);
      break;
    }
    previousLeft = Math.min(previousLeft, msLeft);
    if (msLeft <= 0 && Date.now() - requestedAt >= STATUS_RETRY_MS) {
      requestedAt = Date.now();
      over();
    }
  };
  tick();
  const timer = setInterval(tick, TICK_MS);
  return {
    set: (milliseconds) => {
      deadline = Date.now() + milliseconds;
      tick();
    },
    setPaused: (still) => {
      paused = still;
      shown.classList.toggle("paused", still);
      tick();
    },
    end: () => {
      clearInterval(timer);
      // A restarted countdown continues from here.
      shown.dataset.expiresInMs = String(deadline - Date.now());
    },
  };
}

/** Counts down until a quoted rate expires, then replaces the pay button with a button that requests the current rate. */
export function startQuoteCountdown(main: HTMLElement, announce: (text: string) => void): Countdown {
  const [held, over] = ["held", "over"].map((name) =>
    main.querySelector<HTMLElement>(`[data-quote="${name}"]`),
  );
  const timer = main.querySelector<HTMLElement>('[data-testid="pay-quote-countdown"]');
  return startCountdown(timer, announce, () => {
    if (!held || !over || held.hidden) return;
    const hadFocus = held.contains(document.activeElement);
    held.hidden = true;
    over.hidden = false;
    announce(over.querySelector("p")?.textContent ?? "");
    if (hadFocus) over.querySelector("button")?.focus();
  });
}

/**
 * Redirects to the shop after a countdown that the shopper can stop.
 * @param automatic if false, only the link is shown
 * @returns a function that stops the countdown
 */
export function startReturnCountdown(main: HTMLElement, automatic: boolean): () => void {
  const link = main.querySelector<HTMLAnchorElement>("[data-return-seconds]");
  const line = main.querySelector<HTMLElement>('[data-testid="pay-returning"]');
  if (link === null || line === null) return () => {};
  let seconds = Number(link.dataset.returnSeconds);
  const stop = () => {
    clearInterval(timer);
    line.hidden = true;
  };
  const timer = setInterval(() => {
    seconds -= 1;
    const text = line.querySelector<HTMLElement>("[data-counting]");
    if (text !== null) text.textContent = fillSeconds(text.dataset.counting ?? "", seconds);
    if (seconds > 0) return;
    clearInterval(timer);
    location.assign(link.href);
  }, 1000);
  line.querySelector("button")?.addEventListener("click", () => {
    stop();
    link.focus();
  });
  // A click on the passkey offer, or focus in it, stops the redirect.
  for (const arrival of ["click", "focusin"])
    main.querySelector("[data-stops-return]")?.addEventListener(arrival, stop);
  if (!automatic) stop();
  return () => clearInterval(timer);
}

export const fillSeconds = (text: string, seconds: number): string =>
  text.replace("{seconds}", String(Math.max(0, seconds)));

/** Counts down until the next attempt is allowed, then shows and announces that the shopper can try again. */
export function startWaitCountdown(main: HTMLElement, announce: (text: string) => void): Countdown {
  const timer = main.querySelector<HTMLElement>('[data-testid="pay-wait"]');
  const sentence = timer?.parentElement;
  const clock = startCountdown(timer, announce, () => {
    if (!timer || !sentence) return;
    clock.end();
    sentence.textContent = timer.dataset.over ?? "";
    announce(sentence.textContent);
  });
  return clock;
}
