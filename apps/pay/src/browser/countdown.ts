import { formatTimeLeft } from "../countdown";

const LAST_MINUTE_MS = 60_000;
/** After the end the order is asked for this often, until it says what became of it. */
const ASK_AGAIN_MS = 2000;

export interface Countdown {
  /** Corrects the time left, in milliseconds, by the server's clock. */
  set(milliseconds: number): void;
  end(): void;
}

/** Counts the order's time down once a second; `over` is called when it has run out. */
export function startCountdown(
  main: HTMLElement,
  announce: (text: string) => void,
  over: () => void,
): Countdown {
  const shown = main.querySelector<HTMLElement>('[data-testid="pay-countdown"]');
  if (shown === null) return { set: () => {}, end: () => {} };
  let deadline = Date.now() + Number(shown.dataset.expiresInMs);
  let askedAt = 0;
  let last = deadline - Date.now() <= LAST_MINUTE_MS;

  const tick = () => {
    const left = deadline - Date.now();
    const text = formatTimeLeft(left);
    if (shown.textContent !== text) shown.textContent = text;
    shown.classList.toggle("last-minute", left <= LAST_MINUTE_MS);
    if (left > LAST_MINUTE_MS) last = false;
    else if (!last) {
      last = true;
      announce(shown.dataset.lastMinute ?? "");
    }
    if (left <= 0 && Date.now() - askedAt >= ASK_AGAIN_MS) {
      askedAt = Date.now();
      over();
    }
  };
  tick();
  const timer = setInterval(tick, 250);
  return {
    set: (milliseconds) => {
      deadline = Date.now() + milliseconds;
      tick();
    },
    end: () => clearInterval(timer),
  };
}
