import { type Countdown, startCountdown } from "./countdown";

/**
 * Counts down how long a rate is held. After the end a button that asks for a new rate replaces the pay button, so that a
 * shopper cannot confirm an old price.
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
