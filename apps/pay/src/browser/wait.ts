import { type Countdown, startCountdown } from "./countdown";

/** Counts down until the next try is allowed, and then says so. */
export function startWait(main: HTMLElement, announce: (text: string) => void): Countdown {
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
