/**
 * Leads back to the shop after the seconds that the page names, visibly and until stopped.
 * @param goes false leaves the link only.
 * @returns what ends the countdown.
 */
export function startReturn(main: HTMLElement, goes: boolean): () => void {
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
    if (text !== null) text.textContent = returnText(text.dataset.counting ?? "", seconds);
    if (seconds > 0) return;
    clearInterval(timer);
    location.assign(link.href);
  }, 1000);
  line.querySelector("button")?.addEventListener("click", () => {
    stop();
    link.focus();
  });
  // Who comes to the offer of a passkey, by finger or by keyboard, wants to see the end of it.
  for (const arrival of ["click", "focusin"])
    main.querySelector("[data-stays]")?.addEventListener(arrival, stop);
  if (!goes) stop();
  return () => clearInterval(timer);
}

/** The countdown's sentence for the seconds that are left. */
export const returnText = (text: string, seconds: number): string =>
  text.replace("{seconds}", String(Math.max(0, seconds)));
