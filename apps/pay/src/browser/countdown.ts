import { formatTimeLeft, hasHours } from "../countdown";

const LAST_MINUTE_MS = 60_000;
const LAST_SECONDS_MS = 15_000;
const TICK_MS = 250;
/** How often the order's status is asked for after the end. */
const ASK_AGAIN_MS = 2000;

export type Countdown = {
  /** Corrects the time left, in milliseconds, by the server's clock. */
  set(milliseconds: number): void;
  /** Stops the clock, or lets it go on: without an answer from the server its time may be wrong. */
  stand(stands: boolean): void;
  end(): void;
};

/**
 * Counts a time down once a second. A screen reader announces the last minute and the last seconds, once each. After the
 * end it calls `over` repeatedly until the view is replaced.
 */
export function startCountdown(
  shown: HTMLElement | null,
  announce: (text: string) => void,
  over: () => void,
): Countdown {
  if (shown === null) return { set: () => {}, stand: () => {}, end: () => {} };
  let deadline = Date.now() + Number(shown.dataset.expiresInMs);
  let askedAt = 0;
  let before = deadline - Date.now();
  let stands = false;
  // Chosen once: a clock that gets shorter while it runs would move its neighbours.
  const hours = hasHours(before);

  const tick = () => {
    if (stands) return;
    const left = deadline - Date.now();
    const text = formatTimeLeft(left, hours);
    if (shown.textContent !== text) shown.textContent = text;
    shown.classList.toggle("last-minute", left <= LAST_MINUTE_MS);
    for (const [limit, words] of [
      [LAST_SECONDS_MS, shown.dataset.lastSeconds],
      [LAST_MINUTE_MS, shown.dataset.lastMinute],
    ] as const) {
      if (words === undefined || before <= limit || left > limit) continue;
      announce(words);
      break;
    }
    before = Math.min(before, left);
    if (left <= 0 && Date.now() - askedAt >= ASK_AGAIN_MS) {
      askedAt = Date.now();
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
    stand: (still) => {
      stands = still;
      shown.classList.toggle("stands", still);
      tick();
    },
    end: () => {
      clearInterval(timer);
      // A later start goes on from here.
      shown.dataset.expiresInMs = String(deadline - Date.now());
    },
  };
}
