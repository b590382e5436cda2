import { type Countdown, startCountdown } from "./countdown";

/**
 * Counts down how long a rate is held. When it is over the button that pays at it gives way to one that asks for a new
 * rate, so that nobody confirms a price that no longer holds.
 */
export function startQuote(main: HTMLElement, announce: (text: string) => void): Countdown {
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
